// Removing all sample content in one step.
import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { defaultSettings } from "../../app/config/site.ts";
import { readSamples, removeSamples } from "../../app/manage/samples/samples.ts";
import type { Database } from "../../app/supabase/database.ts";
import { publishSettings, saveSettings } from "../other-firm.ts";
import { restoring } from "../post-calls.ts";
import { openClient, setUpProject } from "../start-project.ts";

const firstPost = "b1a9e6d0-3c52-4f7e-9a10-000000000001";
const shown = defaultSettings.testimonials;

const { project, sql, owner } = await setUpProject();

async function testimonialSettings() {
  return [
    ...(await sql`select document from public.site_settings where section = 'testimonials'`),
  ].map(({ document }) => document);
}

test("the secret key neither counts nor removes the samples", async () => {
  const admin = createClient<Database>(project.url, project.secretKey);
  await expect(readSamples(admin)).rejects.toMatchObject({ code: "42501" });
  await expect(removeSamples(admin, shown, { includeEdited: true })).rejects.toMatchObject({
    code: "42501",
  });
});

test("at a public address visitors see sample posts in a demonstration only, and those that the owner edited", async () => {
  const visitor = openClient(project);
  const slugs = async (client = visitor) => {
    const { data } = await client.from("posts").select("slug").throwOnError();
    const found = await client
      .rpc("search_posts", { query: "insurance", first: 0, count: 100 })
      .throwOnError();
    const { data: categories } = await client.rpc("list_post_categories").throwOnError();
    const isEqual = categories.reduce((sum, { posts }) => sum + (posts ?? 0), 0) === data.length;
    expect(isEqual).toBe(true);
    return [data.length, found.data.length > 0];
  };
  expect(await slugs()).toEqual([8, true]);
  await sql`delete from private.local_site`;
  expect(await slugs()).toEqual([0, false]);
  expect(await slugs(owner)).toEqual([8, true]);
  await sql`update public.posts set updated_at = now() where id = ${firstPost}`;
  expect((await slugs())[0]).toBe(1);
  await sql`update public.posts set updated_at = created_at where id = ${firstPost}`;
  await sql`
    insert into public.site_settings (section, document, version)
      values ('testimonials', ${sql.json({ ...shown, demonstration: true })}, 1)`;
  expect(await slugs()).toEqual([8, true]);
  await sql`delete from public.site_settings where section = 'testimonials'`;
  await sql`insert into private.local_site default values`;
});

test("samples go, and what people wrote stays: posts, an edited sample, a review", async () => {
  const [removed, hidden] = [
    "c7d3f2a4-81be-4d05-8e20-000000000001",
    "c7d3f2a4-81be-4d05-8e20-000000000002",
  ];
  await sql`delete from public.testimonials where id = ${removed}`;
  const id = randomUUID();
  const review = { id, name: "Ada", content: "Clear and kind.", rating: 5 };
  expect((await openClient(project).from("testimonials").insert(review)).error).toBeNull();
  const refusal = { approved_at: null, refused_at: "2026-01-01", refusal_reason: "false" };
  await owner.from("testimonials").update(refusal).eq("id", hidden).throwOnError();
  await owner.from("posts").insert({ slug: "mine", title: "Mine", category: "A", author: "A" });
  const edit = { title: "My title", updated_at: new Date().toISOString() };
  await owner.from("posts").update(edit).eq("id", firstPost);
  const titles = async () =>
    (await sql`select title from public.posts order by title`).map(({ title }) => title);

  const before = { posts: 8, edited_posts: 1, testimonials: 6, shows_samples: null };
  expect(await readSamples(owner)).toEqual(before);
  const after = { posts: 1, edited_posts: 1, testimonials: 0, shows_samples: false };
  expect(await removeSamples(owner, shown)).toEqual(after);
  expect(await titles()).toEqual(["Mine", "My title"]);
  expect([...(await sql`select id from public.testimonials`)]).toEqual([{ id }]);
  expect(await testimonialSettings()).toEqual([{ lead: shown.lead, samples: false }]);

  expect(await removeSamples(owner, shown, { includeEdited: true })).toMatchObject({ posts: 0 });
  expect(await titles()).toEqual(["Mine"]);
  const [deleted] = await sql`
    select max(number)::int as number from public.versions where thing = ${firstPost}`;
  await owner.rpc("restore", restoring(deleted?.number)).throwOnError();
  expect((await owner.from("drafts").select("thing, document")).data).toEqual([
    { thing: firstPost, document: expect.objectContaining({ title: "My title" }) },
  ]);
});

test("the sample posts can be kept as drafts of the adviser's own", async () => {
  await sql`update public.posts set is_sample = true where slug = 'mine'`;
  await publishSettings(owner, { adviser: { name: "Grace Hopper" } });
  await removeSamples(owner, shown, { includeEdited: true, keepPosts: true });
  const drafts = owner.from("drafts").select("thing, document, saved_at").eq("kind", "post");
  const [kept] = (await drafts.throwOnError()).data.filter(({ thing }) => thing !== firstPost);
  expect(kept?.document).toMatchObject({ slug: "mine", title: "Mine", author: "Grace Hopper" });
  // Publishing it makes a post that is no sample.
  const id = kept?.thing ?? "";
  const changes = [{ kind: "post", thing: id, draft: kept?.saved_at }];
  await owner.rpc("publish", { changes: JSON.stringify(changes) }).throwOnError();
  expect([...(await sql`select is_sample, author from public.posts where id = ${id}`)]).toEqual([
    { is_sample: false, author: "Grace Hopper" },
  ]);
  await sql`delete from public.drafts`;
  await sql`delete from public.site_settings`;
});

test("published settings and drafts keep everything but the samples", async () => {
  const document = { lead: "In their words", samples: true, approveFirst: true };
  await publishSettings(owner, { testimonials: document });
  // A draft that is open in another window must not bring the samples back.
  await saveSettings(owner, { testimonials: document });
  await removeSamples(owner, shown);
  expect(await testimonialSettings()).toEqual([{ ...document, samples: false }]);
  const drafts = owner.from("drafts").select("document").eq("kind", "section");
  const { data } = await drafts.single();
  expect(data?.document).toEqual({ ...document, samples: false });
});

test("whether there are posts and testimonials of clients is public, and follows the first and the last", async () => {
  const visitor = openClient(project);
  const content = async () => {
    const rows = visitor.from("public_site_settings").select("document, version");
    return (await rows.eq("section", "content").single().throwOnError()).data;
  };
  await sql`delete from public.posts`;
  await sql`delete from public.testimonials`;
  const empty = await content();
  expect(empty?.document).toEqual({ posts: false, testimonials: false });
  const row = { name: "Ada", content: "Clear and kind.", rating: 5 };
  const waiting = randomUUID();
  await sql`insert into public.testimonials ${sql({ ...row, id: randomUUID(), is_sample: true })}`;
  await sql`insert into public.testimonials ${sql({ ...row, id: waiting })}`;
  await sql`update public.testimonials set approved_at = null where id = ${waiting}`;
  expect((await content())?.document).toEqual({ posts: false, testimonials: false });

  const approved = { approved_at: new Date().toISOString() };
  await owner.from("testimonials").update(approved).eq("id", waiting).throwOnError();
  await owner.from("posts").insert({ slug: "first", title: "A", category: "A", author: "A" });
  const filled = await content();
  expect(filled?.document).toEqual({ posts: true, testimonials: true });
  // Open windows compare the version, which grows once a section was published.
  expect(filled?.version).toBeGreaterThan(empty?.version ?? Number.NaN);
  await owner.from("posts").insert({ slug: "second", title: "B", category: "A", author: "A" });
  expect(await content()).toEqual(filled);
  // Publishing settings keeps the row.
  await publishSettings(owner, { site: {} });
  await owner.from("posts").delete().eq("slug", "first").throwOnError();
  expect(await content()).toEqual(filled);
  await owner.from("posts").delete().eq("slug", "second").throwOnError();
  expect((await content())?.document).toEqual({ posts: false, testimonials: true });
});
