// The log: text on a terminal, JSON lines elsewhere. Everything that is written to the console goes through it, including
// the output of libraries. Long events are truncated; above a rate limit, events are counted instead of written.
import { format } from "node:util";

interface LogOptions {
  json: boolean;
  /** Replaces email addresses, which mail servers repeat in their errors. */
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

/** The maximum length of an event in characters. A stack trace fits. */
const maxLength = 4_000;
/** The most events that are written at once, and per second after that (a token bucket). */
const burst = 100;
const perSecond = 5;
/** The milliseconds between two messages about dropped events. */
const summaryInterval = 10_000;

/** Redirects the console: warnings and errors to stderr, the rest to stdout. */
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
 * Drops events above the rate limit and writes how many were dropped. Problems and other events have separate limits,
 * so that a flood of information hides no error.
 * @param now monotonic clock in milliseconds
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

export function formatLogLine(
  level: Level,
  text: string,
  { json, hideAddresses }: LogOptions,
  now = new Date(),
): string {
  const trimmed = text.trim();
  const short = trimmed.length > maxLength ? `${trimmed.slice(0, maxLength)} [cut]` : trimmed;
  const message = hideAddresses ? short.replace(emailAddress, "<address>") : short;
  return json
    ? JSON.stringify({ time: now.toISOString(), level, message }).replace(
        invisible,
        escapeCharacter,
      )
    : // Indented, so that a line break in a visitor's text does not look like a new event.
      message.replace(invisible, escapeCharacter).replaceAll("\n", "\n  ");
}

/** Matches email addresses. Bounded repetitions keep the matching linear. */
const emailAddress = /[^\s@<>"'`,;:()[\]\\]{1,64}@[^\s@<>"'`,;:()[\]\\]{1,255}/g;

/**
 * Characters that a terminal executes or hides: control characters except tabs and line breaks, other line separators,
 * and characters that change the direction or have no width.
 */
const invisible =
  /[^\P{Cc}\t\n]|[\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
