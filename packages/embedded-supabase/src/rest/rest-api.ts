// What the REST endpoint offers: the tables and filters that the project lists, with the columns, sizes and arguments that the
// catalog of the migrated database has. Everything else is rejected. Does not cover: permissions, which policies decide.

import type { Sql } from "../database.ts";
import { StartError } from "../errors.ts";

type Operator = "eq" | "neq" | "in" | "is";

interface TableConfig {
  /** Columns for filters. They are short, because the filter value is compared with every row. */
  filters: Readonly<Record<string, readonly Operator[]>>;
  order: readonly string[];
}

export interface RestConfig {
  tables: Readonly<Record<string, TableConfig>>;
  /** Functions with effects that others must hear of. All functions of the schema `public` can be called. */
  functions: Readonly<Record<string, FunctionEffects>>;
  /** The maximum bytes of columns that no CHECK bounds, by `table.column` or, for all tables, `column`. */
  columnBytes: Readonly<Record<string, number>>;
}

interface FunctionEffects {
  /** The table that the function changes, whose readers must be told. */
  changes?: string;
  /** Whether a call can end sessions, whose Realtime connections must then be closed. */
  endsSessions?: true;
}

export interface RestTable extends TableConfig {
  /** The maximum size in bytes of each column's value in a JSON response. */
  columns: Readonly<Record<string, number>>;
}

export interface RestFunction extends FunctionEffects {
  /** The arguments of the function. All of them are required. */
  arguments: readonly string[];
}

export interface RestApi {
  tables: Readonly<Record<string, RestTable>>;
  functions: Readonly<Record<string, RestFunction>>;
}

/** The maximum number of rows in a response. A hosted project has the same limit (config.toml). */
const MAX_ROWS = 1000;
/** The maximum size of a response. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** The maximum size of each row that a write returns: the number of these rows is not limited. */
export const MAX_RETURNED_ROW_BYTES = 80_000;
/** The bytes of a UUID, a time, a number, a boolean or one of a few words. */
const SHORT = 40;
/** The maximum bytes of a text: a character has four in UTF-8, or six as an escaped control character. */
export const textBytes = (characters: number) => 6 * characters;
const shortTypes =
  /^(uuid|boolean|smallint|integer|bigint|numeric|real|double precision|date|time)/;

/** @throws {StartError} naming what the configuration or the migrations lack */
export async function readRestApi(sql: Sql, config: RestConfig): Promise<RestApi> {
  const columns = await sql<{ table: string; column: string; type: string; checks: string }[]>`
    select table_name as table, column_name as column, data_type as type, (
      select coalesce(string_agg(pg_get_constraintdef(oid), ' '), '') from pg_constraint
      where contype = 'c' and conrelid = format('public.%I', table_name)::regclass
    ) as checks
    from information_schema.columns where table_schema = 'public'
    order by table_name, ordinal_position`;
  const functions = await sql<{ name: string; arguments: string[] }[]>`
    select proname as name, coalesce(proargnames[1:pronargs], '{}') as arguments from pg_proc
    where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype`;
  const byTable = Map.groupBy(columns, ({ table }) => table);
  const names = new Set([...byTable.keys(), ...functions.map(({ name }) => name)]);
  const unknown = Object.keys({ ...config.tables, ...config.functions }).filter(
    (name) => !names.has(name),
  );
  const unlisted = [...byTable.keys()].filter((table) => !config.tables[table]);
  const unbounded = columns.filter((column) => boundOf(config, column) === null);
  const problems = [
    ...unknown.map((name) => `${name} is listed, but no migration creates it.`),
    ...unlisted.map((table) => `The table ${table} has no filters and no order.`),
    ...unbounded.map(
      ({ table, column }) => `${table}.${column} needs a CHECK of its length, or columnBytes.`,
    ),
  ];
  if (problems.length > 0) {
    throw new StartError(
      `The configuration of the embedded backend does not fit the migrations:\n${problems.join("\n")}`,
    );
  }
  return {
    tables: Object.fromEntries(
      Object.entries(config.tables).map(([table, listed]) => {
        const sizes = byTable.get(table)?.map((each) => [each.column, boundOf(config, each) ?? 0]);
        return [table, { ...listed, columns: Object.fromEntries(sizes ?? []) }];
      }),
    ),
    functions: Object.fromEntries(
      functions.map((each) => [
        each.name,
        { ...config.functions[each.name], arguments: each.arguments },
      ]),
    ),
  };
}

/** The maximum bytes of a column, which a CHECK tells by a length or a list of words. */
function boundOf(
  { columnBytes }: RestConfig,
  { table, column, type, checks }: { table: string; column: string; type: string; checks: string },
): number | null {
  const listed = columnBytes[`${table}.${column}`] ?? columnBytes[column];
  if (listed !== undefined) return listed;
  if (shortTypes.test(type)) return SHORT;
  // As PostgreSQL prints them: (char_length(name) <= 5), (octet_length((data)::text) <= 5), (kind = ANY (ARRAY['a'::text])).
  const [, characters] =
    new RegExp(`char_length\\((?:[\\w.]+\\()?${column}\\)+ <= (\\d+)`).exec(checks) ?? [];
  if (characters) return textBytes(Number(characters));
  const [, bytes] = new RegExp(`octet_length\\(\\(?${column}\\b[^<]*<= (\\d+)`).exec(checks) ?? [];
  // The text of JSON has no control characters. In other texts, each takes six bytes.
  if (bytes) return type === "jsonb" ? Number(bytes) : textBytes(Number(bytes));
  return new RegExp(`\\(${column} = (ANY )?[('A]`).test(checks) ? SHORT : null;
}

/** The maximum size of a row with these columns, in bytes. */
export function rowBytes(table: RestTable, columns: readonly string[]): number {
  return columns.reduce((sum, name) => sum + (table.columns[name] ?? 0) + name.length + 6, 2);
}

/** How many rows of these columns fit into one response. */
export function maxRows(table: RestTable, columns: readonly string[]): number {
  return Math.min(MAX_ROWS, Math.floor(MAX_RESPONSE_BYTES / rowBytes(table, columns)));
}
