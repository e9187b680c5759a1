import { expect, test } from "vitest";
import {
  contactFieldNames,
  contactFields,
  mapContactFields,
} from "../../../supabase/functions/_shared/contact-fields.ts";
import type { FoundMessages, Message } from "./messages.ts";
import { csvFileName, readAllMessages, toCsv } from "./messages-csv.ts";

const zone = "America/Los_Angeles";

function message(values: Partial<Message> = {}): Message {
  return {
    id: crypto.randomUUID(),
    ...mapContactFields((name) => name),
    created_at: "2026-11-21T09:06:07.47+00:00",
    status: "sent",
    sent_at: null,
    last_error: null,
    next_attempt_at: "2026-11-21T09:06:07.47+00:00",
    read_at: null,
    answered_at: null,
    flagged_at: null,
    deleted_at: null,
    note: null,
    noted_at: null,
    ...values,
  };
}

test("a file has a byte order mark, a header and one line per message with every field of the form", () => {
  const sent_at = "2026-11-21T09:06:09Z";
  const labels = contactFieldNames.map((name) => contactFields[name].shortLabel);
  expect(toCsv([message({ sent_at }), message({ name: "Zoë", status: "failed" })], zone)).toBe(
    `\uFEFF${[
      `Received,${labels},Note,Read,Answered,Flagged,Emailed,Email failed,Deleted`,
      `2026-11-21T01:06:07-08:00,${contactFieldNames},,,,,2026-11-21T01:06:09-08:00,,`,
      `2026-11-21T01:06:07-08:00,Zoë,${contactFieldNames.slice(1)},,,,,,yes,`,
      "",
    ].join("\r\n")}`,
  );
});

test("a time that cannot be read is an empty field", () => {
  expect(toCsv([message({ read_at: "infinity" })], zone)).toBe(toCsv([message()], zone));
});

test("commas, quotes and line breaks stay inside their field", () => {
  const csv = toCsv([message({ name: 'Ada "A", B', message: "One\r\ntwo\nthree" })], zone);
  expect(csv).toContain(',"Ada ""A"", B",');
  expect(csv).toContain(',"One\r\ntwo\nthree",');
});

test.each([
  ["=1+1", "'=1+1"],
  ["+1 503 555 0142", "'+1 503 555 0142"],
  ["-2", "'-2"],
  ["@sum(a1)", "'@sum(a1)"],
  ["\tx", "'\tx"],
  ["\t=1", "\t'=1"],
  ["\r=1", "\r'=1"],
  ["\n=1", "\n'=1"],
  ["＝1", "'＝1"],
  ["Bob;=1+1", "Bob;'=1+1"],
  ["Bob,@1", "Bob,'@1"],
  ["Bob\t-1", "Bob\t'-1"],
  ["Bob|+1", "Bob|'+1"],
  ['Bob"; "=1', `Bob""; ""'=1`],
  ["Hello\n=1\r\n\n @1\r+1", "Hello\n'=1\r\n\n '@1\r'+1"],
])("no part of %j is a formula", (text, written) => {
  const csv = toCsv([message({ name: text })], zone);
  expect(csv).toContain(/[",\r\n]/.test(text) ? `,"${written}",` : `,${written},`);
});

test("signs inside a line and other line breaks stay as they are", () => {
  const text = "2 + 2 = 4; ada@example.com, well-known\n\n\tIndented";
  expect(toCsv([message({ message: text })], zone)).toContain(`,"${text}",`);
});

test("the file name has the filter and the day in the site's time zone", () => {
  const now = new Date("2026-11-22T07:59:00Z");
  expect(csvFileName("all", zone, now)).toBe("messages-2026-11-21.csv");
  expect(csvFileName("unread", zone, now)).toBe("messages-unread-2026-11-21.csv");
});

/** Reads from a list, which the next of `changes` changes after each read. */
function readFrom(all: Message[], ...changes: (() => void)[]) {
  return async (first: number, count: number): Promise<FoundMessages> => {
    const counts = { all: all.length, unread: 0, unanswered: 0, answered: 0, flagged: 0 };
    const rows = all.slice(first, first + count);
    changes.shift()?.();
    return { rows, counts: { ...counts, failed: 0, deleted: 0 } };
  };
}

test("all pages are read, with the progress", async () => {
  const all = Array.from({ length: 401 }, () => message());
  const progress: number[] = [];
  const read = await readAllMessages(readFrom(all), "all", (done) => progress.push(done));
  expect(read).toEqual(all);
  expect(progress).toEqual([200, 400, 401]);
});

test("a message that is added or deleted during the reads is neither missing nor twice there", async () => {
  const all = Array.from({ length: 450 }, () => message());
  const added = message();
  const read = readFrom(
    all,
    () => all.unshift(added),
    () => {},
    () => {},
    () => all.splice(7, 1),
  );
  expect(await readAllMessages(read, "all", () => {})).toEqual(all);
});

test("an export of messages that never stop changing fails", async () => {
  const all = Array.from({ length: 450 }, () => message());
  const changes = Array.from({ length: 30 }, () => () => all.unshift(message()));
  await expect(readAllMessages(readFrom(all, ...changes), "all", () => {})).rejects.toThrow(
    "The messages changed during the export.",
  );
});
