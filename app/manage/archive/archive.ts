// Reads the archive with the owner's session. The functions of the database reject everyone else.
import { z } from "zod";
import { type ListPage, loadPage } from "../../loading/load-page.ts";
import type { Post } from "../../posts/posts.ts";
import type { Client } from "../../supabase/client-context.ts";
import { emptySite, type PastSite, toPost, withEntries } from "./past-site.ts";

const entrySchema = z.object({
  number: z.number(),
  kind: z.enum(["post", "settings", "testimonial", "approval"]),
  /** The id of a post or testimonial, or the name of a section of the settings. */
  item: z.string(),
  /** ISO 8601 */
  since: z.string(),
  /** Null for what is still public. */
  until: z.nullable(z.string()),
  /** A person's name. */
  by: z.nullable(z.string()),
});
/** A version that visitors could read. */
export type Entry = z.infer<typeof entrySchema>;

const rowSchema = entrySchema.extend({ document: z.unknown() });

const foundSchema = entrySchema.extend({ title: z.string() });
export type FoundEntry = z.infer<typeof foundSchema>;

const periodSchema = rowSchema.extend({
  event: z.string(),
  /** Whether visitors could read it. */
  is_public: z.boolean(),
  digest: z.string(),
  hash: z.string(),
});
/** A version of the archive, with its place in the chain of hashes. */
export type ArchivedVersion = z.infer<typeof periodSchema>;

const summarySchema = z.object({
  entries: z.number(),
  first_at: z.nullable(z.string()),
  last_number: z.nullable(z.number()),
  last_hash: z.nullable(z.string()),
});
export type Summary = z.infer<typeof summarySchema>;

function pageSchema<Row extends z.ZodType>(row: Row) {
  return z.object({ total: z.number(), rows: z.array(row) });
}

/** The maximum number of rows that the database returns. */
const rowsPerRead = 100;

/** @throws the backend's error, like all functions of this file */
export async function readSummary(client: Client): Promise<Summary> {
  return summarySchema.parse((await client.rpc("archive_summary").throwOnError()).data);
}

/** The site at a moment, and the entries it was made of. */
export interface PastDay extends PastSite {
  /** ISO 8601 */
  moment: string;
  entries: readonly Entry[];
}

export async function readDay(client: Client, moment: string): Promise<PastDay> {
  const rows: z.infer<typeof rowSchema>[] = [];
  for (const wanted_kind of ["settings", "post", "testimonial"]) {
    for (let first = 0, total = 1; first < total; first += rowsPerRead) {
      const { data } = await client
        .rpc("archive_at", { moment, wanted_kind, wanted_item: null, first, count: rowsPerRead })
        .throwOnError();
      const page = pageSchema(rowSchema).parse(data);
      rows.push(...page.rows);
      total = page.total;
    }
  }
  const site = withEntries(
    emptySite,
    rows.map((row) => ({ ...row, is_public: true })),
  );
  return { ...site, moment, entries: rows.map(({ document: _, ...entry }) => entry) };
}

/** A post with its content, as it was at a moment. */
export async function readPost(client: Client, moment: string, id: string): Promise<Post> {
  const { data } = await client
    .rpc("archive_at", { moment, wanted_kind: "post", wanted_item: id, first: 0, count: 1 })
    .throwOnError();
  const [row] = pageSchema(rowSchema).parse(data).rows;
  if (!row) throw new Error(`The archive has no post ${id} at ${moment}`);
  return toPost(row.document);
}

export interface FoundPage extends ListPage<FoundEntry> {
  total: number;
}

/** What was public at any time and contains the words of a query, newest first. */
export async function searchArchive(
  client: Client,
  query: string,
  page: number,
): Promise<FoundPage> {
  let total = 0;
  const read = async (first: number, count: number) => {
    const { data } = await client.rpc("search_archive", { query, first, count }).throwOnError();
    const found = pageSchema(foundSchema).parse(data);
    total = found.total;
    return found.rows;
  };
  return { ...(await loadPage(read, { size: 20 }, page)), total };
}

/** Entries after a number that began in a period or were public in it, ascending; none at the end. */
export async function readPeriod(
  client: Client,
  { starts, ends }: { starts: string; ends: string },
  after: number,
): Promise<ArchivedVersion[]> {
  const { data } = await client
    .rpc("archive_period", { starts, ends, after, count: rowsPerRead })
    .throwOnError();
  return z.object({ rows: z.array(periodSchema) }).parse(data).rows;
}
