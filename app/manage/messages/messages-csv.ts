import {
  contactFieldNames,
  contactFields,
} from "../../../supabase/functions/_shared/contact-fields.ts";
import { isoTime } from "./format-message.ts";
import type { MessageFilter } from "./message-search.ts";
import type { FoundMessages, Message } from "./messages.ts";

/** The maximum number of rows that the database returns. */
const rowsPerRead = 200;
const maxAttempts = 3;

/**
 * Reads all messages of a filter, page by page. Starts again when messages were added or removed meanwhile, because
 * that shifts the pages.
 * @throws what `read` throws, or an Error when the messages never stopped changing
 */
export async function readAllMessages(
  read: (first: number, count: number) => Promise<FoundMessages>,
  filter: MessageFilter,
  onProgress: (done: number, total: number) => void,
): Promise<Message[]> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const all = new Map<string, Message>();
    const totals = new Set<number>();
    for (let first = 0; ; first += rowsPerRead) {
      const { rows, counts } = await read(first, rowsPerRead);
      for (const row of rows) all.set(row.id, row);
      totals.add(counts[filter]);
      onProgress(all.size, counts[filter]);
      if (rows.length < rowsPerRead) break;
    }
    // After a deletion, a page is shifted and lacks a message although the total is right.
    if (totals.size === 1 && totals.has(all.size)) return [...all.values()];
  }
  throw new Error("The messages changed during the export.");
}

type Column = (message: Message, timeZone: string) => string | null;

const columns: Record<string, Column> = {
  Received: ({ created_at }, zone) => isoTime(created_at, zone),
  ...Object.fromEntries(
    contactFieldNames.map((name): [string, Column] => [
      contactFields[name].shortLabel,
      (message) => message[name],
    ]),
  ),
  Note: ({ note }) => note,
  Read: ({ read_at }, zone) => read_at && isoTime(read_at, zone),
  Answered: ({ answered_at }, zone) => answered_at && isoTime(answered_at, zone),
  Flagged: ({ flagged_at }, zone) => flagged_at && isoTime(flagged_at, zone),
  Emailed: ({ sent_at }, zone) => sent_at && isoTime(sent_at, zone),
  "Email failed": ({ status }) => (status === "failed" ? "yes" : null),
  Deleted: ({ deleted_at }, zone) => deleted_at && isoTime(deleted_at, zone),
};

/** Writes RFC 4180 with a byte order mark, without which Excel does not read UTF-8. */
export function toCsv(messages: readonly Message[], timeZone: string): string {
  const lines = [
    Object.keys(columns),
    ...messages.map((message) =>
      Object.values(columns).map((column) => column(message, timeZone) ?? ""),
    ),
  ];
  return `\uFEFF${lines.map((line) => `${line.map(cell).join()}\r\n`).join("")}`;
}

/**
 * Matches where a spreadsheet could find a formula: at a sign that starts the value or follows a separator or line break,
 * because not every spreadsheet splits the file only at its commas and quotes.
 */
const formulaStart = /(?:^|[,;|\t\r\n])[\s"]*(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/g;

/** Quotes a value. An apostrophe keeps spreadsheets from running a visitor's text as a formula. */
function cell(value: string): string {
  const text = value.replace(formulaStart, "$&'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** `messages-unread-2026-11-22.csv`, with the day in the site's time zone. */
export function csvFileName(filter: MessageFilter, timeZone: string, now = new Date()): string {
  const day = isoTime(now.toISOString(), timeZone).slice(0, 10);
  return `messages-${filter === "all" ? "" : `${filter}-`}${day}.csv`;
}
