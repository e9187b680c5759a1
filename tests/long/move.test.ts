// A site moves to a hosted project and back. The embedded backend stands in for the project, behind a stub of Auth's admin
// API, which it lacks.
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { createUser, insertAccount } from "embedded-supabase/auth/new-accounts.ts";
import { isOutgoingMailHeld } from "embedded-supabase/data-dir.ts";
import { connect, type Sql } from "embedded-supabase/database.ts";
import { findRunning } from "embedded-supabase/postgres/server.ts";
import { withDatabase } from "embedded-supabase/running-database.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { Hono } from "hono";
import { proxy } from "hono/proxy";
import { afterAll, beforeAll, expect, test } from "vitest";
import { embeddedConfig } from "../../embedded.config.ts";
import { freePort } from "../free-port.ts";
import { copyPreparedDataDir, ownerAccount } from "../prepared-data-dir.ts";
import { endOf, startNode } from "../run-node.ts";
import { setUpFolder } from "../set-up.ts";
import { setUpProject } from "../start-project.ts";

/** With a palette. */
const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const IMAGES = 24;

const folder = await setUpFolder("move");
const source = join(folder, "source");
await copyPreparedDataDir(source);
// The tests themselves publish.
const { project } = await setUpProject({ jobIntervals: { duePosts: 3_600_000 } });
const url = findRunning(project.dataDir, loadSecrets(project.dataDir).databasePassword) ?? "";
/** The database of the project, as a superuser. */
const sql = connect(url, 1);
/** The same, with the rights of a hosted project. */
const databaseUrl = Object.assign(new URL(url), { username: "hosted", password: "hosted" }).href;
const port = await freePort();
const hostedUrl = `http://127.0.0.1:${port}`;
const hosted = serve({ fetch: startHostedServices().fetch, port, hostname: "127.0.0.1" });
/** What the source had before the first move. */
let original: Content;
/** Called before the proxy forwards a request to Storage; may change the body. */
let onStorage: (method: string, body: Buffer) => Buffer = (_method, body) => body;

/** The rights of the role `postgres` on a hosted project that a move uses: it owns what the migrations create. */
const hostedRole = `
  create role hosted login password 'hosted' bypassrls;
  grant set on parameter session_replication_role to hosted;
  grant usage on schema auth, storage, private, supabase_migrations to hosted;
  grant select on auth.users, auth.sessions, auth.mfa_factors, storage.objects, supabase_migrations.schema_migrations to hosted;
  do $$
  declare
    owned record;
  begin
    for owned in
      select 'table ' || oid::regclass as object from pg_class
        where relkind in ('r', 'v') and relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      union all
      select 'function ' || oid::regprocedure from pg_proc
        where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
    loop
      execute format('alter %s owner to hosted', owned.object);
    end loop;
  end;
  $$;`;

interface Content {
  rows: Record<string, string[]>;
  people: unknown[];
  images: string[];
}

beforeAll(async () => {
  await inFolder(source, addContent);
  await sql.unsafe(hostedRole);
  original = await contentOf(source);
});

afterAll(async () => {
  hosted.close();
  await sql.end();
});

function startHostedServices(): Hono {
  const app = new Hono();
  app.post("/auth/v1/admin/users", async (context) => {
    if (context.req.header("authorization") !== `Bearer ${project.secretKey}`) {
      return context.json({ code: 403, msg: "User not allowed" }, 403);
    }
    const { id, email } = await context.req.json();
    return context.json(await insertAccount(sql, email, id));
  });
  app.all("/storage/v1/*", async (context) => {
    const { pathname, search } = new URL(context.req.url);
    const { method } = context.req;
    const body = onStorage(method, Buffer.from(await context.req.arrayBuffer()));
    return proxy(`${project.url}${pathname}${search}`, {
      ...{ method, headers: context.req.header() },
      ...(method !== "GET" && { body: new Uint8Array(body) }),
    });
  });
  return app;
}

/** Other people, rows of many tables, images of both buckets, to have a middle in which to interrupt, and a due post. */
async function addContent(database: Sql): Promise<void> {
  const people = { owner: "ada@example.com", editor: "grace@example.com" };
  for (const [role, email] of Object.entries(people)) {
    const id = await createUser(embeddedConfig.auth, database, email, "a-password-for-tests");
    await database`insert into private.people (user_id, role) values (${id}, ${role})`;
  }
  await database`update auth.users set last_sign_in_at = now()`;
  await database`delete from auth.users where email = ${ownerAccount.email}`;
  await database`update posts set title = 'Edited', is_sample = false where id = (select min(id::text)::uuid from posts)`;
  await database`
    with version as (
      insert into versions (kind, thing, event, document)
      select 'post', gen_random_uuid(), 'scheduled',
             (document - 'id') || '{"slug": "scheduled", "image_url": "/images/sample.jpg"}'
      from versions where kind = 'post' limit 1
      returning thing, number
    )
    insert into schedules (kind, thing, version, at)
    select 'post', thing, number, now() + interval '1 day' from version`;
  await database`
    insert into drafts (kind, thing, document) values ('post', gen_random_uuid(), '{"title": "Draft"}')`;
  await database`insert into testimonials (id, name, content, rating) values (gen_random_uuid(), 'Grace', 'Kind.', 5)`;
  await database`
    insert into contact_messages (id, name, email, message)
    values (gen_random_uuid(), 'Ada', 'ada@example.com', 'How much cover do I need?')`;
  await database`insert into visit_counts (day, kind, key, count) values ('2026-01-01', 'page', '/', 3)`;
  for (let index = 0; index < IMAGES; index += 1) {
    const version = randomUUID();
    const metadata = { size: gif.length, mimetype: "image/gif" };
    await writeFile(join(source, "storage/objects", version), gif);
    await database`
      insert into storage.objects (bucket_id, name, version, metadata)
      values (${index % 2 ? "images" : "deleted-images"}, ${`public/${index} (a).gif`}, ${version},
              ${database.json(metadata)})`;
  }
  await database`update schedules set at = now() - interval '1 minute'`;
}

async function inFolder<Result>(
  dataDir: string,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const { databasePassword } = loadSecrets(dataDir, { create: false });
  return withDatabase(dataDir, databasePassword, async (url) => {
    const database = connect(url, 1);
    return work(database).finally(() => database.end());
  });
}

/** All rows that a move copies, and the images with their bytes. */
async function contentOf(dataDir: string): Promise<Content> {
  return inFolder(dataDir, (database) => readContent(database, dataDir));
}

async function readContent(database: Sql, dataDir: string): Promise<Content> {
  await database`set timezone = 'UTC'`;
  const tables = await database<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'private') and tablename not in
      ('counted_requests', 'local_site', 'request_limits', 'settings_schemas', 'visitor_addresses')`;
  const rows: Content["rows"] = {};
  for (const { name } of tables) {
    const found = await database.unsafe(`select to_jsonb(row)::text as text from ${name} as row`);
    rows[name] = found.map(({ text }) => String(text)).sort();
  }
  const people = await database`select id, lower(email) as email from auth.users order by 1`;
  const files = await database<{ path: string; version: string }[]>`
    select bucket_id || '/' || name as path, version from storage.objects order by 1`;
  const images = files.map(async ({ path, version }) => {
    const bytes = await readFile(join(dataDir, "storage/objects", version), "base64");
    return `${path} ${bytes}`;
  });
  return { rows, people: [...people], images: await Promise.all(images) };
}

function run(script: string, dataDir: string, ...parameters: string[]) {
  return startNode([`scripts/${script}`, ...parameters], {
    ...{ DATA_DIR: dataDir },
    ...{ SUPABASE_SECRET_KEY: project.secretKey, SUPABASE_DB_URL: databaseUrl },
  });
}

const move = (dataDir: string, direction = "--to") =>
  endOf(run("move.ts", dataDir, direction, hostedUrl));

/** Kills the move with -9 at its tenth request of this kind to Storage. */
async function interrupt(dataDir: string, direction: string, method: string): Promise<void> {
  const child = run("move.ts", dataDir, direction, hostedUrl);
  let requests = 0;
  onStorage = (given, body) => {
    if (given === method) requests += 1;
    if (requests === 10) child.kill("SIGKILL");
    return body;
  };
  await endOf(child);
  onStorage = (_method, body) => body;
  expect(child.signalCode).toBe("SIGKILL");
}

const projectContent = () => readContent(sql, project.dataDir);

test("a project with people is refused, and gets nothing", async () => {
  const before = await projectContent();
  const { code, output } = await move(source);
  expect(output).toContain("is not empty: it has 1 rows in private.people, the account owner@");
  expect(code).toBe(1);
  expect(await projectContent()).toEqual(before);
});

test("an interrupted move leaves no rows, and a wrong copy of an image or a row is found", async () => {
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await transaction`delete from private.people`;
    await transaction`delete from auth.users`;
  });
  const { rows } = await projectContent();
  await interrupt(source, "--to", "POST");
  const between = await projectContent();
  expect(between.rows).toEqual(rows);
  expect(between.images.length).toBeGreaterThan(5);
  expect(between.images.length).toBeLessThan(IMAGES);

  // Spoils an image that the interrupted move has stored, and the first that follows.
  const [stored] = await sql<{ version: string }[]>`select version from storage.objects limit 1`;
  await writeFile(join(project.dataDir, "storage/objects", stored?.version ?? ""), "spoiled");
  let isSpoiled = false;
  onStorage = (method, body) => {
    if (method !== "POST" || isSpoiled) return body;
    isSpoiled = true;
    // A color of the palette.
    return Buffer.from(body).fill(1, 13, 14);
  };
  const spoiledImage = await move(source);
  expect(spoiledImage).toMatchObject({
    code: 1,
    output: expect.stringMatching(/copy of .* is wrong/),
  });

  onStorage = (_method, body) => body;
  await sql.unsafe(`
    create function spoil() returns trigger language plpgsql as
      $$ begin new.tagline := 'Spoiled'; return new; end $$;
    create trigger spoil before insert on posts for each row execute function spoil();
    alter table posts enable always trigger spoil;`);
  const spoiledRow = await move(source);
  expect(spoiledRow).toMatchObject({
    code: 1,
    output: expect.stringContaining("This copy is wrong"),
  });
  await sql`drop function spoil cascade`;
  expect((await projectContent()).rows).toEqual(rows);
});

test("the same command completes the move, and the source is unchanged", async () => {
  const { code, output } = await move(source);
  expect(output).toMatch(/24 images, hash \w+\n(.*\n)*public\.posts: \d+ rows, hash \w+\n/);
  expect(code).toBe(0);
  expect(await projectContent()).toEqual(original);
  expect(await contentOf(source)).toEqual(original);
  expect((await readdir(join(source, "storage/objects"))).length).toBe(IMAGES);
  // The next version has the next id.
  const [version] = await sql<{ is_next: boolean }[]>`
    select nextval(pg_get_serial_sequence('versions', 'number')) = max(number) + 1 as is_next
    from versions`;
  expect(version?.is_next).toBe(true);
  expect(await sql`select from auth.users where encrypted_password <> ''`).toHaveLength(0);
});

test("a completed move is not repeated over the content", async () => {
  const { code, output } = await move(source);
  expect(output).toContain("rows in public.posts");
  expect(code).toBe(1);
  expect(await projectContent()).toEqual(original);
});

test("a folder with a site is refused", async () => {
  const { code, output } = await move(project.dataDir, "--from");
  expect(output).toContain("has a site");
  expect(code).toBe(1);
  expect(isOutgoingMailHeld(project.dataDir)).toBe(false);
});

test("an image whose file the project has lost is named, and the rest moves", async () => {
  const [image] = await sql<{ path: string; version: string }[]>`
    select bucket_id || '/' || name as path, version from storage.objects order by 1 limit 1`;
  const file = join(project.dataDir, "storage/objects", image?.version ?? "");
  const bytes = await readFile(file);
  await rm(file);
  const { code, output } = await move(join(folder, "partial"), "--from");
  await writeFile(file, bytes);
  expect(output).toContain(`Left out, without a file: ${image?.path}.\n`);
  expect(output).not.toContain("continues an interrupted move");
  expect(code).toBe(1);
});

test("the project moves back to an empty folder, also after an interruption", async () => {
  const back = join(folder, "back");
  await mkdir(back);
  await interrupt(back, "--from", "GET");
  const before = await projectContent();
  const { code, output } = await move(back, "--from");
  expect(output).toContain("Complete: every row");
  expect(code).toBe(0);
  expect(await contentOf(back)).toEqual(original);
  expect(await projectContent()).toEqual(before);
  expect(isOutgoingMailHeld(back)).toBe(true);

  const publish = () => sql`select private.publish_due() as published`;
  expect([...(await publish()), ...(await publish())]).toEqual([
    { published: 1 },
    { published: 0 },
  ]);
});
