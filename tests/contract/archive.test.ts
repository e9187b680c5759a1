// The archive: the chain over the versions of posts, settings, testimonials and approvals, and what owners read of it.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Sql, type Transaction } from "../../backend/database.ts";
import { startDatabase } from "../../backend/start-database.ts";
import { changeHistory } from "../change-history.ts";
import { otherFirm, publishSettings } from "../other-firm.ts";
import { appendOnly } from "../project/marked.ts";
import { openClient, type Project, startProject } from "../start-project.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

const root = join(import.meta.dirname, "../..");

let project: Project;
let sql: Sql;
let owner: SupabaseClient;

beforeAll(async () => {
  project = await startProject();
  sql = connect(project.backend?.databaseUrl ?? "", 2);
  owner = openClient(project);
  await owner.auth.signInWithPassword(project.owner);
});

afterAll(async () => {
  await sql.end();
  await project.stop();
});

const post = { slug: "archived", title: "Whole life", category: "A", author: "A" };
const content = [{ type: "paragraph", text: "Ünique advice, in a paragraph" }];

async function call(name: string, values: Record<string, unknown> = {}) {
  return (await owner.rpc(name, values).throwOnError()).data;
}

async function publish(values: Record<string, unknown> = {}): Promise<string> {
  const row = { ...post, slug: crypto.randomUUID(), content, ...values };
  return (await owner.from("posts").insert(row).select("id").single().throwOnError()).data.id;
}

async function entriesOf(item: string) {
  return sql`select * from archive_entries where item = ${item} order by number`;
}

async function run(...parameters: string[]) {
  const child = spawn(process.execPath, ["scripts/verify-archive.ts", ...parameters], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      SUPABASE_URL: project.url,
      SUPABASE_DB_URL: project.backend?.databaseUrl,
    },
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const code = await new Promise((resolve) => child.once("exit", resolve));
  return { code, lines: (await output).join("").trim().split("\n") };
}

test("owners read what visitors could read at a moment, and find it by its words", async () => {
  const before = (await call("archive_summary")).entries;
  const id = await publish({ slug: "archived" });
  const moment = (await call("archive_summary")).last_at;
  await owner.from("posts").update({ title: "Renamed" }).eq("id", id).throwOnError();
  const changed = (await call("archive_summary")).last_at;
  await publishSettings(owner, { blog: otherFirm.blog });
  const wanted = { wanted_kind: "post", wanted_item: id, first: 0, count: 10 };
  expect(await call("archive_at", { moment, ...wanted })).toMatchObject({
    total: 1,
    rows: [
      {
        ...{ number: before + 1, kind: "post", item: id, since: moment, until: changed },
        ...{ by: project.owner.email, document: expect.objectContaining({ ...post, content }) },
      },
    ],
  });
  const found = { kind: "post", item: id, by: project.owner.email };
  const search = { query: "para unique", first: 0, count: 1 };
  expect(await call("search_archive", search)).toMatchObject({
    total: 2,
    rows: [{ ...found, number: before + 2, title: "Renamed", since: changed, until: null }],
  });
  const period = { starts: changed, ends: "2200-01-01", after: before, count: 100 };
  expect((await call("archive_period", period)).rows).toEqual([
    expect.objectContaining({ ...found, number: before + 2, event: "published", is_public: true }),
    expect.objectContaining({ number: before + 3, kind: "settings", item: "blog", until: null }),
  ]);
  await owner.from("posts").delete().eq("id", id).throwOnError();
  const { last_at } = await call("archive_summary");
  expect(await call("archive_at", { ...wanted, moment: last_at })).toEqual({ total: 0, rows: [] });
});

test("a review is public from its approval until its refusal, and each decision has an entry", async () => {
  const review = { id: crypto.randomUUID(), name: "Grace", content: "Kind", rating: 5 };
  await owner.from("testimonials").insert(review).throwOnError();
  const reviews = owner.from("testimonials");
  await reviews.update({ reply: "Thank you" }).eq("id", review.id).throwOnError();
  const moment = (await call("archive_summary")).last_at;
  const refusal = { approved_at: null, refused_at: "now", refusal_reason: "withdrawn" };
  await reviews.update(refusal).eq("id", review.id).throwOnError();
  await reviews.delete().eq("id", review.id).throwOnError();
  expect((await entriesOf(review.id)).map(({ event, is_public }) => [event, is_public])).toEqual([
    ["approved", true],
    ["changed", true],
    ["refused", false],
    ["deleted", false],
  ]);
  const wanted = { wanted_kind: "testimonial", wanted_item: review.id, first: 0, count: 10 };
  const shown = await call("archive_at", { moment, ...wanted });
  expect(shown.rows[0].document).toMatchObject({ ...review, reply: "Thank you" });
  expect(await call("search_archive", { query: "grace", first: 0, count: 9 })).toMatchObject({
    total: 2,
    rows: [{ title: "Grace", kind: "testimonial" }, { title: "Grace" }],
  });
});

test("settings of mails are kept, and were never public", async () => {
  await publishSettings(owner, { mail: otherFirm.mail });
  expect((await entriesOf("mail")).map(({ is_public }) => is_public)).toEqual([false]);
});

test("each hash covers the hash before and every column, by the documented formula", async () => {
  await publish({
    title: 'Quoted "é" \\',
    content: [{ type: "paragraph", text: "Two\u2028lines" }],
  });
  const rows = await sql`
    select entry.*, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time,
        version.document::text as document
      from archive_entries as entry join private.archived_versions as version using (kind, version)
      order by number`;
  const sha256 = (input: string) => createHash("sha256").update(input).digest("hex");
  let previous = "";
  for (const [index, entry] of rows.entries()) {
    expect(Number(entry.number)).toBe(index + 1);
    expect(entry.digest).toBe(sha256(entry.document));
    const values = [
      ...[previous, Number(entry.number), entry.kind, entry.item, Number(entry.version)],
      ...[entry.event, entry.is_public, entry.time, entry.by_name, entry.digest],
    ];
    expect(entry.hash).toBe(sha256(`[${values.map((value) => JSON.stringify(value)).join(", ")}]`));
    previous = entry.hash;
  }
});

test.each(appendOnly.filter((table) => !table.startsWith("consent")))(
  "nobody changes, deletes or truncates %s",
  async (table) => {
    for (const role of ["postgres", "service_role", "authenticated", "anon"]) {
      for (const statement of [
        `update ${table} set ${table === "archive_entries" ? "by_name = 'A'" : "document = '{}'"}`,
        `delete from ${table}`,
        `truncate ${table}`,
      ]) {
        const forge = sql.begin(async (transaction) => {
          await transaction.unsafe(`set local role ${role}`);
          await transaction.unsafe(statement);
        });
        const reason =
          role === "postgres" ? "The archive keeps every version" : "permission denied";
        await expect(forge, `${role}: ${statement}`).rejects.toThrow(reason);
      }
    }
  },
);

test("entries of writers at the same time have no gaps, and a discarded draft has none", async () => {
  const { entries } = await call("archive_summary");
  await Promise.all(Array.from({ length: 20 }, () => publish()));
  const draft = { id: crypto.randomUUID(), title: "Never published" };
  await owner.from("post_drafts").insert(draft).throwOnError();
  await call("discard_draft", { draft_id: draft.id, seen_version: null });
  const summary = await call("archive_summary");
  expect(summary).toMatchObject({ entries: entries + 20, last_number: entries + 20 });
  expect(await entriesOf(draft.id)).toEqual([]);
});

test("posts are published while the archive is exported or verified", async () => {
  await sql.begin(async (reader) => {
    await reader`select archive_period('2000-01-01', '2200-01-01', 0, 100)`;
    await reader`select private.verify_archive()`;
    await publish();
  });
});

test("writers that lock rows in another order than the archive do not deadlock", async () => {
  const [mine, shared] = [await publish(), await publish()];
  const rename = (writer: Transaction, id: string) =>
    writer`update posts set title = ${crypto.randomUUID()} where id = ${id}`;
  const { promise: isLocked, resolve } = Promise.withResolvers<void>();
  await sql.begin(async (first) => {
    await rename(first, mine);
    const second = sql.begin(async (writer) => {
      await writer`select from posts where id = ${shared} for update`;
      resolve();
      await rename(writer, shared);
    });
    await isLocked;
    await Promise.all([rename(first, shared), second]);
  });
  expect(await entriesOf(shared)).toHaveLength(3);
});

test("what was public is kept for years after the year in which it left the site, then stars and reasons stay", async () => {
  const review = { id: crypto.randomUUID(), name: "Ada", content: "Kind", rating: 2 };
  const { id } = review;
  const refusal = { approved_at: null, refused_at: "now", refusal_reason: "withdrawn" };
  await owner.from("testimonials").insert(review).throwOnError();
  await owner.from("testimonials").update(refusal).eq("id", id).throwOnError();
  const erase = async () => {
    await sql`select private.erase_archived(${id})`;
    const [kept] = await sql`select private.kept_until(${id}) as until`;
    return kept?.until as Date | null;
  };
  const documents = async () =>
    (
      await sql`select document from testimonial_versions where testimonial_id = ${id} order by id`
    ).map(({ document }) => document);
  const moveBy = (years: string) =>
    changeHistory(
      sql,
      (history) => history`
        with moved as (
          update archive_entries set at = at + ${years}::interval where item = ${id}
        )
        update testimonial_versions set saved_at = saved_at + ${years}::interval where testimonial_id = ${id}`,
    );
  const startOf = (year: number) => new Date(Date.UTC(year, 0));
  const year = new Date().getUTCFullYear();
  const erased = { erased: true, rating: 2 };
  expect(await erase()).toEqual(startOf(year + 6));
  expect(await documents()).toEqual([
    expect.objectContaining(review),
    { ...erased, refusal_reason: "withdrawn" },
  ]);
  expect(await run()).toMatchObject({ code: 0 });

  await publishSettings(owner, { site: { ...otherFirm.site, archiveYears: "10" } });
  expect(await erase()).toEqual(startOf(year + 11));
  await moveBy("-10 years");
  expect(await erase()).toEqual(startOf(year + 1));
  await moveBy("-1 years");
  expect(await erase()).toBeNull();
  expect(await documents()).toEqual([
    { ...erased, refusal_reason: null },
    { ...erased, refusal_reason: "withdrawn" },
  ]);
  const { rows } = await call("testimonial_decisions", { first: 0, count: 200 });
  expect(rows).toContainEqual(
    expect.objectContaining({ event: "refused", rating: 2, reason: "withdrawn", name: null }),
  );
  await moveBy("11 years");
  expect((await run()).lines).toContainEqual(
    expect.stringMatching(/^Entry \d+: its document was erased before its time.$/),
  );
  await changeHistory(
    sql,
    (history) => history`update archive_entries set erased_at = '2199-01-01' where item = ${id}`,
  );
  expect(await run()).toMatchObject({ code: 0 });
});

test("what a database had before the archive gets its entries in the order in which it was saved", async () => {
  const folder = await createTemporaryFolder("before-archive");
  const options = { dataDir: join(folder, "data"), siteUrl: "", onStep: () => {} };
  const files = await readdir(join(root, "supabase/migrations"));
  const versions = files.map((name) => name.split("_")[0] ?? "");
  const migrations = new Set(versions.filter((version) => !/12125|12126/.test(version)));
  try {
    const older = await startDatabase({ ...options, migrations });
    await older.sql`
      insert into testimonials (name, content, created_at, approved_at)
        values ('Ada', 'Kind', '2026-01-01', '2026-01-02')`;
    await older.sql`
      insert into posts (slug, title, category, author) values ('older', 'Older', 'A', 'A')`;
    await changeHistory(older.sql, (history) => history`delete from testimonial_versions`);
    await older.stop();
    const newer = await startDatabase(options);
    const found = await newer.sql`
      select kind, event, is_public from archive_entries order by number`;
    const problems = await newer.sql`select private.verify_archive()`;
    await newer.stop();
    expect([...found]).toEqual([
      { kind: "testimonial", event: "approved", is_public: true },
      { kind: "post", event: "published", is_public: true },
    ]);
    expect([...problems]).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** @returns what is found after a change that is then undone */
async function problemsAfter(damage: (history: Transaction) => PromiseLike<unknown>) {
  let problems: string[] = [];
  const undo = new Error("Undo");
  const changed = changeHistory(sql, async (history) => {
    await damage(history);
    const found = await history`select private.verify_archive() as problem`;
    problems = found.map(({ problem }) => problem);
    throw undo;
  });
  await expect(changed).rejects.toBe(undo);
  return problems;
}

test("each kind of damage is named in one line", async () => {
  const id = await publish();
  const [{ number, version } = {}] = await entriesOf(id);
  await publish();
  expect(await problemsAfter(async () => {})).toEqual([]);
  const named = async (
    damage: (history: Transaction) => PromiseLike<unknown>,
    ...lines: string[]
  ) => expect(await problemsAfter(damage)).toEqual(lines);
  const changedVersion = `Entry ${number}: its version ${version} was changed or is missing.`;
  await named(
    (history) => history`
      update post_versions set document = document || '{"title": "Forged"}' where id = ${version}`,
    changedVersion,
  );
  await named(
    (history) => history`update post_versions set event = 'deleted' where id = ${version}`,
    changedVersion,
  );
  await named(
    (history) => history`delete from post_versions where id = ${version}`,
    changedVersion,
  );
  await named(
    (history) => history`update archive_entries set by_name = 'A' where number = ${number}`,
    `Entry ${number} does not fit the entry before: one of them was changed.`,
  );
  await named(
    (history) => history`update archive_entries set erased_at = now() where number = ${number}`,
    changedVersion,
  );
  await named(
    (history) => history`delete from archive_entries where number = ${number}`,
    `Entries ${number} to ${number} are missing.`,
    `Version ${version} of the post ${id} has no entry.`,
  );
});

test("a cut-off end is found with the number and hash of an earlier run", async () => {
  const { code, lines } = await run();
  expect(lines.at(-1)).toBe("Nothing was changed.");
  expect(code).toBe(0);
  const [, number, hash] = /^The last entry: (\d+):([0-9a-f]{64})$/.exec(lines[0] ?? "") ?? [];
  expect(await run("--expect", `${number}:${hash}`)).toMatchObject({ code: 0 });
  // As if the database had been cut off before this entry.
  const cut = await run("--expect", `${Number(number) + 1}:${hash}`);
  expect(cut.lines).toContain(
    `Entry ${Number(number) + 1} is missing or has another hash than expected.`,
  );
  expect(cut.code).toBe(1);
});

test("after the clock jumped back, entries keep their order and verify says so", async () => {
  const id = await publish();
  await changeHistory(
    sql,
    (history) => history`
      with moved as (update post_versions set saved_at = '2190-01-01' where post_id = ${id})
      update archive_entries as entry set at = '2190-01-01' where item = ${id}`,
  );
  await changeHistory(
    sql,
    (history) => history`
      update archive_entries as entry
        set hash = private.archive_hash((select hash from archive_entries where number = entry.number - 1), entry)
        where item = ${id}`,
  );
  const [{ at } = {}] = await entriesOf(await publish());
  expect(at).toEqual(new Date("2190-01-01"));
  const { code, lines } = await run();
  expect(lines).toContainEqual(expect.stringContaining("dated in the future (2190-01-01T00:00"));
  expect(code).toBe(0);
});
