// Reads the archive with the owner's session. The functions of the database reject everyone else.
import { z } from "zod";
import { cleanQuery } from "../../loading/search-query.ts";
import type { Client } from "../../supabase/client-context.ts";
import { pageOf } from "../../ui/pager.tsx";
import { loadFound } from "../list-search.ts";

export type ArchiveSearch = ReturnType<typeof searchOf>;

/** What a URL shows: the pages at a moment, the copy of a path at a moment, or the results of a query. */
export function searchOf(search: string) {
  const given = (name: string) => new URLSearchParams(search).get(name) ?? "";
  const isMoment = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(given("at"));
  const at = isMoment && Date.parse(given("at")) ? given("at") : "";
  const path = at && given("path");
  const differences = given("differences");
  return { at, path, differences, q: cleanQuery(given("q")), page: pageOf(search) };
}

export function archiveUrl(search: Partial<Omit<ArchiveSearch, "page">>): string {
  const given = Object.entries(search).filter(([, value]) => value);
  return `/manage/archive?${new URLSearchParams(given)}`;
}

const text = z.nullable(z.string());

/** A page, as it was served for some time, or its end. */
export type Copy = z.infer<typeof copySchema>;
const copySchema = z.object({
  number: z.number(),
  path: z.string(),
  title: z.string(),
  since: z.string(),
  /** Null for what is still public. */
  until: text,
  /** Null for the end of a page. */
  digest: text,
  files: z.array(z.string()),
  release: z.string(),
  hash: z.string(),
  /** What the hash of the row covers. */
  line: z.string(),
  /** Whether its content is still kept; false once the years in the settings are over. */
  is_kept: z.boolean(),
  /** Moments when other copies of the same page were public. */
  earlier: text,
  later: text,
});
const rowsSchema = z.object({
  total: z.number(),
  captured_at: text,
  rows: z.array(copySchema),
});

export type StoredFile = z.infer<typeof fileSchema>;
const fileSchema = z.object({
  hash: z.string(),
  type: z.string(),
  words: text,
  bytes: z.string().transform((base64) => {
    const text = atob(base64);
    return new Uint8Array(text.length).map((_, index) => text.charCodeAt(index));
  }),
});

export type Change = z.infer<typeof changeSchema>;
const changeSchema = z.object({
  number: z.number(),
  at: z.string(),
  /** post, page, section (of the settings) or testimonial. */
  kind: z.string(),
  thing: z.string(),
  event: z.string(),
  // Erased testimonials have no title.
  title: text,
  by_name: text,
  by_email: text,
  by_role: text,
  how: text,
  comment: text,
  document: z.nullable(z.record(z.string(), z.unknown())),
  reason: z.enum(["changed", "former", "decision"]),
  /** The number of the version that approved what was published; null without one. */
  approval: z.nullable(z.number()),
});

interface Wanted {
  moment?: string;
  path?: string;
  query?: string;
}

/**
 * Reads rows of `archive_rows` after the `first` ones; none at the end.
 * @throws the backend's error, like all functions below
 */
export async function readRows(client: Client, wanted: Wanted, first: number, count = 500) {
  const args = { moment: null, path: null, query: null, ...wanted, first, count };
  return rowsSchema.parse((await client.rpc("archive_rows", args).throwOnError()).data);
}

export type CopyList = Awaited<ReturnType<typeof listCopies>>;

/** The pages at a moment by path, or the copies with the words of a query, newest first: enough to show groups of them. */
export async function listCopies(client: Client, { at, q, page }: ArchiveSearch) {
  const wanted = at ? { moment: at } : { query: q };
  const read = (first: number, count: number) => readRows(client, wanted, first, count);
  return loadFound(read, ({ total }) => total, page, at ? 50 : 500);
}

/** Copies that are made with no longer pause between them follow from the same changes, such as one of the menu. */
const pause = 60_000;
/** Longer groups are closed. */
export const longGroup = 8;

export function isSameGroup(one: string, other: string): boolean {
  return Math.abs(Date.parse(one) - Date.parse(other)) <= pause;
}

/** Copies in the order of their times, in groups. */
export function groupCopies<Row extends Pick<Copy, "since">>(copies: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  for (const copy of copies) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && isSameGroup(last.since, copy.since)) group.push(copy);
    else groups.push([copy]);
  }
  return groups;
}

export async function readCopy(client: Client, moment: string, path: string) {
  return (await readRows(client, { moment, path }, 0, 1)).rows[0];
}

/** Reads files, a few megabytes at once, without those that are no longer kept. */
export async function* readFiles(client: Client, hashes: readonly string[]) {
  for (let wanted = hashes; wanted.length > 0; ) {
    const some = { hashes: wanted.slice(0, 100) };
    const { data } = await client.rpc("read_archive_files", some).throwOnError();
    const read = new Set<string>();
    for (const file of z.array(fileSchema).parse(data)) {
      read.add(file.hash);
      yield file;
    }
    wanted = read.size > 0 ? wanted.filter((hash) => !read.has(hash)) : wanted.slice(100);
  }
}

export interface Period {
  /** ISO 8601 */
  starts: string;
  /** Excluded. */
  ends: string;
}

/** The changes of a period, and those of other times that govern what was public in it, after the `first` ones, ascending. */
export async function readChanges(client: Client, { starts, ends }: Period, first: number) {
  const { data } = await client.rpc("archive_changes", { starts, ends, first }).throwOnError();
  return z.array(changeSchema).parse(data);
}
