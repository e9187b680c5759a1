// Removing all sample content in one step, and putting it back.
import { createClient } from "@supabase/supabase-js";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { defaultSettings } from "../../app/config/site.ts";
import { readSamples, removeSamples, restoreSamples } from "../../app/manage/samples/samples.ts";
import type { Database } from "../../app/supabase/database.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

const firstPost = "b1a9e6d0-3c52-4f7e-9a10-000000000001";
const current = defaultSettings.testimonials;

let project: Project;
let sql: postgres.Sql;
let owner: ReturnType<typeof openClient>;

beforeAll(async () => {
  project = await startProject();
  if (!project.backend) throw new Error("These tests need the embedded backend");
  sql = postgres(project.backend.databaseUrl, { max: 1 });
  owner = openClient(project);
  await owner.auth.signInWithPassword(project.owner);
});

beforeEach(async () => {
  await restoreSamples(owner);
});

afterAll(async () => {
  await sql?.end();
  await project?.stop();
});

async function content() {
  return Promise.all([
    sql`select to_jsonb(post) as row from public.posts as post order by id`,
    sql`select to_jsonb(review) as row from public.testimonials as review order by id`,
    sql`select slug, post_id from public.post_slugs order by slug`,
    sql`select section, document from public.site_settings order by section`,
  ]);
}

test("the samples are removed and come back exactly as they were", async () => {
  const before = await content();
  expect(before.map((rows) => rows.length)).toEqual([8, 7, 0, 0]);
  const removed = await removeSamples(owner, current);
  expect(removed).toMatchObject({ posts: 0, editedPosts: 0, testimonials: 0, removed: 15 });
  expect(removed.showsSamples).toBe(false);
  const [posts, testimonials, , settings] = await content();
  expect([posts, testimonials]).toEqual([[], []]);
  expect([...settings]).toEqual([
    { section: "testimonials", document: { lead: current.lead, samples: false } },
  ]);
  const { data } = await owner.from("site_settings_versions").select("section, document");
  expect(data).toEqual([
    { section: "testimonials", document: { lead: current.lead, samples: false } },
  ]);

  const restored = await restoreSamples(owner);
  expect(restored).toEqual({
    ...{ posts: 8, editedPosts: 0, testimonials: 7, removed: 0 },
    showsSamples: null,
    removedAt: null,
  });
  expect(await content()).toEqual(before);
});

test("what the owner wrote and an edited sample stay, unless edited ones are included", async () => {
  const own = { slug: "mine", title: "Mine", category: "A", author: "A" };
  await owner.from("posts").insert(own);
  const edit = { title: "My title", slug: "my-title", updated_at: new Date().toISOString() };
  await owner.from("posts").update(edit).eq("id", firstPost);
  const titles = async () =>
    (await sql`select title from public.posts order by title`).map(({ title }) => title);

  expect(await readSamples(owner)).toMatchObject({ posts: 8, editedPosts: 1 });
  await removeSamples(owner, current);
  expect(await titles()).toEqual(["Mine", "My title"]);
  await removeSamples(owner, current, true);
  expect(await titles()).toEqual(["Mine"]);
  expect((await restoreSamples(owner)).posts).toBe(8);
  expect(await titles()).toContain("My title");
  const former = await owner.from("post_slugs").select("slug").eq("post_id", firstPost);
  expect(former.data).toEqual([{ slug: "how-much-life-insurance-is-enough" }]);
  await owner.from("posts").delete().eq("slug", "mine");
});

test("a stranger's review with the id of a sample is not one, and a hidden sample stays one", async () => {
  const [id, hidden] = [
    "c7d3f2a4-81be-4d05-8e20-000000000001",
    "c7d3f2a4-81be-4d05-8e20-000000000002",
  ];
  await sql`delete from public.testimonials where id = ${id}`;
  const review = { id, name: "Ada", content: "Clear and kind.", rating: 5 };
  expect((await openClient(project).from("testimonials").insert(review)).error).toBeNull();
  await owner.from("testimonials").update({ approved_at: null }).eq("id", hidden).throwOnError();
  expect(await readSamples(owner)).toMatchObject({ testimonials: 6 });
  await removeSamples(owner, current);
  expect([...(await sql`select id from public.testimonials`)]).toEqual([{ id }]);
  await sql`delete from public.testimonials`;
});

test("settings that were published keep everything but the samples", async () => {
  const document = { lead: "In their words", samples: true, approveFirst: true };
  await owner.from("site_settings_drafts").upsert({ section: "testimonials", document });
  await owner.rpc("publish_settings", { sections: ["testimonials"] });
  // A draft that is open in another window must not bring the samples back.
  await owner.from("site_settings_drafts").upsert({ section: "testimonials", document });
  const published = async () =>
    (await sql`select document from public.site_settings where section = 'testimonials'`)[0]
      ?.document;

  await removeSamples(owner, current);
  expect(await published()).toEqual({ ...document, samples: false });
  const { data } = await owner.from("site_settings_drafts").select("document").single();
  expect(data?.document).toEqual({ ...document, samples: false });
  await restoreSamples(owner);
  expect(await published()).toEqual(document);
});

test("an image of a removed sample stays until the sample cannot come back", async () => {
  const used = async () =>
    (await sql`select private.is_image_used('public/mine.png') as used`)[0]?.used;
  const image_url = `${project.url}/storage/v1/object/public/images/public/mine.png`;
  await owner.from("posts").update({ image_url }).eq("id", firstPost);
  await removeSamples(owner, current, true);
  expect(await used()).toBe(true);
  await sql`update private.removed_samples set removed_at = now() - interval '31 days'`;
  expect(await readSamples(owner)).toMatchObject({ removed: 0, removedAt: null });
  expect((await restoreSamples(owner)).posts).toBe(0);
  expect(await used()).toBe(false);
});

test("only owners count, remove or restore the samples", async () => {
  const stranger = openClient(project);
  await stranger.auth.signInWithPassword(await project.createStranger());
  const assistant = openClient(project);
  const account = await project.createStranger();
  const { data } = await assistant.auth.signInWithPassword(account);
  await sql`insert into private.people (user_id, role) values (${data.user?.id ?? ""}, 'assistant')`;
  const admin = createClient<Database>(project.url, project.secretKey);
  for (const client of [openClient(project), stranger, assistant, admin]) {
    await expect(readSamples(client)).rejects.toMatchObject({ code: "42501" });
    await expect(removeSamples(client, current, true)).rejects.toMatchObject({ code: "42501" });
    await expect(restoreSamples(client)).rejects.toMatchObject({ code: "42501" });
  }
});
