// Reads the archive with the owner's session. The functions of the database reject everyone else.
import { z } from "zod";
import { type ListPage, loadPage } from "../../loading/load-page.ts";
import type { Post } from "../../posts/posts.ts";
import type { Client } from "../../supabase/client-context.ts";
import { emptySite, type PastSite, toPost, withEntries } from "./past-site.ts";

const versionSchema = z.object({
  number: z.number(),
  kind: z.enum(["post", "settings", "testimonial", "approval"]),
  /** The id of a post or testimonial, or the name of a section of the settings. */
  item: z.string(),
  event: z.string(),
  /** Whether visitors could read it. */
  is_public: z.boolean(),
  document: z.unknown(),
  /** ISO 8601 */
  since: z.string(),
  /** Null for what is still public. */
  until: z.nullable(z.string()),
  /** A person's name. */
  by: z.nullable(z.string()),
  digest: z.string(),
  hash: z.string(),
});
/** A version of the archive, with its place in the chain of hashes. */
export type ArchivedVersion = z.infer<typeof versionSchema>;

const foundSchema = versionSchema.omit({ document: true }).extend({ title: z.string() });
export type FoundEntry = z.infer<typeof foundSchema>;

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

/** @param wanted_item null for all, without the content of posts */
async function readVersions(
  client: Client,
  moment: string,
  wanted_kind: string,
  wanted_item: string | null,
): Promise<ArchivedVersion[]> {
  const versions: ArchivedVersion[] = [];
  for (let total = 1; versions.length < total; ) {
    const page = { first: versions.length, count: rowsPerRead };
    const { data } = await client
      .rpc("archive_at", { moment, wanted_kind, wanted_item, ...page })
      .throwOnError();
    const { rows, total: found } = pageSchema(versionSchema).parse(data);
    versions.push(...rows);
    total = found;
  }
  return versions;
}

/** The site at a moment. */
export interface PastDay extends PastSite {
  /** ISO 8601 */
  moment: string;
  /** The number of the newest entry that it was made of. */
  last: number;
}

export async function readDay(client: Client, moment: string): Promise<PastDay> {
  const versions: ArchivedVersion[] = [];
  for (const kind of ["settings", "post", "testimonial"]) {
    versions.push(...(await readVersions(client, moment, kind, null)));
  }
  const last = versions.reduce((newest, { number }) => Math.max(newest, number), 0);
  return { ...withEntries(emptySite, versions), moment, last };
}

/** A post with its content, as it was at a moment. */
export async function readPost(client: Client, moment: string, id: string): Promise<Post> {
  const [version] = await readVersions(client, moment, "post", id);
  return toPost(version?.document);
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
  return z.object({ rows: z.array(versionSchema) }).parse(data).rows;
}
