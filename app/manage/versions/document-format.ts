// How the documents of a kind of content are named and compared, for everyone who reads a history or a conflict.

export interface Difference {
  /** The name of the field, as its form shows it. */
  name: string;
  before: string;
  after: string;
  /** What happened to the field, such as `“a” became “b”`. */
  summary: string;
}

export interface DocumentFormat<Document> {
  /** Reads a stored document of any age: missing and malformed values become empty. */
  read(stored: unknown): Document;
  /** @returns a difference for each changed field, in the order of the form */
  compare(before: Document, after: Document): Difference[];
  /** @param path of a field, as mergeDocuments names it */
  nameOf(path: string): string;
  /** The text of a value for people. */
  textOf(value: unknown, path: string): string;
}

/** The most characters of a quotation. */
const longest = 90;

/** Quotes the words that differ, of two texts. */
export function summarize(before: string, after: string): string {
  if (!before) return `set to ${quote(after)}`;
  if (!after) return `${quote(before)} removed`;
  const [from, to] = [words(before), words(after)];
  let same = 0;
  while (same < Math.min(from.length, to.length) && from[same] === to[same]) same++;
  let sameEnd = 0;
  const most = Math.min(from.length, to.length) - same;
  while (sameEnd < most && from.at(-1 - sameEnd) === to.at(-1 - sameEnd)) sameEnd++;
  // Some words around the change show where it is.
  const [first, end] = [Math.max(0, same - 2), Math.max(0, sameEnd - 2)];
  const part = (all: readonly string[]) =>
    `${first > 0 ? "…" : ""}${all.slice(first, all.length - end).join(" ")}${end > 0 ? "…" : ""}`;
  const isLong = Math.max(before.length, after.length) > longest;
  return isLong
    ? `${quote(part(from))} became ${quote(part(to))}`
    : `${quote(before)} became ${quote(after)}`;
}

export function quote(text: string): string {
  const line = words(text).join(" ");
  return `“${line.length > longest ? `${line.slice(0, longest - 1)}…` : line}”`;
}

const words = (text: string) => text.trim().split(/\s+/);
