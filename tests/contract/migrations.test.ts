import { join } from "node:path";
import { connect, type Sql } from "embedded-supabase/database.ts";
import { findEdited } from "embedded-supabase/migrations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Project, startProject } from "../start-project.ts";

const folder = join(import.meta.dirname, "../../supabase/migrations");
let project: Project;
let sql: Sql;

beforeAll(async () => {
  project = await startProject();
  sql = connect(project.backend?.databaseUrl ?? "", 1);
});

afterAll(async () => {
  await sql.end();
  await project.stop();
});

test("a migration that was edited after it was applied is named", async () => {
  expect(await findEdited(sql, folder)).toEqual([]);
  await sql`
    update supabase_migrations.schema_migrations
      set statements = array['select 1'] where name = 'pages'`;
  expect(await findEdited(sql, folder)).toEqual([expect.stringMatching(/_pages\.sql$/)]);
});
