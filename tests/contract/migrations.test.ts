import { join } from "node:path";
import { findEdited } from "embedded-supabase/migrations.ts";
import { expect, test } from "vitest";
import { setUpProject } from "../start-project.ts";

const folder = join(import.meta.dirname, "../../supabase/migrations");
const { sql } = await setUpProject();

test("a migration that was edited after it was applied is named", async () => {
  expect(await findEdited(sql, folder)).toEqual([]);
  await sql`
    update supabase_migrations.schema_migrations
      set statements = array['select 1'] where name = 'pages'`;
  expect(await findEdited(sql, folder)).toEqual([expect.stringMatching(/_pages\.sql$/)]);
});
