// The rows of the archive in the database: what cannot be changed, what a verification finds, what owners read, and for how long.
import { createHash, randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Sql, type Transaction } from "../../backend/database.ts";
import { isArchiveChanged, markBackup, readArchiveHead } from "../../backend/live-facts.ts";
import { changeHistory } from "../change-history.ts";
import { publishSentence } from "../consent-sentences.ts";
import { reviewAnswers } from "../review-answers.ts";
import { openClient, type Project, startProject } from "../start-project.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

let project: Project;
let sql: Sql;
let owner: SupabaseClient;
let admin: SupabaseClient;

beforeAll(async () => {
  project = await startProject({ jobIntervals: { duePosts: 50, erasures: 50 } });
  sql = connect(project.backend?.databaseUrl ?? "", 2);
  owner = openClient(project) as SupabaseClient;
  const { error } = await owner.auth.signInWithPassword(project.owner);
  if (error) throw error;
  admin = createClient(project.url, project.secretKey, { auth: { persistSession: false } });
});

afterAll(async () => {
  await sql.end();
  await project.stop();
});

const newPath = () => `/blog/${randomUUID()}`;
const always = { starts: "2000-01-01T00:00:00Z", ends: "2200-01-01T00:00:00Z" };

async function store(html: string, words: string): Promise<string> {
  const hash = createHash("sha256").update(html).digest("hex");
  const file = { hash, type: "text/html", bytes: btoa(html), words };
  await sql`select private.capture_site('file', ${sql.json(file)})`;
  return hash;
}

/** Adds a copy, or with null the end of the page. @returns its number */
async function capture(path: string, words: string | null): Promise<number> {
  const digest = words === null ? null : await store(`<html>${words}</html>`, words);
  const page = { path, title: "A page", digest, files: digest ? [digest] : [], release: "1" };
  await sql`select private.capture_site('page', ${sql.json(page)})`;
  const [row] = await sql`select max(number)::int as number from private.archive_pages`;
  return row?.number;
}

const verify = async (on: Sql | Transaction = sql) =>
  (await on`select private.verify_archive() as problem`).map(({ problem }) => problem);

test.each([
  "update private.archive_pages set title = 'Forged'",
  "delete from private.archive_pages",
  "truncate private.archive_pages",
  "update private.archive_files set words = 'Forged'",
  "delete from private.archive_files",
  "truncate private.archive_files",
  "update post_versions set document = '{}'",
  "delete from site_settings_versions",
  "truncate post_approvals",
  "delete from testimonial_versions",
  "update testimonial_versions set document = '{}'",
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
    "update private.archive_pages set title = 'Forged' where number = 2",
    "Row 2 does not fit",
  ],
  [
    "a time",
    "update private.archive_pages set since = since + interval '1 s' where number = 2",
    "Row 2 does not fit",
  ],
  [
    "a removed row",
    "delete from private.archive_pages where number = 2",
    "Rows 2 to 2 are missing.",
  ],
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
  await capture(newPath(), "First.");
  await capture(newPath(), "Second.");
  await capture(newPath(), "Third.");
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
  const first = await capture(path, `Former words ${path}`);
  await capture(path, `Newer words ${path}`);
  const files = async () =>
    (
      await sql`select words from private.archive_files where words like ${`%${path}`} order by words`
    ).map(({ words }) => words);
  const age = (years: number) =>
    changeHistory(sql, async (transaction) => {
      await transaction`
        update private.archive_files set stored_at = stored_at - make_interval(years => ${years})
          where words like ${`%${path}`}`;
      await transaction`
        update private.archive_pages set since = since - make_interval(years => ${years})
          where path = ${path}`;
    });
  await age(7);
  await sql`select private.delete_expired_files()`;
  expect(await files()).toHaveLength(2);
  await age(1);
  await expect(
    sql`delete from private.archive_files where words = ${`Newer words ${path}`}`,
  ).rejects.toThrow("until the last copy that shows it has expired");
  await sql`select private.delete_expired_files()`;
  expect(await files()).toEqual([`Newer words ${path}`]);
  const copy = (await owner.rpc("archive_copy", { wanted: first }).throwOnError()).data;
  expect(copy).toMatchObject({ path, is_kept: false });
  await changeHistory(
    sql,
    (transaction) => transaction`truncate private.archive_pages, private.archive_files`,
  );
});

test("everything that was public is found, at any time", async () => {
  const path = newPath();
  await capture("/", "Not paid for this review.\nWe answer within a day.");
  await capture(path, "Formerly.");
  const [{ now } = { now: new Date() }] = await sql<
    { now: Date }[]
  >`select clock_timestamp() as now`;
  await capture(path, "Now.");
  await capture(path, null);
  const search = async (query: string) =>
    (await owner.rpc("search_archive", { query, first: 0, count: 10 }).throwOnError()).data;
  expect(await search("paid for this rev")).toMatchObject({ total: 1, rows: [{ path: "/" }] });
  expect(await search("answer within a day")).toMatchObject({ total: 1 });
  const at = async (moment: Date | string) => {
    const args = { moment: new Date(moment).toISOString(), first: 0, count: 100 };
    return (await owner.rpc("archive_at", args).throwOnError()).data.rows as {
      path: string;
      until: string | null;
    }[];
  };
  expect((await at(now)).map(({ path }) => path)).toEqual(["/", path]);
  expect((await at(now))[1]?.until).not.toBeNull();
  expect((await at("2100-01-01")).map(({ path }) => path)).toEqual(["/"]);
});

test("long lists, long addresses and erased reviews break no list and no export", async () => {
  const items = Array.from({ length: 19_000 }, (_, index) => `Item number ${index}`);
  const post = {
    ...{ id: randomUUID(), slug: "a".repeat(590), title: "Long", tagline: "", category: "Long" },
    ...{ author: "Ada", content: [{ type: "list", items }] },
  };
  await admin.from("posts").insert(post).throwOnError();
  const number = await capture(`/blog/${post.slug}`, items.join("\n"));
  const email = `${randomUUID()}@example.com`;
  const review = { id: randomUUID(), name: "Erased Person", content: "Erased words.", rating: 5 };
  const answers = { ...reviewAnswers, consent: publishSentence, email };
  const visitor = openClient(project) as SupabaseClient;
  await visitor
    .from("testimonials")
    .insert({ ...review, ...answers })
    .throwOnError();
  await owner.rpc("erase_person", { email }).throwOnError();
  await changeHistory(
    sql,
    (transaction) =>
      transaction`update testimonial_versions set document = private.erased(document) where testimonial_id = ${review.id}`,
  );

  const rows = (
    await owner.rpc("archive_period", { ...always, after: number - 1, count: 1 }).throwOnError()
  ).data;
  expect(rows).toMatchObject([{ path: `/blog/${post.slug}`, is_in_period: true }]);
  const found = await owner
    .rpc("search_archive", { query: "18999", first: 0, count: 10 })
    .throwOnError();
  expect(found.data.total).toBe(1);
  const changes: { item: string; event: string; title: string | null }[] = [];
  for (;;) {
    const args = { ...always, first: changes.length, count: 500 };
    const more = (await owner.rpc("archive_changes", args).throwOnError()).data;
    if (more.length === 0) break;
    changes.push(...more);
  }
  expect(changes.filter(({ item }) => item === post.id)).toMatchObject([
    { event: "published", document: { content: [{ items }] } },
  ]);
  expect(changes.filter(({ item }) => item === review.id).map(({ title }) => title)).toEqual(
    changes.filter(({ item }) => item === review.id).map(() => null),
  );
});

test("a row that the last backup has and the archive lacks is noticed until the archive has it again", async () => {
  await capture(newPath(), "Kept.");
  const folder = await createTemporaryFolder("marks");
  const mark = async () => {
    const archiveHead = await readArchiveHead(sql);
    markBackup(folder, { archiveHead, isArchiveChanged: await isArchiveChanged(sql, folder) });
  };
  await mark();
  await capture(newPath(), "Newer.");
  expect(await isArchiveChanged(sql, folder)).toBe(false);
  const [last] = await sql`select max(number)::int - 1 as number from private.archive_pages`;
  const rename = (title: string) =>
    changeHistory(sql, async (transaction) => {
      await transaction`update private.archive_pages set title = ${title} where number = ${last?.number}`;
      await transaction`
        update private.archive_pages as page
          set hash = private.archive_hash(coalesce((
            select hash from private.archive_pages as before where before.number = page.number - 1
          ), ''), page)
          where number = ${last?.number}`;
    });
  await rename("Forged");
  for (const _ of [1, 2]) {
    expect(await isArchiveChanged(sql, folder)).toBe(true);
    await mark();
  }
  await rename("A page");
  expect(await isArchiveChanged(sql, folder)).toBe(false);
});

test("the person who scheduled a post is named with the name of that day", async () => {
  await owner.rpc("set_my_name", { name: "Olive Owner" }).throwOnError();
  const post = {
    ...{ id: randomUUID(), slug: randomUUID(), title: "Later", tagline: "", category: "Later" },
    ...{ author: "Ada", content: [{ type: "paragraph", text: "Later." }], alt: "" },
    ...{ image_url: "/images/posts/old-oak.svg", related_services: [] },
    published_date: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const args = { post: JSON.stringify(post), seen_version: null, draft_version: null };
  await owner.rpc("schedule_post", args).throwOnError();
  await owner.rpc("set_my_name", { name: "Somebody Else" }).throwOnError();
  await sql`update scheduled_posts set published_date = now() where id = ${post.id}`;
  const changes = async () => {
    const { data } = await owner
      .rpc("archive_changes", { ...always, first: 0, count: 500 })
      .throwOnError();
    return data.filter(({ item }: { item: string }) => item === post.id);
  };
  const by = { by_name: "Olive Owner", by_email: project.owner.email };
  await expect.poll(changes).toMatchObject([
    { event: "scheduled", ...by },
    { event: "published", ...by },
  ]);
});
