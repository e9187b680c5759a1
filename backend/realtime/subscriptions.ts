// What the publication offers: its tables, their columns and keys, and which API role may read them.
// Covers: whole-table SELECT privileges. Does not cover: column privileges, column lists of a publication.
import { z } from "zod";
import type { Identity, Sql } from "../database.ts";

export const PUBLICATION = "supabase_realtime";

/** A join may be answered from a list this old, so that a flood of joins is no flood of queries. */
const MAX_AGE_MS = 2_000;

const tableSchema = z.object({
  schema: z.string(),
  name: z.string(),
  readers: z.array(z.enum(["anon", "authenticated", "service_role"])),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  /** Names of the primary key's columns; empty without one. */
  key: z.array(z.string()),
  /** Selects one row as JSON; its parameters are the key's values as text. */
  lookup: z.string(),
});
export type Table = z.infer<typeof tableSchema>;
export type Column = Table["columns"][number];

export interface Tables {
  list(): Promise<Table[]>;
  find(schema: string, name: string): Promise<Table | undefined>;
  /** To be called when the schema changed. */
  forget(): void;
}

export function createTables(sql: Sql): Tables {
  let loaded: { at: number; tables: Promise<Table[]> } | null = null;

  return { list, find, forget };

  function list(): Promise<Table[]> {
    if (loaded && performance.now() - loaded.at < MAX_AGE_MS) return loaded.tables;
    const tables = loadTables(sql);
    const entry = { at: performance.now(), tables };
    loaded = entry;
    tables.catch(() => {
      if (loaded === entry) loaded = null;
    });
    return tables;
  }

  async function find(schema: string, name: string): Promise<Table | undefined> {
    return (await list()).find((table) => table.schema === schema && table.name === name);
  }

  function forget(): void {
    loaded = null;
  }
}

export function mayRead(table: Table, role: Identity["role"]): boolean {
  return table.readers.includes(role);
}

async function loadTables(sql: Sql): Promise<Table[]> {
  const rows = await sql`
    select
      published.schemaname as schema,
      published.tablename as name,
      array(
        select role
        from unnest(array['anon', 'authenticated', 'service_role']) as role
        where has_schema_privilege(role, class.relnamespace, 'usage')
          and has_table_privilege(role, class.oid, 'select')
      ) as readers,
      (
        select json_agg(
          json_build_object('name', attribute.attname, 'type', type.typname)
          order by attribute.attnum
        )
        from pg_attribute as attribute
        join pg_type as type on type.oid = attribute.atttypid
        where attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
      ) as columns,
      coalesce(key.names, '{}') as key,
      -- The cast goes over text, so that the driver leaves the value as the stream spelled it.
      format(
        'select to_jsonb(row) as record from %I.%I as row where %s',
        published.schemaname, published.tablename, coalesce(key.condition, 'false')
      ) as lookup
    from pg_publication_tables as published
    join pg_class as class
      on class.oid = format('%I.%I', published.schemaname, published.tablename)::regclass
    left join lateral (
      select
        array_agg(attribute.attname::text order by part.position) as names,
        string_agg(
          format(
            'row.%I = $%s::text::%s',
            attribute.attname, part.position, format_type(attribute.atttypid, null)
          ),
          ' and ' order by part.position
        ) as condition
      from pg_index as index
      cross join unnest(index.indkey::int2[]) with ordinality as part (attnum, position)
      join pg_attribute as attribute
        on attribute.attrelid = index.indrelid and attribute.attnum = part.attnum
      where index.indrelid = class.oid and index.indisprimary
    ) as key on true
    where published.pubname = ${PUBLICATION}`;
  return z.array(tableSchema).parse([...rows]);
}
