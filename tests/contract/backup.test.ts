// A backup of a running site, and its restore.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { dumpRows, parseRows } from "embedded-supabase/backup/tables.ts";
import { connect, type Sql } from "embedded-supabase/database.ts";
import { findRunning } from "embedded-supabase/postgres/server.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../free-port.ts";
import { copyPreparedDataDir, ownerAccount as owner } from "../prepared-data-dir.ts";
import { runNode } from "../run-node.ts";
import { setUpFolder } from "../set-up.ts";
import { png } from "../small-files.ts";
import { openClient } from "../start-project.ts";
import { startSite, stopSite } from "../start-site.ts";

const root = join(import.meta.dirname, "../..");
const post = {
  title: 'Kept "safe" \\x41',
  slug: "kept-safe",
  author: "Ada",
  category: "Testing",
  tagline: "Zeile",
  content: [{ type: "paragraph", text: 'A \\ and a ", a tab\t,\n\u2028 and 退職計画' }],
  image_url: null,
};

const folder = await setUpFolder("backup");
const archive = join(folder, "site.backup");
const port = await freePort();
let site: Awaited<ReturnType<typeof startSite>>;
let client: ReturnType<typeof openClient>;
let backup: Awaited<ReturnType<typeof run>>;
/** Reviews that were acknowledged before the backup began. */
const before: string[] = [];

const inFolder = (name: string) => join(folder, name);

beforeAll(async () => {
  await copyPreparedDataDir(inFolder("first"));
  client = await start("first");
  await client.auth.signInWithPassword(owner);
  await client.from("posts").insert(post).throwOnError();
  const upload = await client.storage
    .from("images")
    .upload("public/kept.png", png, { contentType: "image/png" });
  expect(upload.error).toBe(null);
  for (let index = 0; index < 20; index += 1) before.push(await insertReview());

  let finished = false;
  const write = async () => {
    while (!finished) await insertReview();
  };
  const makeBackup = async () => {
    backup = await run("backup", "first", "site.backup").finally(() => {
      finished = true;
    });
  };
  await Promise.all([makeBackup(), write(), write()]);
});

afterAll(() => stopSite(site));

async function start(name: string) {
  site = await startSite(port, {
    DATA_DIR: inFolder(name),
    RATE_LIMITS: "off",
    OWNER_EMAIL: owner.email,
    OWNER_PASSWORD: owner.password,
  });
  const keys = JSON.parse(await readFile(join(inFolder(name), "secrets.json"), "utf8"));
  return openClient({ url: `http://127.0.0.1:${port}`, anonKey: keys.publishableKey });
}

function run(script: string, dataDir: string, ...parameters: string[]) {
  const environment = { DATA_DIR: inFolder(dataDir), INIT_CWD: folder };
  return runNode([`scripts/${script}.ts`, ...parameters], environment);
}

async function insertReview(): Promise<string> {
  const id = randomUUID();
  const { error } = await client
    .from("testimonials")
    .insert({ id, name: "Backup test", content: "Still here?", rating: 5 });
  if (error) throw error;
  return id;
}

async function everything(from: typeof client) {
  const [posts, reviews, imageFile] = await Promise.all([
    from.from("posts").select("*").order("id"),
    // A response with every column would not have room for all of them.
    from.from("testimonials").select("id, name, content, created_at, approved_at").order("id"),
    fetch(from.storage.from("images").getPublicUrl("public/kept.png").data.publicUrl),
  ]);
  return {
    posts: posts.data ?? [],
    reviews: reviews.data ?? [],
    imageFile: Buffer.from(await imageFile.arrayBuffer()),
  };
}

test("a backup is made while reviews arrive, readable by its owner only", async () => {
  expect(backup.output).toMatch(/rows, 1 images/);
  expect(backup.code).toBe(0);
  expect((await stat(archive)).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).toSorted()).toEqual(["first", "site.backup"]);
});

async function inDatabase(work: (sql: Sql) => Promise<void>): Promise<void> {
  const { databasePassword } = loadSecrets(inFolder("first"), { create: false });
  const sql = connect(findRunning(inFolder("first"), databasePassword) ?? "", 1);
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}

test(
  "large rows are written in chunks by size, and read from one of any size",
  { tags: "long" },
  () =>
    inDatabase(async (sql) => {
      const table = { schema: "public", name: "large", columns: ["document"], rows: 20 };
      await sql`create table large as
      select to_jsonb(repeat('x', 1000000)) as document from generate_series(1, 20)`;
      const lengths = await sql.begin(async (transaction) => {
        const found: number[] = [];
        for await (const chunk of dumpRows(transaction, table)) found.push(chunk.length);
        return found;
      });
      expect(lengths).toHaveLength(3);

      // Earlier versions of the site wrote up to 200 rows to a chunk. These rows take 300 MB as jsonb, whose arrays are limited
      // to 256 MB.
      const row = JSON.stringify({ document: Array(330_000).fill(0) });
      expect(await parseRows(sql, table, `[${Array(75).fill(row).join(",\n")}]`)).toBe(75);
      await sql`drop table large`;
    }),
);

test("a backup that cannot be read back fails and leaves no file", () =>
  inDatabase(async (sql) => {
    await sql.unsafe(`
      create domain never as text;
      create table unreadable (value never);
      insert into unreadable values ('stored before the rule');
      alter domain never add constraint is_never check (false) not valid;`);
    expect(await run("backup", "first", "unreadable.backup")).toMatchObject({
      code: 1,
      output: expect.stringContaining("cannot be read back"),
    });
    await sql`drop domain never cascade`;
    await sql`drop table unreadable`;
    expect((await readdir(folder)).filter((name) => name.startsWith("unreadable"))).toEqual([]);
  }));

test("a backup never overwrites a file", async () => {
  const { size } = await stat(archive);
  expect(await run("backup", "first", archive)).toMatchObject({
    code: 1,
    output: expect.stringContaining("exists"),
  });
  expect((await stat(archive)).size).toBe(size);
});

test("a restored site has the rows, the images, the owner, the session and the policies", {
  timeout: 60_000,
}, async () => {
  const original = await everything(client);
  const { data: session } = await client.auth.getSession();
  expect(await run("restore", "second", archive)).toMatchObject({ code: 0 });
  await stopSite(site);
  const restored = await start("second");
  const { posts, reviews, imageFile } = await everything(restored);

  expect(posts).toEqual(original.posts);
  expect(posts.find(({ slug }) => slug === post.slug)).toMatchObject(post);
  expect(imageFile).toEqual(png);
  // Expects all reviews that were acknowledged before the backup, perhaps some that arrived during it, and no others.
  expect(original.reviews).toEqual(expect.arrayContaining(reviews));
  const ids = new Set(reviews.map(({ id }) => id));
  expect(before.filter((id) => !ids.has(id))).toEqual([]);

  const rejected = await restored.from("posts").insert({ ...post, slug: "by-a-visitor" });
  expect(rejected.error?.code).toBe("42501");
  expect((await restored.from("contact_messages").select("id")).data ?? []).toEqual([]);
  const removed = await restored.from("posts").delete().neq("slug", "").select("id");
  expect(removed.data ?? []).toEqual([]);

  const refreshed = await restored.auth.refreshSession({
    refresh_token: session.session?.refresh_token ?? "",
  });
  expect(refreshed.error).toBe(null);
  expect((await restored.auth.signInWithPassword(owner)).error).toBe(null);
  const written = await restored
    .from("posts")
    .insert({ ...post, slug: "after" })
    .select("slug");
  expect(written.data).toEqual([{ slug: "after" }]);
  client = restored;
});

test("a restore over a site is rejected; one that replaces it keeps the old folder beside it", {
  tags: "long",
}, async () => {
  expect(await run("restore", "replaced", archive)).toMatchObject({ code: 0 });
  await stopSite(site);
  client = await start("replaced");
  await client.auth.signInWithPassword(owner);
  await client
    .from("posts")
    .insert({ ...post, slug: "after" })
    .throwOnError();
  const asked = await run("restore", "replaced", archive);
  expect(asked).toMatchObject({ code: 1, output: expect.stringContaining("--replace") });
  const forced = await run("restore", "replaced", archive, "--replace");
  expect(forced).toMatchObject({ code: 1, output: expect.stringContaining("Stop it first") });
  expect((await client.from("posts").select("slug").eq("slug", "after")).data).toHaveLength(1);

  await stopSite(site);
  await mkdir(join(inFolder("replaced"), "backups"));
  await cp(archive, join(inFolder("replaced"), "backups/nightly"));
  const { code, output } = await run("restore", "replaced", archive, "--replace");
  expect(code).toBe(0);
  const former = (await readdir(folder)).find((name) => name.startsWith("replaced.before-"));
  expect(former && existsSync(join(inFolder(former), "secrets.json"))).toBe(true);
  expect(existsSync(join(inFolder("replaced"), "backups/nightly"))).toBe(true);
  expect(output).toContain(`${former}\nKeep it as long as the archive`);
  client = await start("replaced");
  expect(await run("verify-archive", "replaced")).toMatchObject({ code: 0 });
  expect((await client.from("posts").select("slug").eq("slug", "after")).data).toEqual([]);
});

test("a backup of a stopped site is the same", { tags: "long" }, async () => {
  await copyPreparedDataDir(inFolder("stopped"));
  const cold = await run("backup", "stopped", "cold.backup");
  expect(cold.code).toBe(0);
  expect(await run("verify-archive", "stopped")).toMatchObject({ code: 0 });
  expect(await run("restore", "third", "cold.backup")).toMatchObject({ code: 0 });
  const rows = (output: string) => /(\d+) rows/.exec(output)?.[1];
  const again = await run("backup", "third", "again.backup");
  expect(rows(again.output)).toBe(rows(cold.output));
});

test.each([
  ["cut off", async (copy: string) => truncate(copy, Math.floor((await stat(copy)).size * 0.7))],
  ["no archive at all", (copy: string) => cp(join(root, "package.json"), copy)],
])("an archive that is %s changes nothing", { tags: "long" }, async (_, damage) => {
  const copy = inFolder("damaged.backup");
  await cp(archive, copy);
  await damage(copy);
  await mkdir(inFolder("empty"), { recursive: true });
  const result = await run("restore", "empty", copy);
  expect(result).toMatchObject({ code: 1, output: expect.stringContaining("Nothing was changed") });
  expect(await readdir(inFolder("empty"))).toEqual([]);
  expect(existsSync(inFolder("empty.restoring"))).toBe(false);
});

test("without a site, a backup fails", async () => {
  const result = await run("backup", "nowhere", "nothing.backup");
  expect(result.code).toBe(1);
  expect(existsSync(inFolder("nothing.backup"))).toBe(false);
  expect(existsSync(inFolder("nowhere"))).toBe(false);
});
