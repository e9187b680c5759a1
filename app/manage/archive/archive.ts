// Reads the archive with the owner's session. The functions of the database reject everyone else.
import { z } from "zod";
import { type ListPage, loadPage } from "../../loading/load-page.ts";
import type { Client } from "../../supabase/client-context.ts";

const text = z.nullish(z.string());
const copySchema = z.object({
  number: z.number(),
  path: z.string(),
  title: z.string(),
  /** ISO 8601 */
  since: z.string(),
  /** Null for what is still public. */
  until: z.nullable(z.string()),
  /** False when the years for which it is kept are over. */
  is_kept: z.boolean(),
});
/** A page, as it was served for some time. */
export type Copy = z.infer<typeof copySchema>;

const listSchema = z.object({ total: z.number(), rows: z.array(copySchema) });

const openCopySchema = copySchema.extend({
  digest: z.string(),
  files: z.array(z.string()),
  release: z.string(),
  words: text,
  /** The numbers of other copies of the same page. */
  earlier: z.nullable(z.number()),
  later: z.nullable(z.number()),
});
export type OpenCopy = z.infer<typeof openCopySchema>;

const rowSchema = copySchema.extend({
  /** Null for the end of a page. */
  digest: z.nullable(z.string()),
  files: z.array(z.string()),
  is_in_period: z.boolean(),
  /** What the hash of the row covers. */
  line: z.string(),
});

const fileSchema = z.object({
  hash: z.string(),
  type: z.string(),
  bytes: z
    .string()
    .transform((base64) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))),
});
export type StoredFile = z.infer<typeof fileSchema>;

const changeSchema = z.object({
  ...{ at: z.string(), kind: z.string(), event: z.string() },
  /** Erased reviews have no title. */
  ...{ item: text, title: text, by_name: text, by_email: text, comment: text },
  document: z.unknown(),
});
export type Change = z.infer<typeof changeSchema>;

const summarySchema = z.object({
  copies: z.number(),
  pages: z.number(),
  first_at: z.nullable(z.string()),
  last_number: z.nullable(z.number()),
  last_hash: z.nullable(z.string()),
  /** When all pages were captured last. */
  captured_at: z.nullable(z.string()),
  key_created_at: z.nullable(z.string()),
});
export type Summary = z.infer<typeof summarySchema>;

/** @throws the backend's error, like all functions of this file */
export async function readSummary(client: Client): Promise<Summary> {
  return summarySchema.parse((await client.rpc("archive_summary").throwOnError()).data);
}

/** All pages that were public at a moment, by path. */
export async function readPages(client: Client, moment: string): Promise<Copy[]> {
  const pages: Copy[] = [];
  for (let total = 1; pages.length < total; ) {
    const { data } = await client
      .rpc("archive_at", { moment, first: pages.length, count: 100 })
      .throwOnError();
    const found = listSchema.parse(data);
    pages.push(...found.rows);
    total = found.rows.length > 0 ? found.total : 0;
  }
  return pages;
}

/** The copies with the words of a query, newest first. */
export async function searchArchive(
  client: Client,
  query: string,
  page: number,
): Promise<ListPage<Copy> & { total: number }> {
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

export async function readCopy(client: Client, number: number): Promise<OpenCopy | null> {
  const { data } = await client.rpc("archive_copy", { wanted: number }).throwOnError();
  return z.nullable(openCopySchema).parse(data);
}

/** Reads files, a few megabytes at once, without those that are no longer kept. */
export async function* readFiles(
  client: Client,
  hashes: readonly string[],
): AsyncGenerator<StoredFile> {
  for (let wanted = hashes; wanted.length > 0; ) {
    const { data } = await client
      .rpc("read_archive_files", { hashes: wanted.slice(0, 100) })
      .throwOnError();
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
  /** ISO 8601; excluded. */
  ends: string;
}

/** The rows after a number, ascending; none at the end. */
export async function readRows(client: Client, { starts, ends }: Period, after: number) {
  const { data } = await client
    .rpc("archive_period", { starts, ends, after, count: 500 })
    .throwOnError();
  return z.array(rowSchema).parse(data);
}

/** The changes after the `first` ones, ascending; none at the end. */
export async function readChanges(
  client: Client,
  { starts, ends }: Period,
  first: number,
): Promise<Change[]> {
  const { data } = await client
    .rpc("archive_changes", { starts, ends, first, count: 500 })
    .throwOnError();
  return z.array(changeSchema).parse(data);
}
