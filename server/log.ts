// The log: one line per event. On a terminal text for a person, elsewhere JSON for a machine, without personal data.
// Whatever writes to the console is part of it, so that no library has a way around.
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

/** From here on the console writes log lines: warnings and errors to stderr, the rest to stdout. */
export function writeConsoleAsLog(options: LogOptions): void {
  for (const [method, level] of Object.entries(levels)) {
    const stream = level === "warning" || level === "error" ? process.stderr : process.stdout;
    Reflect.set(console, method, (...values: unknown[]) => {
      const text = format(...values);
      if (text !== "") stream.write(`${formatLogLine(level, text, options)}\n`);
    });
  }
}

/** @param now time of the event; the present without it. */
export function formatLogLine(
  level: Level,
  text: string,
  { json, hideAddresses }: LogOptions,
  now = new Date(),
): string {
  const message = hideAddresses ? text.replace(emailAddress, "<address>") : text;
  return json
    ? JSON.stringify({ time: now.toISOString(), level, message: message.trim() })
    : message;
}

/** Bounded, so that a long line costs no time. */
const emailAddress = /[^\s@<>"'`,;:()[\]\\]{1,64}@[^\s@<>"'`,;:()[\]\\]{1,255}/g;
