// Dumps and loads the rows of every table, as JSON that other major versions of PostgreSQL accept.
// Covers: all tables except PostgreSQL's own, generated columns (recomputed), identity columns, sequences.
// Does not cover: the schema, which the migrations create; large objects.
import { z } from "zod";
import type { Sql, Transaction } from "../database.ts";

export const tableSchema = z.object({
  schema: z.string(),
  name: z.string(),
  /** The column names, without generated columns. */
  columns: z.array(z.string()),
  rows: z.number().int(),
});
export type Table = z.infer<typeof tableSchema>;

export const sequenceSchema = z.object({ schema: z.string(), name: z.string(), value: z.string() });
type Sequence = z.infer<typeof sequenceSchema>;

/** The number of rows to fetch at once. It is small, because a row may have megabytes. */
const ROWS_PER_FETCH = 20;
/** The length of a chunk in characters. A chunk may exceed it by one row. */
const CHUNK_LENGTH = 8 * 1024 * 1024;

/** @param schemas all except PostgreSQL's own when omitted */
export async function listTables(
  transaction: Transaction,
  schemas: string[] | null = null,
): Promise<Table[]> {
  const found = await transaction`
    select namespace.nspname as schema, class.relname as name, 0 as rows,
      (
        select coalesce(array_agg(attribute.attname::text order by attribute.attnum), '{}')
        from pg_attribute as attribute
        where attribute.attrelid = class.oid and attribute.attnum > 0
          and not attribute.attisdropped and attribute.attgenerated = ''
      ) as columns
    from pg_class as class join pg_namespace as namespace on namespace.oid = class.relnamespace
    where class.relkind = 'r' and class.relpersistence = 'p'
      and namespace.nspname not in ('pg_catalog', 'information_schema')
      and (${schemas}::text[] is null or namespace.nspname = any(${schemas}::text[]))
    order by 1, 2`;
  const tables = z.array(tableSchema).parse([...found]);
  for (const table of tables) table.rows = await countRows(transaction, table);
  return tables;
}

export async function countRows(sql: Sql | Transaction, table: Table): Promise<number> {
  const [counted] = await sql<{ rows: number }[]>`
    select count(*)::int as rows from ${nameOf(sql, table)}`;
  return counted?.rows ?? 0;
}

export async function listSequences(transaction: Transaction): Promise<Sequence[]> {
  const found = await transaction`
    select schemaname as schema, sequencename as name, last_value::text as value
    from pg_sequences where last_value is not null order by 1, 2`;
  return z.array(sequenceSchema).parse([...found]);
}

/** Yields JSON arrays of rows with one row per line. */
export async function* dumpRows(transaction: Transaction, table: Table): AsyncGenerator<string> {
  const rows = transaction<{ json: string }[]>`
    select to_jsonb(row)::text as json
    from (select ${transaction(table.columns)} from ${nameOf(transaction, table)}) as row`;
  let chunk: string[] = [];
  let length = 0;
  for await (const fetched of rows.cursor(ROWS_PER_FETCH)) {
    for (const { json } of fetched) {
      chunk.push(json);
      length += json.length;
      if (length < CHUNK_LENGTH) continue;
      yield `[${chunk.join(",\n")}]`;
      chunk = [];
      length = 0;
    }
  }
  if (length > 0) yield `[${chunk.join(",\n")}]`;
}

/** Empties the tables and disables triggers and foreign keys for the rest of the transaction. */
export async function beginLoad(transaction: Transaction, tables: Table[]): Promise<void> {
  await transaction`set local session_replication_role = replica`;
  for (const table of tables) await transaction`delete from ${nameOf(transaction, table)}`;
}

/** @param rows a JSON array from `dumpRows` */
export async function loadRows(
  transaction: Transaction,
  table: Table,
  rows: string,
): Promise<void> {
  const columns = transaction(table.columns);
  await transaction`
    insert into ${nameOf(transaction, table)} (${columns}) overriding system value
    select ${columns} from ${parsed(transaction, table, rows)}`;
}

/** Keeps the rows of a table that no longer exists. @param rows a JSON array from `dumpRows` */
export async function keepRows(
  transaction: Transaction,
  name: string,
  rows: string,
): Promise<void> {
  await transaction`
    insert into former.rows (name, row)
    select ${name}, archived_row::jsonb
      from string_to_table(${rows.slice(1, -1)}::text, ${",\n"}) as archived_row`;
}

/** The number of rows and a hash of them in any order. Times have the time zone of the session. */
export async function describeRows(transaction: Transaction, table: Table): Promise<string> {
  const [found] = await transaction<{ rows: number; hash: string }[]>`
    select count(*)::int as rows, md5(string_agg(hash, '' order by hash collate "C")) as hash
    from (
      select encode(sha256(convert_to(to_jsonb(row)::text, 'UTF8')), 'hex') as hash
      from (select ${transaction(table.columns)} from ${nameOf(transaction, table)}) as row
    ) as hashes`;
  return found?.hash ? `${found.rows} rows, hash ${found.hash}` : "no rows";
}

/** Checks that rows can be loaded, without storing them. @returns the number of rows */
export async function parseRows(sql: Sql, table: Table, rows: string): Promise<number> {
  const [counted] = await sql<{ rows: number }[]>`
    select count(*)::int as rows from ${parsed(sql, table, rows)}`;
  return counted?.rows ?? 0;
}

/** Casts each row separately, because PostgreSQL limits an array of jsonb to 256 MB. */
function parsed(sql: Sql | Transaction, table: Table, rows: string) {
  // JSON escapes a line break inside a row.
  return sql`
    string_to_table(${rows.slice(1, -1)}::text, ${",\n"}) as archived_row,
    jsonb_populate_record(null::${nameOf(sql, table)}, archived_row::jsonb)`;
}

export async function hasSequence(
  transaction: Transaction,
  { schema, name }: Sequence,
): Promise<boolean> {
  const found = await transaction`
    select from pg_sequences where schemaname = ${schema} and sequencename = ${name}`;
  return found.length > 0;
}

export async function setSequence(transaction: Transaction, sequence: Sequence): Promise<void> {
  await transaction`
    select setval(format('%I.%I', ${sequence.schema}::text, ${sequence.name}::text)::regclass,
                  ${sequence.value}::text::bigint)`;
}

export function nameOf(sql: Sql | Transaction, { schema, name }: Table) {
  return sql`${sql(schema)}.${sql(name)}`;
}
