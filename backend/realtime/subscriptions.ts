// What a client can subscribe to: published tables that its role may read, and filters on their columns.
// Covers: whole-table SELECT privileges, one condition per filter. Does not cover: column privileges, column lists of a
// publication; negation, patterns, quoted values and dates in filters, which are rejected with the reason.
import { z } from "zod";
import type { Identity, Sql } from "../database.ts";

/** What a client requests in the join; the reply repeats these fields, which realtime-js compares. */
export const requestSchema = z.object({
  event: z.enum(["*", "INSERT", "UPDATE", "DELETE"]),
  schema: z.string().min(1).max(63),
  table: z.string().min(1).max(63).optional(),
  filter: z.string().max(200).optional(),
  select: z.array(z.string()).max(10).optional(),
});
export type SubscriptionRequest = z.infer<typeof requestSchema>;

export interface Subscription {
  id: number;
  request: SubscriptionRequest;
  filter: Filter | null;
}

let lastId = 0;

/** @returns the reason, as text, when the subscription is not possible */
export async function createSubscription(
  request: SubscriptionRequest,
  identity: Identity,
  tables: Tables,
): Promise<Subscription | string> {
  const name = `${request.schema}.${request.table ?? "*"}`;
  if (request.select) return `"select" is not supported (${name})`;
  const published = (await tables.list()).filter((table) => includesTable(request, table));
  const readable = published.filter((table) => mayRead(table, identity.role));
  if (published.length === 0) return `${name} is not in the publication supabase_realtime`;
  if (readable.length === 0) return `${identity.role} may not read ${name}`;
  if (readable.every((table) => table.key.length === 0)) return `${name} has no primary key`;

  lastId += 1;
  if (!request.filter) return { id: lastId, request, filter: null };
  const [table] = readable;
  if (!table || readable.length > 1) return `a filter needs a table (${name})`;
  const filter = parseFilter(request.filter, table.columns);
  return typeof filter === "string" ? filter : { id: lastId, request, filter };
}

/** Whether the request includes the table. */
export function includesTable(
  request: SubscriptionRequest,
  table: { schema: string; name: string },
): boolean {
  return (
    (request.schema === "*" || request.schema === table.schema) &&
    (request.table === undefined || request.table === "*" || request.table === table.name)
  );
}

export const PUBLICATION = "supabase_realtime";

/** How long the list of tables is cached, so that a flood of joins does not become a flood of queries. */
const MAX_AGE_MS = 2_000;

const tableSchema = z.object({
  schema: z.string(),
  name: z.string(),
  readers: z.array(z.enum(["anon", "authenticated", "service_role"])),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  /** Columns of the primary key; empty when there is none. */
  key: z.array(z.string()),
  /** Query for one row as JSON; its parameters are the values of the key, as text. */
  lookup: z.string(),
});
export type Table = z.infer<typeof tableSchema>;
export type Column = Table["columns"][number];

export interface Tables {
  list(): Promise<Table[]>;
  find(schema: string, name: string): Promise<Table | undefined>;
  /** Call it when the schema changed. */
  invalidate(): void;
}

export function createTables(sql: Sql): Tables {
  let cached: { at: number; tables: Promise<Table[]> } | null = null;

  return { list, find, invalidate };

  function list(): Promise<Table[]> {
    if (cached && performance.now() - cached.at < MAX_AGE_MS) return cached.tables;
    const tables = loadTables(sql);
    const entry = { at: performance.now(), tables };
    cached = entry;
    tables.catch(() => {
      if (cached === entry) cached = null;
    });
    return tables;
  }

  async function find(schema: string, name: string): Promise<Table | undefined> {
    return (await list()).find((table) => table.schema === schema && table.name === name);
  }

  function invalidate(): void {
    cached = null;
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
      -- The cast from text makes the driver send the value exactly as the stream has it.
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

/** Whether a row, as JSON, matches. */
export type Filter = (record: Record<string, unknown>) => boolean;

type Scalar = string | number | boolean;

const READERS = new Map<string, (text: string) => Scalar | null>([
  ...["int2", "int4", "int8", "float4", "float8", "numeric", "oid"].map(
    (type) => [type, readNumber] as const,
  ),
  ...["text", "varchar", "bpchar", "name"].map((type) => [type, readText] as const),
  ["uuid", (text) => text.toLowerCase()],
  ["bool", (text) => (text === "true" ? true : text === "false" ? false : null)],
]);

const COMPARISONS = new Map<string, (value: Scalar, wanted: Scalar) => boolean>([
  ["eq", (value, wanted) => value === wanted],
  ["in", (value, wanted) => value === wanted],
  ["neq", (value, wanted) => value !== wanted],
  ["lt", (value, wanted) => value < wanted],
  ["lte", (value, wanted) => value <= wanted],
  ["gt", (value, wanted) => value > wanted],
  ["gte", (value, wanted) => value >= wanted],
]);

/**
 * Parses `column=operator.value`: eq, neq, lt, lte, gt, gte and in, on numbers, booleans, texts and uuids.
 * @returns the reason, as text, when the filter is not supported
 */
export function parseFilter(text: string, columns: readonly Column[]): Filter | string {
  const [, name, operator = "", operand = ""] = /^([^=]+)=([a-z]+)\.(.*)$/s.exec(text) ?? [];
  if (name === undefined) return `the filter "${text}" is not of the form column=operator.value`;
  const column = columns.find((candidate) => candidate.name === name);
  if (!column) return `the filter's column "${name}" does not exist`;
  const read = READERS.get(column.type);
  if (!read) return `filters on columns of type ${column.type} are not supported`;

  const values = readOperand(operator, operand)?.map(read);
  const compare = COMPARISONS.get(operator);
  if (!compare) return `the filter's operator "${operator}" is not supported`;
  if (!values) return `the filter's value "${operand}" is not supported`;
  if (values.includes(null)) return `"${operand}" is not a value of type ${column.type}`;

  return function matches(record) {
    const value = record[name];
    // As in SQL, no comparison with null is true, not even neq.
    if (!isScalar(value)) return false;
    return values.some((wanted) => wanted !== null && compare(value, wanted));
  };
}

/** Rejects commas and quotes, which have a meaning for a hosted project that is not supported here. */
function readOperand(operator: string, operand: string): string[] | null {
  const list = operator === "in" ? /^\((.+)\)$/s.exec(operand)?.[1]?.split(",") : [operand];
  return list?.every((value) => !/[",()]/.test(value)) ? list : null;
}

function readNumber(text: string): number | null {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}

function readText(text: string): string {
  return text;
}

function isScalar(value: unknown): value is Scalar {
  return ["string", "number", "boolean"].includes(typeof value);
}
