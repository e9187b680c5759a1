// `npm run types`: writes app/supabase/database.ts from a migrated database, in the shape of
// `supabase gen types typescript`, as far as supabase-js uses it.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../backend/database.ts";
import { startDatabase } from "../backend/start-database.ts";

const target = join(import.meta.dirname, "../app/supabase/database.ts");
const dataDir = mkdtempSync(join(tmpdir(), "types-"));
chmodSync(dataDir, 0o711);

const tsTypes: Record<string, string> = {
  uuid: "string",
  text: "string",
  timestamptz: "string",
  int2: "number",
  int4: "number",
  int8: "number",
  float8: "number",
  bool: "boolean",
  jsonb: "Json",
  void: "undefined",
};

interface Column {
  table_name: string;
  column_name: string;
  udt_name: string;
  nullable: boolean;
  has_default: boolean;
}

const database = await startDatabase({ dataDir, siteUrl: "http://127.0.0.1", onStep: () => {} });
const sql = connect(database.url, 1);
const columns = await sql<Column[]>`
  select table_name, column_name, udt_name, is_nullable = 'YES' as nullable,
         column_default is not null as has_default
  from information_schema.columns
  where table_schema = 'public'
  order by table_name, column_name`;
const functions = await sql<
  { name: string; result: string; rows: boolean; arguments: string[]; types: string[] }[]
>`
  select proname as name, t.typname as result, proretset as rows,
         coalesce(proargnames, '{}') as arguments,
         array(select a.typname from unnest(p.proargtypes) o join pg_type a on a.oid = o) as types
  from pg_proc p join pg_type t on t.oid = p.prorettype
  where pronamespace = 'public'::regnamespace and t.typname <> 'trigger'
  order by 1`;
await sql.end();
await database.stop();
rmSync(dataDir, { recursive: true });

const tables = [...Map.groupBy(columns, (column) => column.table_name)].map(
  ([name, its]) => `      ${name}: {
        Row: {${its.map((c) => `${c.column_name}: ${typeOf(c)};`).join(" ")}};
        Insert: {${its.map((c) => `${c.column_name}${c.nullable || c.has_default ? "?" : ""}: ${typeOf(c)};`).join(" ")}};
        Update: {${its.map((c) => `${c.column_name}?: ${typeOf(c)};`).join(" ")}};
        Relationships: [];
      };`,
);
const signatures = functions.map(({ name, result, rows, arguments: names, types }) => {
  const parameters = names.map((parameter, index) => `${parameter}: ${tsType(types[index] ?? "")}`);
  return `      ${name}: { Args: ${parameters.length ? `{ ${parameters.join("; ")} }` : "never"}; Returns: ${resultType(result)}${rows ? "[]" : ""} };`;
});

writeFileSync(
  target,
  `// Made by \`npm run types\` from supabase/migrations. Do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
${tables.join("\n")}
    };
    Views: { [_ in never]: never };
    Functions: {
${signatures.join("\n")}
    };
    Enums: { [_ in never]: never };
    CompositeTypes: { [_ in never]: never };
  };
};
`,
);
console.log(`Wrote ${target}`);

function typeOf({ udt_name, nullable }: Column): string {
  return tsType(udt_name) + (nullable ? " | null" : "");
}

/** A function may return rows of a table. */
function resultType(name: string): string {
  const isTable = columns.some((column) => column.table_name === name);
  return isTable ? `Database["public"]["Tables"]["${name}"]["Row"]` : tsType(name);
}

function tsType(name: string): string {
  const type = tsTypes[name];
  if (!type) throw new Error(`scripts/types.ts does not know the database type ${name}`);
  return type;
}
