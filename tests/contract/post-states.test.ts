// Drafts, scheduled, published and deleted posts: what the database shows to whom, the job that publishes, the history
// and the images of deleted posts.
import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Sql } from "../../backend/database.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

const gif = Buffer.from("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==", "base64");
const hour = 3_600_000;

let project: Project;
let owner: SupabaseClient;
let visitor: SupabaseClient;
let admin: SupabaseClient;
/** The embedded backend's database: only there can a test change times. */
let sql: Sql;

beforeAll(async () => {
  project = await startProject({ jobIntervals: { duePosts: 50 } });
  sql = connect(project.backend?.databaseUrl ?? "", 2);
  owner = openClient(project) as SupabaseClient;
  const { error } = await owner.auth.signInWithPassword(project.owner);
  if (error) throw error;
  visitor = openClient(project) as SupabaseClient;
  admin = createClient(project.url, project.secretKey, { auth: { persistSession: false } });
});

afterAll(async () => {
  await sql.end();
  await project.stop();
});

function newPost(changes: Record<string, unknown> = {}) {
  const id = randomUUID();
  return {
    ...{ id, slug: id, title: "Naming a guardian", tagline: "Who and how", category: "Family" },
    ...{ author: "Ada", content: [{ type: "paragraph", text: "Ask first." }], alt: "Two chairs" },
    ...{ image_url: "/images/posts/old-oak.svg", related_services: [] },
    ...changes,
  };
}

function later(milliseconds = hour): string {
  return new Date(Date.now() + milliseconds).toISOString();
}

async function schedule(changes: Record<string, unknown> = {}) {
  const post = newPost(changes);
  await owner
    .from("scheduled_posts")
    .insert({ ...post, published_date: later() })
    .throwOnError();
  return post;
}

/** Lets the time of a scheduled post come; the job's timer does the rest. */
async function makeDue(id: string): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await transaction`
      update scheduled_posts set published_date = now() - interval '1 second',
        created_at = now() - interval '1 second' where id = ${id}`;
  });
  await expect
    .poll(async () => sql`select from scheduled_posts where id = ${id}`, { timeout: 10_000 })
    .toHaveLength(0);
}

async function publishedPost(id: string) {
  const { data } = await visitor.from("posts").select("*").eq("id", id).maybeSingle();
  return data;
}

async function eventsOf(id: string): Promise<string[]> {
  const { data } = await owner
    .from("post_versions")
    .select("event")
    .eq("post_id", id)
    .order("id")
    .throwOnError();
  return data.map(({ event }: { event: string }) => event);
}

async function storeImage(): Promise<{ name: string; url: string }> {
  const name = `public/${randomUUID()}.gif`;
  const images = owner.storage.from("images");
  const { error } = await images.upload(name, gif, { contentType: "image/gif" });
  expect(error).toBeNull();
  return { name, url: images.getPublicUrl(name).data.publicUrl };
}

async function statusOf(url: string): Promise<number> {
  return (await fetch(url, { method: "HEAD" })).status;
}

test("a draft may be incomplete, and only the people who write posts see it", async () => {
  const id = randomUUID();
  await owner.from("post_drafts").insert({ id, text: "## Unfinished **" }).throwOnError();
  expect((await visitor.from("post_drafts").select("*").eq("id", id)).data ?? []).toEqual([]);
  expect((await owner.from("post_drafts").select("text").eq("id", id)).data).toEqual([
    { text: "## Unfinished **" },
  ]);
});

test("a save that names an outdated version of a draft changes nothing", async () => {
  const id = randomUUID();
  const { data: first } = await owner
    .from("post_drafts")
    .insert({ id, title: "One" })
    .select("updated_at")
    .single()
    .throwOnError();
  const save = (title: string) =>
    owner
      .from("post_drafts")
      .update({ title })
      .eq("id", id)
      .eq("updated_at", first.updated_at)
      .select("title");
  expect((await save("Two")).data).toEqual([{ title: "Two" }]);
  expect((await save("Three")).data).toEqual([]);
});

test("a scheduled post is published at its time, as new as that time", async () => {
  const post = await schedule();
  expect(await publishedPost(post.id)).toBeNull();
  await makeDue(post.id);
  const published = await publishedPost(post.id);
  expect(published).toMatchObject({ ...post });
  expect(published.created_at).toBe(published.published_date);
  expect(Date.parse(published.published_date)).toBeLessThanOrEqual(Date.now());
  expect(await eventsOf(post.id)).toEqual(["scheduled", "published"]);
});

test("visitors receive a realtime event when a scheduled post is published, and none before", async () => {
  const events: string[] = [];
  const subscribe = (table: string) =>
    new Promise<string>((resolve) => {
      visitor
        .channel(`realtime ${table}`)
        .on("postgres_changes", { event: "*", schema: "public", table }, (change) => {
          events.push(`${table} ${change.eventType}`);
        })
        .subscribe((status) => resolve(status));
    });
  expect(await subscribe("posts")).toBe("SUBSCRIBED");
  for (const table of ["scheduled_posts", "post_drafts", "post_versions"]) await subscribe(table);
  const post = await schedule();
  await owner.from("post_drafts").insert({ id: randomUUID(), title: "Hidden" }).throwOnError();
  await makeDue(post.id);
  await expect.poll(() => events, { timeout: 10_000 }).toEqual(["posts INSERT"]);
  await visitor.removeAllChannels();
});

test("a scheduled post whose slug was taken meanwhile gets the next free one", async () => {
  const slug = `taken-${randomUUID()}`;
  const post = await schedule({ slug });
  await owner.from("posts").insert(newPost({ slug })).throwOnError();
  await makeDue(post.id);
  expect((await publishedPost(post.id))?.slug).toBe(`${slug}-1`);
});

test("a draft with changes to a scheduled post continues on the published one without a conflict", async () => {
  const post = await schedule();
  const { data: scheduled } = await owner
    .from("scheduled_posts")
    .select("updated_at")
    .eq("id", post.id)
    .single()
    .throwOnError();
  const { data: draft } = await owner
    .from("post_drafts")
    .insert({ id: post.id, title: "Changed", base_version: scheduled.updated_at })
    .select("updated_at")
    .single()
    .throwOnError();
  await makeDue(post.id);
  const { data: after } = await owner
    .from("post_drafts")
    .select("base_version, updated_at")
    .eq("id", post.id)
    .single()
    .throwOnError();
  expect(after.base_version).toBe((await publishedPost(post.id))?.updated_at);
  expect(after.updated_at).toBe(draft.updated_at);
});

test.each([
  ["a time in the past", { published_date: later(-hour) }, "in the past"],
  ["no image", { published_date: later(), image_url: null }, "needs an image"],
  ["no text", { published_date: later(), content: [] }, "needs an image and a text"],
  ["no title", { published_date: later(), title: " " }, "posts_title_length"],
  [
    "an address that runs a script",
    { published_date: later(), image_url: "javascript:alert(1)" },
    "posts_image_url_scheme",
  ],
])("the database rejects a schedule with %s", async (_what, changes, message) => {
  const { error } = await owner.from("scheduled_posts").insert(newPost(changes));
  expect(error?.code).toBe("23514");
  expect(error?.message).toContain(message);
});

test("a published post cannot be scheduled", async () => {
  const post = newPost();
  await owner.from("posts").insert(post).throwOnError();
  const { error } = await owner
    .from("scheduled_posts")
    .insert({ ...post, published_date: later() });
  expect(error?.message).toContain("published already");
});

test("an unscheduled post is a draft again, and a draft of changes to it stays", async () => {
  const [plain, changed] = [await schedule(), await schedule()];
  await owner.from("post_drafts").insert({ id: changed.id, title: "Newer" }).throwOnError();
  for (const { id } of [plain, changed]) {
    expect((await owner.rpc("unschedule_post", { post_id: id })).data).toBe(true);
    expect((await owner.rpc("unschedule_post", { post_id: id })).data).toBe(false);
  }
  const { data } = await owner.from("post_drafts").select("title").eq("id", plain.id);
  expect(data).toEqual([{ title: plain.title }]);
  expect((await owner.from("post_drafts").select("title").eq("id", changed.id)).data).toEqual([
    { title: "Newer" },
  ]);
});

test("the history has every saved version once, with its author", async () => {
  const post = newPost();
  await owner.from("post_drafts").insert({ id: post.id, title: "Draft" }).throwOnError();
  await owner.rpc("save_draft_version", { draft_id: post.id }).throwOnError();
  await owner.rpc("save_draft_version", { draft_id: post.id }).throwOnError();
  await owner.from("posts").insert(post).throwOnError();
  const touch = { updated_at: later(0) };
  await owner.from("posts").update(touch).eq("id", post.id).throwOnError();
  await owner.from("posts").update({ title: "Second" }).eq("id", post.id).throwOnError();
  await owner.from("posts").delete().eq("id", post.id).throwOnError();
  expect(await eventsOf(post.id)).toEqual(["draft", "published", "published", "deleted"]);
  const { data: versions } = await owner
    .from("post_versions")
    .select("saved_by, document")
    .eq("post_id", post.id)
    .order("id")
    .throwOnError();
  const userId = (await owner.auth.getUser()).data.user?.id;
  expect(versions.map(({ saved_by }) => saved_by)).toEqual(versions.map(() => userId));
  expect(versions.map(({ document }) => document.title)).toEqual([
    "Draft",
    post.title,
    "Second",
    "Second",
  ]);
});

test("no account of the site can add, change or remove a version", async () => {
  const post = newPost();
  await owner.from("posts").insert(post).throwOnError();
  const versions = owner.from("post_versions");
  const attempts = [
    versions.insert({ post_id: post.id, event: "draft", document: {} }),
    versions.update({ event: "draft" }).eq("post_id", post.id),
    versions.delete().eq("post_id", post.id),
  ];
  for (const attempt of attempts) expect((await attempt).error?.code).toBe("42501");
  expect(await eventsOf(post.id)).toEqual(["published"]);
});

test("a deleted post is restored as a draft; published again, its former addresses lead to it", async () => {
  const post = newPost();
  await owner.from("posts").insert(post).throwOnError();
  const slug = `new-${post.slug}`;
  await owner.from("posts").update({ slug }).eq("id", post.id).throwOnError();
  await owner.from("posts").delete().eq("id", post.id).throwOnError();
  const restore = () => owner.rpc("restore_deleted_post", { deleted_id: post.id });
  expect((await restore()).data).toBe(true);
  expect((await restore()).data).toBe(false);

  expect(await publishedPost(post.id)).toBeNull();
  const { data: draft } = await owner.from("post_drafts").select("*").eq("id", post.id).single();
  const { title, author, category, content, image_url } = post;
  expect(draft).toMatchObject({ title, author, category, content, image_url, slug });
  expect(draft?.base_version).toBeNull();
  expect(await eventsOf(post.id)).toEqual(["published", "published", "deleted", "draft"]);

  await owner
    .from("posts")
    .insert({ ...post, slug: `newer-${post.slug}` })
    .throwOnError();
  const former = await visitor.from("post_slugs").select("slug").eq("post_id", post.id);
  expect(former.data?.map((row) => row.slug).toSorted()).toEqual([slug, post.slug].toSorted());
});

test("an address that another post took while the post was deleted stays with the other", async () => {
  const post = newPost();
  await owner.from("posts").insert(post).throwOnError();
  await owner.from("posts").delete().eq("id", post.id).throwOnError();
  await owner
    .from("posts")
    .insert(newPost({ slug: post.slug }))
    .throwOnError();
  await owner.rpc("restore_deleted_post", { deleted_id: post.id }).throwOnError();
  await owner
    .from("posts")
    .insert({ ...post, slug: `other-${post.slug}` })
    .throwOnError();
  const former = await visitor.from("post_slugs").select("slug").eq("post_id", post.id);
  expect(former.data).toEqual([]);
});

test("a post can be restored for 30 days", async () => {
  const post = newPost();
  await owner.from("posts").insert(post).throwOnError();
  await owner.from("posts").delete().eq("id", post.id).throwOnError();
  await sql`update post_versions set saved_at = now() - interval '30 days' where post_id = ${post.id}`;
  expect((await owner.rpc("restore_deleted_post", { deleted_id: post.id })).data).toBe(false);
});

test("a discarded draft of a new post can be restored; one that changed elsewhere is not discarded", async () => {
  const id = randomUUID();
  const { data: draft } = await owner
    .from("post_drafts")
    .insert({ id, title: "Kept", content: [{ type: "paragraph", text: "Typed" }] })
    .select("updated_at")
    .single()
    .throwOnError();
  const discard = (seen_version: string) =>
    owner.rpc("discard_draft", { draft_id: id, seen_version });
  expect((await discard(later())).data).toBe(false);
  expect((await discard(draft.updated_at)).data).toBe(true);
  const restored = await owner.rpc("restore_deleted_post", { deleted_id: id });
  expect(restored.data).toBe(true);
  const { data } = await owner.from("post_drafts").select("title, content").eq("id", id);
  expect(data).toEqual([{ title: "Kept", content: [{ type: "paragraph", text: "Typed" }] }]);
});

async function startDraft(id: string = randomUUID()): Promise<{ id: string; updated_at: string }> {
  const { data } = await owner
    .from("post_drafts")
    .insert({ id, title: "Draft" })
    .select("id, updated_at")
    .single()
    .throwOnError();
  return data;
}

async function createLink(post_id: string, client = owner) {
  const { data } = await client
    .from("post_previews")
    .insert({ post_id })
    .select("token, expires_at")
    .single()
    .throwOnError();
  return data;
}

async function preview(token: string) {
  const { data } = await visitor.rpc("get_post_preview", { preview_token: token }).throwOnError();
  return data;
}

test("a preview link shows the draft, then the scheduled post, and ends when it is published", async () => {
  const post = newPost();
  await startDraft(post.id);
  const { token, expires_at } = await createLink(post.id);
  expect(Date.parse(expires_at) - Date.now()).toBeCloseTo(14 * 24 * hour, -6);
  expect(await preview(token)).toMatchObject({ state: "draft", post: { title: "Draft" } });

  const reschedule = () =>
    owner
      .from("scheduled_posts")
      .insert({ ...post, published_date: later() })
      .throwOnError();
  await reschedule();
  await owner.from("post_drafts").delete().eq("id", post.id).throwOnError();
  expect(await preview(token)).toMatchObject({ state: "scheduled", post: { title: post.title } });
  await owner.rpc("unschedule_post", { post_id: post.id }).throwOnError();
  expect(await preview(token)).toMatchObject({ state: "draft", post: { title: post.title } });
  await reschedule();
  await makeDue(post.id);
  // A draft of changes to the scheduled post is not published with it.
  expect(await preview(token)).toBeNull();
});

test.each<[string, (draft: { id: string; updated_at: string }, token: string) => unknown]>([
  [
    "it is revoked",
    (_draft, token) => owner.from("post_previews").delete().eq("token", token).throwOnError(),
  ],
  [
    "14 days passed",
    (_draft, token) => sql`update post_previews set expires_at = now() where token = ${token}`,
  ],
  [
    "the draft is discarded",
    ({ id, updated_at }) =>
      owner.rpc("discard_draft", { draft_id: id, seen_version: updated_at }).throwOnError(),
  ],
  ["the draft is deleted", ({ id }) => owner.from("post_drafts").delete().eq("id", id)],
  [
    "the post is published, although its draft is still there",
    ({ id }) => owner.from("posts").insert(newPost({ id })).throwOnError(),
  ],
])("a preview link ends when %s, also for a later draft of the post", async (_what, end) => {
  const draft = await startDraft();
  const { token } = await createLink(draft.id);
  expect(await preview(token)).not.toBeNull();
  await end(draft, token);
  expect(await preview(token)).toBeNull();
  await owner.from("post_drafts").upsert({ id: draft.id, title: "Later" }).throwOnError();
  expect(await preview(token)).toBeNull();
});

test("a preview link of changes to a published post ends when they are published", async () => {
  const post = newPost();
  await owner.from("posts").insert(post).throwOnError();
  await startDraft(post.id);
  const { token } = await createLink(post.id);
  expect(await preview(token)).toMatchObject({ state: "draft" });
  await owner.from("posts").update({ title: "Changed" }).eq("id", post.id).throwOnError();
  expect(await preview(token)).toBeNull();
});

test.each<[string, (id: string) => PromiseLike<{ error: unknown }>]>([
  ["removed", (id) => owner.rpc("remove_person", { id })],
  ["made an assistant", (id) => owner.rpc("set_person", { id, role: "assistant", name: "Ada" })],
  ["made an owner", (id) => owner.rpc("set_person", { id, role: "owner", name: "Ada" })],
])("the preview links of an editor end when the editor is %s", async (_what, change) => {
  const account = await project.createStranger();
  await admin.rpc("add_person", { email: account.email, role: "editor", name: "Ada" });
  const editor = openClient(project) as SupabaseClient;
  const { data } = await editor.auth.signInWithPassword(account);
  const [own, other] = [await startDraft(), await startDraft()];
  const [ended, kept] = [await createLink(own.id, editor), await createLink(other.id)];
  expect((await change(data.user?.id ?? "")).error).toBeNull();
  expect(await preview(ended.token)).toBeNull();
  expect(await preview(kept.token)).not.toBeNull();
});

test("a preview link cannot be created in advance, nor for a published post", async () => {
  const post = newPost();
  await owner.from("posts").insert(post).throwOnError();
  for (const post_id of [randomUUID(), post.id]) {
    const { error } = await owner.from("post_previews").insert({ post_id });
    expect(error?.code).toBe("23503");
  }
});

test("scheduled posts that cannot be published are set aside, and the others are published", async () => {
  const title = `Fails ${randomUUID()}`;
  await sql.unsafe(`alter table posts add constraint fails check (title <> '${title}') not valid`);
  const failing = Array.from({ length: 100 }, () => newPost({ title }));
  await owner
    .from("scheduled_posts")
    .insert(failing.map((post) => ({ ...post, published_date: later() })))
    .throwOnError();
  const ids = failing.map(({ id }) => id);
  const past = sql`now() - interval '1 day'`;
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await transaction`
      update scheduled_posts set published_date = ${past}, created_at = ${past} where id in ${sql(ids)}`;
  });
  const good = await schedule();
  await makeDue(good.id);
  expect(await publishedPost(good.id)).not.toBeNull();

  const [id = ""] = ids;
  const listed = async () => {
    const { data } = await owner
      .rpc("search_managed_posts", {
        ...{ query: title, filter: "scheduled", month: "", time_zone: "UTC", first: 0, count: 200 },
      })
      .throwOnError();
    return data.rows;
  };
  await expect
    .poll(async () => (await listed()).filter((row: { failure: unknown }) => row.failure).length)
    .toBe(100);
  expect((await listed())[0].failure).toContain("fails");
  expect(await eventsOf(id)).toEqual(["scheduled"]);

  // Another time clears the failure; otherwise it is tried again after an hour.
  await owner
    .from("scheduled_posts")
    .update({ published_date: later() })
    .eq("id", id)
    .throwOnError();
  expect(await sql`select failure, retry_at from scheduled_posts where id = ${id}`).toMatchObject([
    { failure: null, retry_at: null },
  ]);
  await sql.unsafe("alter table posts drop constraint fails");
  await sql`update scheduled_posts set retry_at = now() - interval '1 second' where retry_at > now()`;
  await expect.poll(async () => (await listed()).length, { timeout: 20_000 }).toBe(1);
});

test("images of drafts, of scheduled posts and inside a text are in use", async () => {
  const images = await Promise.all(Array.from({ length: 4 }, storeImage));
  const [draft, inDraft, scheduled, inText] = images;
  const block = (url = "") => [{ type: "image", src: url, alt: "", width: 1, height: 1 }];
  await owner
    .from("post_drafts")
    .insert({ id: randomUUID(), image_url: draft?.url, content: block(inDraft?.url) })
    .throwOnError();
  await schedule({ image_url: scheduled?.url });
  await owner
    .from("posts")
    .insert(newPost({ content: block(`${inText?.url}?t=1`) }))
    .throwOnError();
  const { data } = await owner.storage.from("images").remove(images.map(({ name }) => name));
  expect(data).toEqual([]);
});

test("the image of a deleted post leaves the public bucket, can come back, and is removed after 30 days", async () => {
  const { name, url } = await storeImage();
  const to = { destinationBucket: "deleted-images" };
  const [images, deleted] = [owner.storage.from("images"), owner.storage.from("deleted-images")];
  const post = newPost({ image_url: url });
  await owner.from("posts").insert(post).throwOnError();
  expect((await images.move(name, name, to)).error).not.toBeNull();
  expect(await statusOf(url)).toBe(200);

  await owner.from("posts").delete().eq("id", post.id).throwOnError();
  expect((await visitor.storage.from("images").move(name, name, to)).error).not.toBeNull();
  expect((await images.move(name, name, to)).error).toBeNull();
  expect(await statusOf(url)).toBe(404);
  expect(await statusOf(deleted.getPublicUrl(name).data.publicUrl)).toBe(404);
  expect((await visitor.storage.from("deleted-images").download(name)).error).not.toBeNull();
  expect((await deleted.download(name)).data?.size).toBe(gif.length);
  expect((await deleted.remove([name])).data).toEqual([]);

  expect((await deleted.move(name, name, { destinationBucket: "images" })).error).toBeNull();
  expect(await statusOf(url)).toBe(200);

  await images.move(name, name, to);
  await sql`update storage.objects set updated_at = now() - interval '30 days' where name = ${name}`;
  await sql`update post_versions set saved_at = now() - interval '30 days' where post_id = ${post.id}`;
  expect((await admin.functions.invoke("remove-unused-images", { body: "" })).error).toBeNull();
  expect(await sql`select from storage.objects where name = ${name}`).toHaveLength(0);
});

test("the list of posts has every state once, with counts, a search and months", async () => {
  const word = randomUUID().slice(0, 8);
  const title = `Éstate ${word}`;
  const search = async (filter: string, query = `estate ${word}`, month = "") => {
    const { data } = await owner
      .rpc("search_managed_posts", {
        ...{ query, filter, month, time_zone: "America/Los_Angeles", first: 0, count: 20 },
      })
      .throwOnError();
    return data;
  };
  const states = async (filter: string) =>
    (await search(filter)).rows.map(({ state }: { state: string }) => state);
  const published = newPost({ title, published_date: "2026-03-01T04:00:00Z" });
  await owner.from("posts").insert(published).throwOnError();
  await owner.from("post_drafts").insert({ id: published.id, title }).throwOnError();
  const draft = { id: randomUUID(), title };
  await owner.from("post_drafts").insert(draft).throwOnError();
  await schedule({ title });
  const deleted = newPost({ title });
  await owner.from("posts").insert(deleted).throwOnError();
  await owner.from("posts").delete().eq("id", deleted.id).throwOnError();

  expect((await search("all")).counts).toEqual({
    ...{ all: 3, published: 1, draft: 2, scheduled: 1, deleted: 1 },
  });
  expect(await states("all")).toEqual(["scheduled", "draft", "published"]);
  expect(await states("draft")).toEqual(["draft", "published"]);
  expect(await states("deleted")).toEqual(["deleted"]);
  const [row] = (await search("published")).rows;
  expect(row).toMatchObject({ id: published.id, title, has_draft: true });
  // February in the site's time zone.
  expect((await search("published")).months).toEqual(["2026-02"]);
  expect((await search("all", `estate ${word}`, "2026-02")).rows).toHaveLength(1);
  expect((await search("all", `estate ${word} %`)).rows).toEqual([]);

  await owner.rpc("restore_deleted_post", { deleted_id: deleted.id }).throwOnError();
  expect((await search("all")).counts).toMatchObject({ published: 1, draft: 3, all: 4 });
  expect(
    (
      await visitor.rpc("search_managed_posts", {
        ...{ query: "", filter: "all", month: "", time_zone: "UTC", first: 0, count: 1 },
      })
    ).error?.code,
  ).toBe("42501");
});
