// The log: one event after the other. On a terminal text for a person, elsewhere a line of JSON for a machine, without
// personal data. Everything written to the console goes through it, also what libraries write.
// Limited: long events are cut, and of too many events only the number is logged.
import { format } from "node:util";

interface LogOptions {
  /** JSON lines; text otherwise. */
  json: boolean;
  /** Hides e-mail addresses: mail servers repeat them in their errors. */
  hideAddresses: boolean;
}

const levels = {
  debug: "debug",
  log: "info",
  info: "info",
  warn: "warning",
  error: "error",
} as const;
type Level = (typeof levels)[keyof typeof levels];

/** Characters of one event: a stack trace fits. */
const longest = 4_000;
/** Events at once, and per second from then on. */
const burst = 100;
const perSecond = 5;
/** Milliseconds between two lines about dropped events. */
const summaryInterval = 10_000;

/** From here on the console writes log lines: warnings and errors to stderr, the rest to stdout. */
export function writeConsoleAsLog(options: LogOptions): void {
  const write = limitLog((level, text) => {
    const stream = level === "warning" || level === "error" ? process.stderr : process.stdout;
    stream.write(`${formatLogLine(level, text, options)}\n`);
  });
  for (const [method, level] of Object.entries(levels)) {
    Reflect.set(console, method, (...values: unknown[]) => {
      const text = format(...values);
      if (text !== "") write(level, text);
    });
  }
}

/**
 * Passes on a limited number of events, and tells how many were dropped. Errors and warnings are counted
 * apart from the rest, so that a flood of information hides no error.
 * @param now in milliseconds, from any start
 */
export function limitLog(
  write: (level: Level, text: string) => void,
  now: () => number = () => performance.now(),
): (level: Level, text: string) => void {
  const problems = { left: burst, filledAt: now(), dropped: 0 };
  const information = { left: burst, filledAt: now(), dropped: 0 };
  let isSummaryDue = false;

  return (level, text) => {
    const bucket = level === "warning" || level === "error" ? problems : information;
    const time = now();
    bucket.left = Math.min(burst, bucket.left + ((time - bucket.filledAt) / 1000) * perSecond);
    bucket.filledAt = time;
    if (bucket.left >= 1) {
      bucket.left -= 1;
      write(level, text);
      return;
    }
    bucket.dropped += 1;
    if (!isSummaryDue) setTimeout(summarize, summaryInterval).unref();
    isSummaryDue = true;
  };

  function summarize(): void {
    isSummaryDue = false;
    for (const bucket of [problems, information]) {
      if (bucket.dropped === 0) continue;
      const kind = bucket === problems ? "warnings and errors" : "other lines";
      write("warning", `log: ${bucket.dropped} ${kind} were dropped: too many at once`);
      bucket.dropped = 0;
    }
  }
}

/** @param now time of the event; the present without it. */
export function formatLogLine(
  level: Level,
  text: string,
  { json, hideAddresses }: LogOptions,
  now = new Date(),
): string {
  const trimmed = text.trim();
  const short = trimmed.length > longest ? `${trimmed.slice(0, longest)} [cut]` : trimmed;
  const message = hideAddresses ? short.replace(emailAddress, "<address>") : short;
  return json
    ? JSON.stringify({ time: now.toISOString(), level, message }).replace(invisible, asEscape)
    : // Indented, so that a line within a visitor's text is not mistaken for an event of its own.
      message.replace(invisible, asEscape).replaceAll("\n", "\n  ");
}

/** Bounded, so that a long line costs no time. */
const emailAddress = /[^\s@<>"'`,;:()[\]\\]{1,64}@[^\s@<>"'`,;:()[\]\\]{1,255}/g;

/**
 * What a terminal obeys or hides instead of showing it: control characters but for tabs and line breaks,
 * other line separators, and characters that change the direction or have no width.
 */
const invisible =
  /[^\P{Cc}\t\n]|[\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

function asEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
