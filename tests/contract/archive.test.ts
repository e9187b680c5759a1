// The rows of the archive in the database: what cannot be changed, what a verification finds, what owners read, and for how long.
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { Sql, Transaction } from "embedded-supabase/database.ts";
import { expect, test } from "vitest";
import { isArchiveChanged, markBackup, readArchiveHead } from "../../server/embedded/live-facts.ts";
import { changeHistory } from "../change-history.ts";
import { captureStep, keepCopy } from "../kept-copies.ts";
import { newPost } from "../post-calls.ts";
import { setUpFolder } from "../set-up.ts";
import { setUpProject } from "../start-project.ts";
import { newReview } from "../testimonial-answers.ts";

const { project, sql, visitor, owner } = await setUpProject<SupabaseClient>({
  jobIntervals: { erasures: 50 },
});

const folder = await setUpFolder("marks");

const newPath = () => `/blog/${randomUUID()}`;
const capture = (path: string, words: string | null) => keepCopy(sql, path, words);

async function archived(wanted: { moment?: Date; path?: string; query?: string; first?: number }) {
  const args = { moment: null, path: null, query: null, first: 0, count: 100, ...wanted };
  return (await owner.rpc("archive_rows", args).throwOnError()).data;
}

const always = { starts: "2000-01-01T00:00:00Z", ends: "2200-01-01T00:00:00Z" };

/** The changes of a thing, from all pages of the list. */
async function changesOf(thing: string, period = always) {
  const changes: { thing: string; event: string; title: string | null }[] = [];
  for (;;) {
    const args = { ...period, first: changes.length };
    const { data } = await owner.rpc("archive_changes", args).throwOnError();
    if (data.length === 0) return changes.filter((change) => change.thing === thing);
    changes.push(...data);
  }
}

const verify = async (on: Sql | Transaction = sql) =>
  (await on`select private.verify_archive() as problem`).map(({ problem }) => problem);

test("one process captures, until its lease ends", async () => {
  const step = (name: string, value: object) => captureStep(sql, name, value);
  expect(await step("begin", { holder: "one" })).not.toBeNull();
  expect(await step("begin", { holder: "two" })).toBeNull();
  expect(await step("begin", { holder: "one" })).not.toBeNull();
  await step("end", { holder: "one" });
  expect(await step("begin", { holder: "two" })).not.toBeNull();
  await step("end", { holder: "two" });
});

test.each([
  "update private.archive_pages set title = 'Forged'",
  "delete from private.archive_pages",
  "truncate private.archive_pages",
  "update private.archive_files set words = 'Forged'",
  "delete from private.archive_files",
  "truncate private.archive_files",
  "update versions set document = '{}'",
  "delete from versions",
  "truncate versions cascade",
])("no setting of a session permits: %s", async (statement) => {
  await capture(newPath(), "Some words.");
  const attempt = sql.begin(async (transaction) => {
    await transaction`set local archive.erasing = 'on'`;
    await transaction.unsafe(statement);
  });
  await expect(attempt).rejects.toThrow(/^The archive keeps/);
});

test.each<[what: string, statement: string, problem: string]>([
  [
    "a title",
    "update private.archive_pages set title = 'X' where number = 2",
    "Row 2 does not fit",
  ],
  ["a removed row", "delete from private.archive_pages where number = 2", "Row 3 does not fit"],
  [
    "a row of the future, with its hash",
    `update private.archive_pages as page set since = '2200-01-01' where number = 2;
     update private.archive_pages as page set hash = private.archive_hash(
       (select hash from private.archive_pages where number = 1), page) where number = 2`,
    "Row 2 has an impossible time.",
  ],
  ["a removed file", "delete from private.archive_files", " is missing. Row "],
  [
    "the bytes of a file",
    `alter table private.archive_files drop constraint archive_files_hash;
     update private.archive_files set bytes = 'Forged'`,
    " was changed.",
  ],
])("a verification finds the change of %s", async (_what, statement, problem) => {
  for (const words of ["First.", "Second.", "Third."]) await capture(newPath(), words);
  expect(await verify()).toEqual([]);
  const undo = new Error("undo");
  const changed = changeHistory(sql, async (transaction) => {
    await transaction.unsafe(statement);
    expect((await verify(transaction)).join("\n")).toContain(problem);
    throw undo;
  });
  await expect(changed).rejects.toBe(undo);
});

test("a copy stays for seven years after the year in which it left the site; its row stays", async () => {
  const path = newPath();
  await capture(path, `Former words ${path}`);
  await capture(path, `Newer words ${path}`);
  const age = (years: number) =>
    changeHistory(sql, async (transaction) => {
      const earlier = transaction`make_interval(years => ${years})`;
      await transaction`update private.archive_files set stored_at = stored_at - ${earlier}`;
      await transaction`update private.archive_pages set since = since - ${earlier}`;
    });
  const kept = async () => {
    await sql`select private.delete_expired_files()`;
    return (await archived({ path })).rows.map((row: { is_kept: boolean }) => row.is_kept);
  };
  await age(7);
  expect(await kept()).toEqual([true, true]);
  await age(1);
  await expect(sql`delete from private.archive_files`).rejects.toThrow("has expired");
  expect(await kept()).toEqual([false, true]);
  await changeHistory(
    sql,
    (transaction) => transaction`truncate private.archive_pages, private.archive_files`,
  );
});

test("everything that was public is found, at any time, with the copies before and after", async () => {
  const path = newPath();
  await capture("/", "Not paid for this review.\nWe answer within a day.");
  await capture(path, "Formerly.");
  await capture(path, "Now.");
  await capture(path, null);
  await capture(path, "Again, CAFÉ 100%.");
  const [first, second, third] = (await archived({ path })).rows.filter(
    ({ digest }: { digest: string | null }) => digest,
  );
  expect(await archived({ query: "paid for this rev" })).toMatchObject({ rows: [{ path: "/" }] });
  expect(await archived({ query: "this paid" })).toMatchObject({ total: 0 });
  expect(await archived({ query: "cafe 100%" })).toMatchObject({ rows: [third] });
  expect(await archived({ moment: first.since })).toMatchObject({ rows: [{ path: "/" }, first] });
  expect(await archived({ moment: second.until, path })).toMatchObject({ total: 0 });
  const pathAt = async (moment: Date) => (await archived({ moment, path })).rows;
  expect(first).toMatchObject({ earlier: null, until: second.since, later: second.since });
  expect(second.later).toBe(third.since);
  expect(await pathAt(third.earlier)).toEqual([second]);
  expect(await pathAt(second.earlier)).toEqual([first]);
});

test("the words of mails to visitors are kept once each, and no capture ends them", async () => {
  const keep = (words: string) =>
    sql`select public.keep_mail('confirmation', 'Received', ${words})`;
  for (const words of ["First words.", "First words.", "Second words."]) await keep(words);
  const { rows } = await archived({ path: "/mails/confirmation" });
  expect(rows).toMatchObject([
    { title: "Received", until: rows[1].since },
    { title: "Received", until: null },
  ]);
  expect(await archived({ query: "second words" })).toMatchObject({ rows: [rows[1]] });
  const step = (name: string) => captureStep(sql, name, { holder: "one" });
  expect(Object.keys(await step("begin"))).not.toContain("/mails/confirmation");
  await step("end");
});

test("long lists, long addresses and erased reviews break no list and no export", async () => {
  const items = Array.from({ length: 19_000 }, (_, index) => `Item number ${index}`);
  const post = newPost({ slug: "a".repeat(590), content: [{ type: "list", items }] });
  await owner.from("posts").insert(post).throwOnError();
  await capture(`/blog/${post.slug}`, items.join("\n"));
  const email = `${randomUUID()}@example.com`;
  const review = newReview({ email });
  await visitor.from("testimonials").insert(review).throwOnError();
  const erasure = { email, received_on: "2026-11-20", keep: [] };
  await owner.rpc("erase_person", erasure).throwOnError();

  const { total } = await archived({});
  expect((await archived({ first: total - 1 })).rows).toMatchObject([
    { number: total, path: `/blog/${post.slug}` },
  ]);
  expect(await archived({ query: "number 18999" })).toMatchObject({ total: 1 });
  expect(await changesOf(post.id)).toMatchObject([
    { event: "published", document: { content: [{ items }] }, by_email: project.owner.email },
  ]);
  expect((await changesOf(review.id)).map(({ title }) => title)).toContain(null);
});

test("a period has what was public when it began, and the decisions of any date about it", async () => {
  const post = newPost();
  await owner.from("posts").insert(post).throwOnError();
  const approve = async (changes: object) => {
    const [row] = await sql`
      select private.add_version('post', id::text, 'approved', to_jsonb(posts) || ${JSON.stringify(changes)}::text::jsonb) as number
        from posts where id = ${post.id}`;
    return Number(row?.number);
  };
  const change = (changes: object) =>
    owner.from("posts").update(changes).eq("id", post.id).throwOnError();
  const first = await approve({ title: "Approved" });
  await change({ title: "Approved" });
  const second = await approve({ slug: "approved" });
  // The database added a number to the approved address.
  await change({ slug: "approved-2" });
  const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  expect(await changesOf(post.id, { starts: hour(1), ends: hour(2) })).toMatchObject([
    { event: "approved", number: first, reason: "decision" },
    { event: "approved", number: second, reason: "decision" },
    { event: "published", reason: "former", approval: second, document: { slug: "approved-2" } },
  ]);
  expect(await changesOf(post.id)).toMatchObject([
    { event: "published", reason: "changed", approval: null },
    { event: "approved" },
    { event: "published", approval: first },
    { event: "approved" },
    { event: "published", approval: second },
  ]);
  await change({ title: "Without an approval" });
  expect((await changesOf(post.id)).at(-1)).toMatchObject({ approval: null });
  await owner.from("posts").delete().eq("id", post.id).throwOnError();
  expect(await changesOf(post.id, { starts: hour(1), ends: hour(2) })).toEqual([]);
});

test("a row that the last backup has and the archive lacks is noticed until the archive has it again", async () => {
  await capture(newPath(), "Kept.");
  const mark = async () => {
    const archiveHead = await readArchiveHead(sql);
    markBackup(folder, { archiveHead, isArchiveChanged: await isArchiveChanged(sql, folder) });
  };
  await mark();
  await capture(newPath(), "Newer.");
  expect(await isArchiveChanged(sql, folder)).toBe(false);
  // Another hash, and the second time the former one.
  const reverse = () =>
    changeHistory(sql, (on) => on`update private.archive_pages set hash = reverse(hash)`);
  await reverse();
  for (const _ of [1, 2]) {
    expect(await isArchiveChanged(sql, folder)).toBe(true);
    await mark();
  }
  await reverse();
  expect(await isArchiveChanged(sql, folder)).toBe(false);
});
