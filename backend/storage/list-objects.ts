// Lists one level of a bucket for storage-js `list()`: folders first, then files.
// Covers: prefix, search, sorting, paging. Does not cover: list-v2, deep listings.
import { z } from "zod";
import { type Identity, type Sql, withIdentity } from "../database.ts";

export const listOptionsSchema = z.object({
  prefix: z.string().max(1024).default(""),
  limit: z.int().min(1).max(1000).default(100),
  offset: z.int().min(0).default(0),
  search: z.string().max(1024).default(""),
  sortBy: z
    .object({
      column: z.enum(["name", "updated_at", "created_at", "last_accessed_at"]).default("name"),
      order: z.enum(["asc", "desc"]).default("asc"),
    })
    .prefault({}),
});

export function listObjects(
  sql: Sql,
  identity: Identity,
  bucketId: string,
  { prefix, limit, offset, search, sortBy }: z.output<typeof listOptionsSchema>,
) {
  const folder = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  const order = sortBy.order === "asc" ? sql`asc` : sql`desc`;
  return withIdentity(
    sql,
    identity,
    (transaction) => transaction`
      with below as (
        select *, substr(name, length(${folder}) + 1) as rest
        from storage.objects
        where bucket_id = ${bucketId} and starts_with(name, ${folder})
      ), entries as (
        select distinct split_part(rest, '/', 1) as name, null::uuid as id,
          null::timestamptz as updated_at, null::timestamptz as created_at,
          null::timestamptz as last_accessed_at, null::jsonb as metadata
        from below where rest like '%/%'
        union all
        select rest, id, updated_at, created_at, last_accessed_at, metadata
        from below where rest not like '%/%'
      )
      select * from entries
      where starts_with(lower(name), lower(${search}))
      order by id is not null, ${sql(sortBy.column)} ${order}, name
      limit ${limit} offset ${offset}`,
  );
}
