// What the database accepts as a time, in every table, and how it repairs the rows of an older data folder.
import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, startDatabase } from "../../backend/start-database.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

const migration = "20261122111000";
const ids = { post: randomUUID(), sample: "b1a9e6d0-3c52-4f7e-9a10-000000000001" };
const [draft, scheduled, orphan] = [randomUUID(), randomUUID(), randomUUID()];
const [kept, withoutDraft, withoutMaker] = [randomUUID(), randomUUID(), randomUUID()];

let folder: string;
let database: Database;
let maker: string;

beforeAll(async () => {
  folder = await createTemporaryFolder("row-checks");
  const options = {
    dataDir: join(folder, "data"),
    siteUrl: "http://127.0.0.1",
    onStep: () => {},
  };
  const files = await readdir(join(import.meta.dirname, "../../supabase/migrations"));
  const versions = files.map((name) => name.slice(0, migration.length));
  const before = versions.filter((version) => version < migration);
  const older = await startDatabase({ ...options, migrations: new Set(before) });
  maker = await older.restAuth.createUser("maker@example.com", "a-password");
  const { sql } = older;
  await sql`insert into private.people (user_id, role) values (${maker}, 'owner')`;
  for (const id of [ids.post, ids.sample]) {
    await sql`
      insert into posts (id, slug, title, category, author, published_date, created_at, updated_at)
        values (${id}, ${id}, 'A', 'A', 'A', '-infinity', '0044-03-15 BC', 'infinity')`;
  }
  await sql`delete from posts where id = ${ids.post}`;
  await sql`insert into testimonials (id, name, content, created_at) values (${orphan}, 'A', 'A', '-infinity')`;
  await sql`
    insert into contact_messages (name, email, message, read_at)
      values ('Ada', 'a@b.example', 'Ten letters', 'infinity')`;
  await sql`insert into post_drafts (id, created_at) values (${draft}, 'infinity')`;
  await sql`
    insert into scheduled_posts (id, slug, title, category, author, content, image_url, published_date)
      values (${scheduled}, ${scheduled}, 'A', 'A', 'A', '[{}]', '/a.png', 'infinity')`;
  for (const [token, post_id, created_by] of [
    [kept, draft, maker],
    [withoutDraft, orphan, maker],
    [withoutMaker, scheduled, randomUUID()],
  ] as const) {
    await sql`insert into post_previews ${sql({ token, post_id, created_by })}`;
  }
  await older.stop();
  database = await startDatabase(options);
});

afterAll(async () => {
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
});

test("every column with a time rejects infinity and years outside 2000 to 2200", async () => {
  const { sql } = database;
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

test("times of an older data folder that no page can read become the nearest that it can", async () => {
  const { sql } = database;
  const first = new Date("2000-01-01T00:00:00Z");
  const last = new Date("2200-01-01T00:00:00Z");
  const post = await sql`
    select published_date, created_at, updated_at from posts where id = ${ids.sample}`;
  expect(post).toMatchObject([{ published_date: first, created_at: first, updated_at: last }]);
  expect(await sql`select created_at from testimonials`).toMatchObject([{ created_at: first }]);
  expect(await sql`select read_at from contact_messages`).toMatchObject([{ read_at: last }]);
  expect(await sql`select created_at from post_drafts`).toMatchObject([{ created_at: last }]);
  expect(await sql`select published_date from scheduled_posts`).toMatchObject([
    { published_date: last },
  ]);
});

test("a post that was deleted in an older data folder can be restored", async () => {
  const claims = JSON.stringify({ sub: maker });
  const restored = await database.sql.begin(async (transaction) => {
    await transaction`select set_config('request.jwt.claims', ${claims}, true)`;
    return transaction`select restore_deleted_post(${ids.post}) as found`;
  });
  expect(restored).toMatchObject([{ found: true }]);
});

test("preview links of an older data folder end without a draft or without their maker", async () => {
  expect(await database.sql`select token from post_previews`).toMatchObject([{ token: kept }]);
});

test("the samples of an older data folder are marked", async () => {
  expect(await database.sql`select id from posts where is_sample`).toMatchObject([
    { id: ids.sample },
  ]);
});
