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
  document: z.optional(z.unknown()),
  /** Of a search result, in place of the document. */
  title: z.optional(z.string()),
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

const pageSchema = z.object({ total: z.optional(z.number()), rows: z.array(versionSchema) });

const summarySchema = z.object({
  entries: z.number(),
  first_at: z.nullable(z.string()),
  last_number: z.nullable(z.number()),
  last_hash: z.nullable(z.string()),
});
export type Summary = z.infer<typeof summarySchema>;

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
    const found = pageSchema.parse(data);
    versions.push(...found.rows);
    total = found.total ?? 0;
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

/** A post with its content, as it was at a moment, and its version. */
export async function readPost(
  client: Client,
  moment: string,
  id: string,
): Promise<{ post: Post; version: ArchivedVersion | undefined }> {
  const [version] = await readVersions(client, moment, "post", id);
  return { post: toPost(version?.document), version };
}

/** What was public at any time and contains the words of a query, newest first. */
export async function searchArchive(
  client: Client,
  query: string,
  page: number,
): Promise<ListPage<ArchivedVersion> & { total: number }> {
  let total = 0;
  const read = async (first: number, count: number) => {
    const { data } = await client.rpc("search_archive", { query, first, count }).throwOnError();
    const found = pageSchema.parse(data);
    total = found.total ?? 0;
    return found.rows;
  };
  const list = await loadPage(read, async () => total, { size: 20 }, page);
  return { ...list, total };
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
  return pageSchema.parse(data).rows;
}
