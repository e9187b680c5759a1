// What the database accepts as a time, in every table.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startDatabase } from "../../backend/start-database.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

test("every column with a time rejects infinity and years outside 2000 to 2200", async () => {
  const folder = await createTemporaryFolder("row-checks");
  onTestFinished(() => rm(folder, { recursive: true }));
  const { sql, stop } = await startDatabase({
    dataDir: join(folder, "data"),
    siteUrl: "http://127.0.0.1",
    onStep: () => {},
  });
  onTestFinished(stop);
  const columns = await sql<{ name: string; type: string; checks: string[] }[]>`
    select attname as name, format_type(atttypid, null) as type,
        attrelid::regclass || '.' || attname as column,
        array(
          select pg_get_expr(conbin, conrelid) from pg_constraint
            where conrelid = attrelid and contype = 'c' and conkey = array[attnum]
        ) as checks
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace in ('public'::regnamespace, 'private'::regnamespace) and relkind = 'r'
        and attnum > 0 and not attisdropped and atttypid in (
          'timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype
        )`;
  expect(columns.length).toBeGreaterThan(30);
  const wrong: string[] = [];
  const times = [
    ["2026-11-22", true],
    ["2199-12-31", true],
    ["-infinity", false],
    ["infinity", false],
    ["0044-03-15 BC", false],
    ["1999-12-30", false],
    ["2200-01-03", false],
  ] as const;
  for (const { name, type, checks, ...column } of columns) {
    for (const [time, isAccepted] of times) {
      const [row] = await sql.unsafe<{ accepted: boolean }[]>(
        `select ${["true", ...checks].join(" and ")} as accepted
          from (select '${time}'::${type} as ${name}) as row`,
      );
      if (row?.accepted !== isAccepted) wrong.push(`${JSON.stringify(column)}: ${time}`);
    }
  }
  expect(wrong).toEqual([]);
});
