import { expect, test } from "vitest";
import { csvFileName, readAllRows, toCsv } from "./csv-export.tsx";

const zone = "America/Los_Angeles";
/** A file with one text between two other columns. */
const csvOf = (text: string) =>
  toCsv({ A: () => "a", Text: (row: string) => row, B: () => null }, [text], zone);

test("commas, quotes and line breaks stay inside their field", () => {
  expect(csvOf('Ada "A", B')).toBe('\uFEFFA,Text,B\r\na,"Ada ""A"", B",\r\n');
  expect(csvOf("One\r\ntwo\nthree")).toContain(',"One\r\ntwo\nthree",');
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
  expect(csvOf(text)).toContain(/[",\r\n]/.test(text) ? `,"${written}",` : `,${written},`);
});

test("signs inside a line and other line breaks stay as they are", () => {
  const text = "2 + 2 = 4; ada@example.com, well-known\n\n\tIndented";
  expect(csvOf(text)).toContain(`,"${text}",`);
});

test("the file name has the day in the site's time zone", () => {
  const now = new Date("2026-11-22T07:59:00Z");
  expect(csvFileName("messages", zone, now)).toBe("messages-2026-11-21.csv");
  expect(csvFileName("messages-unread", zone, now)).toBe("messages-unread-2026-11-21.csv");
});

type Row = { id: string };

/** Reads from a list, which changes after the first read. */
function readFrom(all: Row[], change = () => {}) {
  return async (first: number, count: number) => {
    const found = { rows: all.slice(first, first + count), total: all.length };
    if (first === 0) change();
    return found;
  };
}

const newRow = () => ({ id: crypto.randomUUID() });
const newRows = (length: number) => Array.from({ length }, newRow);

test("all pages are read, with the progress", async () => {
  const all = newRows(401);
  const progress: number[] = [];
  const read = await readAllRows(readFrom(all), (done) => progress.push(done));
  expect(read).toEqual(all);
  expect(progress).toEqual([200, 400, 401]);
});

test.each([
  ["added", (all: Row[]) => all.unshift(newRow())],
  ["deleted", (all: Row[]) => all.splice(7, 1)],
])("an export fails when a row is %s during the reads", async (_what, change) => {
  const all = newRows(450);
  const read = readFrom(all, () => void change(all));
  await expect(readAllRows(read, () => {})).rejects.toThrow("The rows changed during the export.");
});
