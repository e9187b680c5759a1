// Reads the archive with the owner's session. The functions of the database reject everyone else.
import { z } from "zod";
import { type ListPage, loadPage } from "../../loading/load-page.ts";
import { cleanQuery } from "../../loading/search-query.ts";
import type { Client } from "../../supabase/client-context.ts";
import { pageOf } from "../../ui/pager.tsx";

export type ArchiveSearch = ReturnType<typeof searchOf>;

/** What a URL shows: the pages at a moment, a copy or the copy of a path at a moment, or the results of a query. */
export function searchOf(search: string) {
  const given = (name: string) => new URLSearchParams(search).get(name) ?? "";
  // Not converted to a Date, which would lose the microseconds of a copy.
  const isMoment = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(given("at"));
  const at = isMoment && Date.parse(given("at")) ? given("at") : "";
  return {
    ...{ at, path: at && given("path"), differences: given("differences") },
    copy: Number(/^\d{1,15}$/.exec(given("copy"))),
    ...{ q: cleanQuery(given("q")), page: pageOf(search) },
  };
}

export function archiveUrl(search: Partial<Omit<ArchiveSearch, "page">>): string {
  const given = Object.entries(search).map(([name, value]) => [name, String(value || "")]);
  return `/manage/archive?${new URLSearchParams(given.filter(([, value]) => value))}`;
}

const text = z.nullish(z.string());

/** A page, as it was served for some time, or its end. Each function of the database adds what it is asked for. */
export type Copy = z.infer<typeof copySchema>;
const copySchema = z.object({
  ...{ number: z.number(), path: z.string(), title: z.string(), since: z.string() },
  /** Null for what is still public. */
  until: z.nullable(z.string()),
  /** False when the years for which it is kept are over. */
  is_kept: z.boolean(),
  /** Null for the end of a page. */
  digest: z.nullable(z.string()),
  ...{ files: z.array(z.string()).default([]), release: z.string(), words: text },
  /** The numbers of other copies of the same page. */
  ...{ earlier: z.nullish(z.number()), later: z.nullish(z.number()) },
  is_in_period: z.boolean().default(false),
  /** What the hash of the row covers. */
  line: z.string().default(""),
});
const listSchema = z.object({ total: z.number(), rows: z.array(copySchema) });

export type StoredFile = z.infer<typeof fileSchema>;
const fileSchema = z.object({
  ...{ hash: z.string(), type: z.string() },
  bytes: z
    .string()
    .transform((bytes) => Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))),
});

export type Change = z.infer<typeof changeSchema>;
const changeSchema = z.object({
  ...{ at: z.string(), kind: z.string(), event: z.string(), document: z.unknown() },
  // Erased reviews have no title.
  ...{ item: text, title: text, by_name: text, by_email: text, comment: text },
});

export type Summary = z.infer<typeof summarySchema>;
const summarySchema = z.object({
  ...{ copies: z.number(), pages: z.number(), first_at: z.nullable(z.string()) },
  ...{ last_number: z.nullable(z.number()), last_hash: z.nullable(z.string()) },
  /** When all pages were captured last. */
  ...{ captured_at: z.nullable(z.string()), key_created_at: z.nullable(z.string()) },
});

/** @throws the backend's error, like all functions below */
export async function readSummary(client: Client): Promise<Summary> {
  return summarySchema.parse((await client.rpc("archive_summary").throwOnError()).data);
}

type CopyList = ListPage<Copy> & { total: number };

/** All pages that were public at a moment, by path. */
export async function readPages(client: Client, moment: string): Promise<CopyList> {
  const rows: Copy[] = [];
  for (let isLast = false; !isLast; ) {
    const page = { first: rows.length, count: 100 };
    const { data } = await client.rpc("archive_at", { moment, ...page }).throwOnError();
    const found = listSchema.parse(data);
    rows.push(...found.rows);
    isLast = found.rows.length < page.count;
  }
  return { rows, page: 1, hasNext: false, total: rows.length };
}

/** The copies with the words of a query, newest first. */
export async function searchArchive(
  client: Client,
  query: string,
  page: number,
): Promise<CopyList> {
  let total = 0;
  const read = async (first: number, count: number) => {
    const { data } = await client.rpc("search_archive", { query, first, count }).throwOnError();
    const found = listSchema.parse(data);
    total = found.total;
    return found.rows;
  };
  const list = await loadPage(read, async () => total, { size: 20 }, page);
  return { ...list, total };
}

export async function readCopy(client: Client, wanted: number): Promise<Copy | null> {
  const { data } = await client.rpc("archive_copy", { wanted }).throwOnError();
  return z.nullable(copySchema).parse(data);
}

/** Reads files, a few megabytes at once, without those that are no longer kept. */
export async function* readFiles(client: Client, hashes: readonly string[]) {
  for (let wanted = hashes; wanted.length > 0; ) {
    const some = { hashes: wanted.slice(0, 100) };
    const { data } = await client.rpc("read_archive_files", some).throwOnError();
    const read = new Set<string>();
    for (const row of z.array(z.unknown()).parse(data)) {
      const file = fileSchema.parse(row);
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

/** The rows of the whole archive after a number, ascending; none at the end. */
export async function readRows(client: Client, { starts, ends }: Period, after: number) {
  const page = { after, count: 500 };
  const { data } = await client.rpc("archive_period", { starts, ends, ...page }).throwOnError();
  return z.array(copySchema).parse(data);
}

/** The changes of a period after the `first` ones, ascending; none at the end. */
export async function readChanges(client: Client, { starts, ends }: Period, first: number) {
  const page = { first, count: 500 };
  const { data } = await client.rpc("archive_changes", { starts, ends, ...page }).throwOnError();
  return z.array(changeSchema).parse(data);
}
