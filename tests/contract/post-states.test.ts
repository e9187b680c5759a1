// Drafts, scheduled, published and deleted posts: which roles see them, the job that publishes, the history and the images
// of deleted posts.
import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { ChangedElsewhereError } from "../../app/manage/describe-failure.ts";
import { kinds } from "../../app/manage/posts/kinds.ts";
import { draftOf, toPostInput } from "../../app/manage/posts/post-schema.ts";
import { discardPostDraft, publishPost, updatePost } from "../../app/manage/posts/stored-posts.ts";
import { schedule as scheduleVersion } from "../../app/manage/versions/content-store.ts";
import type { Client } from "../../app/supabase/client-context.ts";
import { changeHistory } from "../change-history.ts";
import {
  later,
  managedSearch,
  type NewPost,
  newPost,
  restoring,
  saving,
  scheduling,
  storeDraft,
} from "../post-calls.ts";
import { setUpProject } from "../start-project.ts";

const hour = 3_600_000;

const { project, sql, visitor, owner, admin, signInAs } = await setUpProject<SupabaseClient>();

const callSchedule = (post: NewPost, seen?: object) =>
  owner.rpc("schedule", scheduling(post, seen));

async function schedule(changes: Record<string, unknown> = {}) {
  const post = newPost(changes);
  expect(await callSchedule(post)).toMatchObject({ data: expect.any(Number), error: null });
  return post;
}

async function publish(changes: Record<string, unknown> = {}) {
  const post = newPost(changes);
  await owner.from("posts").insert(post).throwOnError();
  return post;
}

function startDraft(id: string = randomUUID(), changes: Record<string, unknown> = {}) {
  return storeDraft(owner, { id, title: "Draft", ...changes });
}

const changeDraft = (id: string, title: string) => startDraft(id, { title });

async function rowOf(table: "posts" | "drafts" | "schedules", id: string) {
  const key = table === "posts" ? "id" : "thing";
  const { data } = await owner.from(table).select("*").eq(key, id).maybeSingle().throwOnError();
  return data?.document ? { ...data.document, ...data } : data;
}

/** @returns the versions of the post, the oldest first */
async function versionsOf(id: string) {
  const { data } = await owner
    .from("versions")
    .select("number, event, by_id, by_name, document")
    .eq("thing", id)
    .order("number")
    .throwOnError();
  return data;
}

async function newestVersion(id: string) {
  return (await versionsOf(id)).at(-1);
}

async function eventsOf(id: string): Promise<string[]> {
  return (await versionsOf(id)).map(({ event }) => event);
}

async function call(name: string, args: object) {
  return (await owner.rpc(name, args).throwOnError()).data;
}

const named = (thing: string) => ({ kind: "post", thing });
const unschedule = (id: string) => call("unschedule", named(id));
const discard = (id: string, replaced: string | null) =>
  call("discard_draft", { ...named(id), replaced });
const restore = (version: number, replaced?: string) =>
  call("restore", restoring(version, replaced));
const restoreDeleted = async (id: string) => restore((await newestVersion(id))?.number);
const searchPosts = (search: object) => call("search_managed_posts", managedSearch(search));

/** Changes a published post, as a save does. */
async function change(id: string, changes: object): Promise<void> {
  await owner.from("posts").update(changes).eq("id", id).throwOnError();
}

async function deletePost(id: string): Promise<void> {
  await owner.from("posts").delete().eq("id", id).throwOnError();
}

/** Makes a scheduled post due, and does what the job's timer does. */
async function makeDue(id: string): Promise<void> {
  await sql`update schedules set at = now() - interval '1 second' where thing = ${id}`;
  // It takes some posts at a time.
  await expect
    .poll(async () => {
      await sql`select private.publish_due()`;
      return rowOf("schedules", id);
    })
    .toBeNull();
}

async function publishedPost(id: string) {
  const { data } = await visitor.from("posts").select("*").eq("id", id).maybeSingle();
  return data;
}

/** The former addresses of a post. */
async function formerSlugs(post_id: string): Promise<string[]> {
  const { data } = await visitor.from("post_slugs").select("slug").eq("post_id", post_id);
  return (data ?? []).map(({ slug }) => slug).toSorted();
}

test.each(["posts", "pages"] as const)(
  "the times of %s are those of the database, whatever a browser's clock says, and each update is a new version",
  async (table) => {
    const times = (created_at: string, updated_at = created_at, published_date = created_at) => ({
      ...{ created_at, updated_at, published_date },
    });
    const row = newPost(table === "pages" ? { category: "", image_url: null } : {});
    const columns = "created_at, updated_at, published_date";
    for (const time of [later(24 * hour), "2001-01-01T00:00:00Z"]) {
      const id = randomUUID();
      const rows = () => owner.from(table);
      const sent = { ...row, id, slug: id, ...times(time) };
      const { data: first } = await rows().insert(sent).select(columns).single().throwOnError();
      expect(Math.abs(Date.parse(first?.created_at) - Date.now())).toBeLessThan(60_000);
      expect(first).toEqual(times(first?.created_at));
      const update = async (changes: object) =>
        (await rows().update(changes).eq("id", id).select(columns).single().throwOnError()).data;
      const second = await update({ title: "Second", ...times(time) });
      expect(second).toEqual({ ...first, updated_at: second?.updated_at });
      const third = await update({ title: "Third", updated_at: second?.updated_at });
      const all = [first, second, third].map((row) => row?.updated_at);
      expect(all).toEqual([...new Set(all)].toSorted());
    }
    // The secret key brings posts of another site with their times.
    const kept = times("2001-01-01T00:00:00+00:00");
    const sent = { ...row, id: randomUUID(), slug: randomUUID(), ...kept };
    const { data } = await admin.from(table).insert(sent).select(columns).single().throwOnError();
    expect(data).toEqual(kept);
  },
);

test("a save names the version that it changes, and succeeds again when its response was lost", async () => {
  const post = await publish();
  const seen = { savedAt: null, version: await publicVersion(post.id) };
  const save = (title: string) =>
    updatePost(owner as Client, postOf(post), seen, inputOf({ ...post, title }));
  for (let attempt = 0; attempt < 2; attempt++) await save("Later");
  expect((await rowOf("posts", post.id))?.title).toBe("Later");
  // Another window's text stays.
  await expect(save("Even later")).rejects.toThrow(ChangedElsewhereError);
  expect((await rowOf("posts", post.id))?.title).toBe("Later");
});

test("a save that names an outdated version changes nothing", async () => {
  const { id } = await publish();
  const first = (await rowOf("posts", id))?.updated_at;
  const save = (title: string) =>
    owner.from("posts").update({ title }).eq("id", id).eq("updated_at", first).select("title");
  expect((await save("Two")).data).toEqual([{ title: "Two" }]);
  expect((await save("Three")).data).toEqual([]);

  const { id: draft, saved_at } = await startDraft();
  const saveDraft = (title: string, replaced: string | null) =>
    call("save_draft", saving({ id: draft, title }, { replaced }));
  const second = await saveDraft("Two", saved_at);
  // The response to the same call was lost.
  expect(await saveDraft("Two", saved_at)).toBe(second);
  for (const outdated of [saved_at, null]) expect(await saveDraft("Three", outdated)).toBeNull();
  expect((await rowOf("drafts", draft))?.title).toBe("Two");
});

test.each([
  [
    "publishing",
    (post: NewPost, draft_version: string) =>
      owner.from("posts").insert({ ...post, draft_version }),
  ],
  [
    "scheduling",
    (post: NewPost, draft_version: string) => callSchedule(post, { draft: draft_version }),
  ],
])("%s ends the draft that it names, unless another window changed it", async (_what, act) => {
  const post = newPost();
  const { saved_at } = await startDraft(post.id);
  await changeDraft(post.id, "Newer");
  expect((await act(post, saved_at)).error?.code).toBe("23P01");
  const newer = await rowOf("drafts", post.id);
  expect(newer?.title).toBe("Newer");
  expect(await rowOf("posts", post.id)).toBeNull();
  expect(await rowOf("schedules", post.id)).toBeNull();

  expect((await act(post, newer?.saved_at)).error).toBeNull();
  expect(await rowOf("drafts", post.id)).toBeNull();
});

test("saving a post ends the draft that it names; other changes of the post leave a draft as it is", async () => {
  const { id } = await publish();
  const { saved_at } = await startDraft(id);
  await change(id, { category: "Other" });
  await changeDraft(id, "Newer");
  const outdated = change(id, { title: "Lost", draft_version: saved_at });
  await expect(outdated).rejects.toMatchObject({ code: "23P01" });
  const draft = await rowOf("drafts", id);
  expect(draft?.title).toBe("Newer");
  // The second call repeats one whose response was lost.
  for (const title of ["Newer", "Newer still"]) {
    const published = { title, draft_version: draft?.saved_at };
    await change(id, published);
    expect(await rowOf("drafts", id)).toBeNull();
    expect(await rowOf("posts", id)).toMatchObject(published);
  }
});

/** A client of the owner. After `lose`, the response to the next write is lost, and reads fail until `repair`. */
async function openFaultyClient() {
  let state: "up" | "losing" | "down" = "up";
  const faulty: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (state === "down") return new Response("{}", { status: 500 });
    if (state === "up" || init?.method === "GET") return response;
    state = "down";
    throw new TypeError("Failed to fetch");
  };
  const client = createClient(project.url, project.anonKey, { global: { fetch: faulty } });
  const { error } = await client.auth.signInWithPassword(project.owner);
  if (error) throw error;
  return {
    client: client as unknown as Client,
    lose: () => {
      state = "losing";
    },
    repair: () => {
      state = "up";
    },
  };
}

const published_date = later();

type Change = (
  client: Client,
  post: NewPost,
  seen: { savedAt: string; version: number | null },
) => Promise<void>;

test.each<[what: string, event: string, change: Change]>([
  [
    "publishing",
    "published",
    async (client, post, seen) => {
      await publishPost(client, postOf(post), seen, inputOf(post), "Ada");
    },
  ],
  [
    "saving",
    "published",
    (client, post, seen) => updatePost(client, postOf(post), seen, inputOf(post)),
  ],
  [
    "scheduling",
    "scheduled",
    (client, { id: thing, ...document }, seen) =>
      scheduleVersion(client, { kind: "post", thing }, document, seen, published_date),
  ],
  [
    "discarding",
    "deleted",
    (client, post, { savedAt }) => discardPostDraft(client, postOf(post), savedAt),
  ],
])("%s again succeeds after the response was lost", async (what, event, change) => {
  const { client, lose, repair } = await openFaultyClient();
  const post = what === "saving" ? await publish() : newPost();
  const version = what === "saving" ? await publicVersion(post.id) : null;
  const { saved_at: savedAt } = await startDraft(post.id);
  const changed = { ...post, title: "Changed" };
  lose();
  await expect(change(client, changed, { savedAt, version })).rejects.toThrow();
  repair();
  await change(client, changed, { savedAt, version });
  expect(await rowOf("drafts", post.id)).toBeNull();
  expect((await eventsOf(post.id)).at(-1)).toBe(event);
});

const postOf = ({ id }: NewPost) => ({ id, kind: kinds.post });
const publicVersion = async (id: string) => (await newestVersion(id))?.number ?? null;

function inputOf(post: NewPost) {
  return toPostInput(draftOf(post), null, kinds.post);
}

test("publishing a scheduled post ends its schedule, and happens once", async () => {
  const post = await schedule();
  await publish(post);
  expect(await rowOf("schedules", post.id)).toBeNull();
  const again = await owner.from("posts").insert({ ...post, title: "Other" });
  expect(again.error?.code).toBe("23505");
  expect((await publishedPost(post.id))?.title).toBe(post.title);
  expect((await callSchedule(post)).data).toBeNull();
});

test("a scheduled post is replaced by a window that has seen it; the same call again changes nothing", async () => {
  const post = newPost({ published_date: later() });
  for (let attempt = 0; attempt < 2; attempt++) {
    expect((await callSchedule(post)).data).toEqual(expect.any(Number));
    expect(await eventsOf(post.id)).toEqual(["scheduled"]);
  }
  const replaced = (await rowOf("schedules", post.id))?.version;
  const changed = { ...post, title: "Changed" };
  expect((await callSchedule(changed)).data).toBeNull();
  expect((await callSchedule(changed, { replaced })).data).toBeGreaterThan(replaced);
  expect((await callSchedule({ ...post, title: "Late" }, { replaced })).data).toBeNull();
  const { version } = await rowOf("schedules", post.id);
  expect(await newestVersion(post.id)).toMatchObject({
    ...{ number: version, document: { title: "Changed" } },
  });
  await unschedule(post.id);
  const unscheduled = await callSchedule({ ...post, title: "Late" }, { replaced });
  expect(unscheduled.data).toBeNull();
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

test("what the job publishes is signed by the last person who scheduled it", async () => {
  const { client: editor, email } = await signInAs("editor", "Ed");
  const post = await schedule({ published_date: later() });
  await unschedule(post.id);
  const draft = (await rowOf("drafts", post.id))?.saved_at;
  await editor.rpc("schedule", scheduling(post, { draft })).throwOnError();
  await editor.rpc("set_my_name", { name: "Somebody else" }).throwOnError();
  await makeDue(post.id);
  const versions = await sql`
    select event, by_name, by_email from versions where thing = ${post.id} order by number`;
  const owned = { by_name: project.owner.email, by_email: project.owner.email };
  expect(versions).toEqual([
    { event: "scheduled", ...owned },
    { event: "scheduled", by_name: "Ed", by_email: email },
    { event: "published", by_name: "Ed", by_email: email },
  ]);
  await admin.from("posts").update({ title: "By the secret key" }).eq("id", post.id).throwOnError();
  expect(await newestVersion(post.id)).toMatchObject({ by_id: null, by_name: null });
});

test("a scheduled post whose slug was taken meanwhile gets the next free one", async () => {
  const slug = `taken-${randomUUID()}`;
  const post = await schedule({ slug });
  await publish({ slug });
  await makeDue(post.id);
  expect((await publishedPost(post.id))?.slug).toBe(`${slug}-1`);
});

test("a draft with changes to a scheduled post continues on the published one without a conflict", async () => {
  const { id } = await schedule();
  const base = (await rowOf("schedules", id))?.version;
  const saved_at = await call("save_draft", saving({ id, title: "Draft" }, { base }));
  await makeDue(id);
  const { number } = (await newestVersion(id)) ?? {};
  expect(number).toBeGreaterThan(base);
  expect(await rowOf("drafts", id)).toMatchObject({ base: number, saved_at });
});

test.each([
  ["a time in the past", { published_date: later(-hour) }, "in the past"],
  ["no image", { image_url: null }, "incomplete"],
  ["no text", { content: [] }, "incomplete"],
  ["no title", { title: " " }, "posts_title_length"],
  ["an address that runs a script", { image_url: "javascript:alert(1)" }, "address of an image"],
])("the database rejects a schedule with %s", async (_what, changes, message) => {
  const { error } = await callSchedule(newPost(changes));
  expect(error?.code).toMatch(/^(23514|PT422)$/);
  expect(error?.message).toContain(message);
});

/** A scheduled post without a draft and one with changes, and the title that each has as a draft. */
async function scheduledWithTitles() {
  const [plain, changed] = [await schedule(), await schedule()];
  await startDraft(changed.id, { title: "Newer" });
  return [
    { id: plain.id, title: plain.title },
    { id: changed.id, title: "Newer" },
  ];
}

test("an unscheduled post is a draft again, and a draft of changes to it stays", async () => {
  for (const { id, title } of await scheduledWithTitles()) {
    expect([await unschedule(id), await unschedule(id)]).toEqual([true, true]);
    expect((await rowOf("drafts", id))?.title).toBe(title);
  }
  const published = await schedule();
  await makeDue(published.id);
  expect(await unschedule(published.id)).toBe(false);
});

test("an unpublished post is a draft with the changes to it, and is published again under its address", async () => {
  const unpublish = (thing: string) => call("unpublish", { thing });
  const [plain, changed] = [await publish(), await publish()];
  const { saved_at } = await storeDraft(owner, { ...changed, title: "Newer" });
  for (const { id } of [plain, changed]) {
    // The response was lost.
    expect([await unpublish(id), await unpublish(id)]).toEqual([true, true]);
    expect(await publishedPost(id)).toBeNull();
    expect(await eventsOf(id)).toEqual(["published", "deleted", "restored"]);
    // It is one of the drafts, and none of the deleted ones.
    expect(await call("undo_deletion", named(id))).toBe(false);
  }
  const { title, content, slug, image_url } = plain;
  expect(await rowOf("drafts", plain.id)).toMatchObject({
    title,
    content,
    slug,
    image_url,
    base: null,
  });
  expect(await rowOf("drafts", changed.id)).toMatchObject({ title: "Newer", base: null, saved_at });
  await publish({ ...plain, draft_version: (await rowOf("drafts", plain.id))?.saved_at });
  expect(await publishedPost(plain.id)).toMatchObject({ title, slug });

  await deletePost(plain.id);
  expect(await unpublish(plain.id)).toBe(false);
  expect(await unpublish(randomUUID())).toBe(false);
});

test("the history has every saved version once, with its author", async () => {
  const post = newPost();
  const { saved_at } = await startDraft(post.id);
  for (const draft_id of [post.id, post.id]) await call("keep_draft", named(draft_id));
  await publish({ ...post, draft_version: saved_at });
  await change(post.id, { updated_at: later(0) });
  await change(post.id, { title: "Second" });
  // The draft of a deleted post is stored before the version of the deletion.
  await startDraft(post.id, { title: "Typed" });
  await deletePost(post.id);
  expect(await rowOf("drafts", post.id)).toBeNull();
  const versions = await versionsOf(post.id);
  const userId = (await owner.auth.getUser()).data.user?.id;
  expect(versions.map(({ by_id }) => by_id)).toEqual(versions.map(() => userId));
  expect(versions.map(({ event, document }) => [event, document.title])).toEqual([
    ["draft", "Draft"],
    ["published", post.title],
    ["published", "Second"],
    ["draft", "Typed"],
    ["deleted", "Second"],
  ]);
});

test("a deleted post is restored as a draft for 30 days; published again, its former addresses lead to it", async () => {
  const post = await publish();
  const slug = `new-${post.slug}`;
  await change(post.id, { slug });
  await deletePost(post.id);
  const id = (await newestVersion(post.id))?.number;
  const age = (days: number) =>
    changeHistory(
      sql,
      (history) => history`
        update versions set at = now() - make_interval(days => ${days}) where number = ${id}`,
    );
  await age(30);
  expect(await restore(id)).toBeNull();
  await age(29);
  const savedAt = await restore(id);

  expect(await publishedPost(post.id)).toBeNull();
  const draft = await rowOf("drafts", post.id);
  const { title, author, category, content, image_url } = post;
  expect(draft).toMatchObject({ title, author, category, content, image_url, slug });
  expect(draft).toMatchObject({ base: null, saved_at: savedAt });
  expect(await eventsOf(post.id)).toEqual(["published", "published", "deleted", "restored"]);
  // The response to the restoration was lost; then the draft is changed, and discarded.
  expect(await restore(id)).toBe(savedAt);
  await changeDraft(post.id, "Newer");
  expect(await restore(id)).toBeNull();
  await discard(post.id, null);
  expect(await restore(id)).toBeNull();

  await publish({ ...post, slug: `newer-${post.slug}` });
  expect(await formerSlugs(post.id)).toEqual([slug, post.slug].toSorted());
});

test("the deletion of a post is undone for 30 days: it is public as it was, at its addresses, and a sample stays one", async () => {
  const undo = (post_id: string) => call("undo_deletion", named(post_id));
  const post = await publish();
  await change(post.id, { slug: `new-${post.slug}` });
  await sql`update posts set is_sample = true where id = ${post.id}`;
  const before = await rowOf("posts", post.id);
  await deletePost(post.id);
  await publish({ slug: before.slug });
  expect(await undo(post.id)).toBe(true);
  expect(await rowOf("posts", post.id)).toEqual({ ...before, slug: `${before.slug}-1` });
  expect(await formerSlugs(post.id)).toEqual([post.slug]);
  // The response was lost.
  expect(await undo(post.id)).toBe(true);

  await deletePost(post.id);
  await restoreDeleted(post.id);
  expect(await undo(post.id)).toBe(false);
  await discard(post.id, null);
  // What was not public before its deletion is not public afterwards.
  expect(await undo(post.id)).toBe(false);
  expect(await undo(randomUUID())).toBe(false);
  expect(await publishedPost(post.id)).toBeNull();
});

test("a deleted post is removed for good, or all samples at once: nothing of it can be restored", async () => {
  const remove = (post_id: string | null) =>
    call("remove_deleted", { kind: "post", thing: post_id });
  const deletedIds = async () =>
    (await searchPosts({ filter: "deleted" })).rows.map(({ id }: { id: string }) => id);
  const [one, sample, kept] = [await publish(), await publish(), await publish()];
  await sql`update posts set is_sample = true where id = ${sample.id}`;
  expect(await remove(one.id)).toBe(0);
  for (const { id } of [one, sample, kept]) await deletePost(id);
  expect(await deletedIds()).toEqual(expect.arrayContaining([one.id, sample.id, kept.id]));

  expect(await remove(one.id)).toBe(1);
  expect(await remove(one.id)).toBe(0);
  expect(await remove(null)).toBe(1);
  const rest = await deletedIds();
  expect(rest).toContain(kept.id);
  expect(rest).not.toContain(one.id);
  expect(rest).not.toContain(sample.id);
  for (const { id } of [one, sample]) {
    for (const version of await versionsOf(id)) expect(await restore(version.number)).toBeNull();
    expect(await call("undo_deletion", named(id))).toBe(false);
    // The archive keeps what was public.
    expect((await eventsOf(id)).slice(-2)).toEqual(["deleted", "removed"]);
  }
});

test("an address that another post took while the post was deleted stays with the other", async () => {
  const post = await publish();
  await deletePost(post.id);
  await publish({ slug: post.slug });
  await publish({ ...post, slug: `other-${post.slug}` });
  expect(await formerSlugs(post.id)).toEqual([]);
});

test("an earlier version replaces the draft that was seen, and no other one", async () => {
  const { id, title } = await publish();
  const version = (await newestVersion(id))?.number;
  const { saved_at } = await startDraft(id, { title: "Typed" });
  expect(await restore(version)).toBeNull();
  const restored = await restore(version, saved_at);
  expect(await rowOf("drafts", id)).toMatchObject({ title, saved_at: restored });
  expect(await restore(version, saved_at)).toBe(restored);
  // What was typed stays in the history.
  expect(await eventsOf(id)).toEqual(["published", "draft", "restored"]);
});

test("a draft is saved for the current version alone, also after a program has published another one", async () => {
  const { id } = await publish();
  const first = await publicVersion(id);
  const { saved_at } = await startDraft(id, { title: "Typed" });
  await change(id, { title: "Published by a program" });
  const save = (base: number | null) =>
    owner.rpc("save_draft", saving({ id, title: "Merged" }, { base, replaced: saved_at }));
  for (const outdated of [first, null]) expect((await save(outdated)).error?.code).toBe("23P01");
  expect(await rowOf("drafts", id)).toMatchObject({ title: "Typed", base: first });
  expect((await save(await publicVersion(id))).error).toBeNull();
});

test("a discarded draft is kept: of a new post to be restored, of a published one in its history", async () => {
  const content = [{ type: "paragraph", text: "Typed" }];
  const { id, saved_at } = await startDraft(undefined, { title: "Kept", content });
  expect(await discard(id, later())).toBeNull();
  expect(await discard(id, saved_at)).toMatchObject({ title: "Kept", content });
  expect(await discard(id, saved_at)).toEqual({});
  await restoreDeleted(id);
  expect(await rowOf("drafts", id)).toMatchObject({ title: "Kept", content });

  const published = await publish();
  const changes = await startDraft(published.id);
  expect(await discard(published.id, changes.saved_at)).toMatchObject({ title: "Draft" });
  expect(await newestVersion(published.id)).toMatchObject({ event: "draft" });
  expect(await discard(published.id, null)).toBeNull();
  expect(await publishedPost(published.id)).not.toBeNull();
});

test("a scheduled post is deleted with its draft, whose text can be restored", async () => {
  for (const { id, title } of await scheduledWithTitles()) {
    expect(await discard(id, null)).toMatchObject({ title });
    expect(await rowOf("schedules", id)).toBeNull();
    expect(await newestVersion(id)).toMatchObject({ event: "deleted", document: { title } });
    await restoreDeleted(id);
    expect((await rowOf("drafts", id))?.title).toBe(title);
  }
});

async function createLink(post_id: string, client = owner) {
  const { data } = await client
    .from("previews")
    .insert({ kind: "post", thing: post_id })
    .select("token, expires_at")
    .single()
    .throwOnError();
  return data;
}

async function preview(token: string) {
  const { data } = await visitor.rpc("get_preview", { preview_token: token }).throwOnError();
  return data;
}

test("a preview link shows the draft, then the scheduled post, and ends when it is published", async () => {
  const post = newPost();
  await startDraft(post.id);
  const { token, expires_at } = await createLink(post.id);
  expect(Date.parse(expires_at) - Date.now()).toBeCloseTo(14 * 24 * hour, -6);
  expect(await preview(token)).toMatchObject({ state: "draft", document: { title: "Draft" } });

  const draft_version = (await rowOf("drafts", post.id))?.saved_at;
  await callSchedule(post, { draft: draft_version }).throwOnError();
  expect(await preview(token)).toMatchObject({
    state: "scheduled",
    document: { title: post.title },
  });
  await unschedule(post.id);
  expect(await preview(token)).toMatchObject({ state: "draft", document: { title: post.title } });
  const again = (await rowOf("drafts", post.id))?.saved_at;
  await callSchedule(post, { draft: again }).throwOnError();
  await startDraft(post.id);
  await makeDue(post.id);
  // A draft of changes to the scheduled post is not published with it.
  expect(await preview(token)).toBeNull();
});

test.each<[string, (draft: { id: string; saved_at: string }, token: string) => unknown]>([
  [
    "it is revoked",
    (_draft, token) => owner.from("previews").delete().eq("token", token).throwOnError(),
  ],
  [
    "14 days passed",
    (_draft, token) => sql`update previews set expires_at = now() where token = ${token}`,
  ],
  ["the draft is discarded", ({ id, saved_at }) => discard(id, saved_at)],
  ["the post is published", ({ id, saved_at }) => publish({ id, draft_version: saved_at })],
])("a preview link ends when %s, also for a later draft of the post", async (_what, end) => {
  const draft = await startDraft();
  const { token } = await createLink(draft.id);
  expect(await preview(token)).not.toBeNull();
  await end(draft, token);
  expect(await preview(token)).toBeNull();
  await startDraft(draft.id, { title: "Later" });
  expect(await preview(token)).toBeNull();
});

test("a preview link of changes to a published post ends when they are published", async () => {
  const post = await publish();
  await startDraft(post.id);
  const { token } = await createLink(post.id);
  expect(await preview(token)).toMatchObject({ state: "draft" });
  await change(post.id, { title: "Changed" });
  expect(await preview(token)).toBeNull();
});

test.each<[string, (id: string) => PromiseLike<{ error: unknown }>]>([
  ["removed", (id) => owner.rpc("remove_person", { id })],
  ["made an assistant", (id) => owner.rpc("set_person", { id, role: "assistant", name: "Ada" })],
  ["made an owner", (id) => owner.rpc("set_person", { id, role: "owner", name: "Ada" })],
])("the preview links of an editor end when the editor is %s", async (_what, change) => {
  const { client: editor, id } = await signInAs("editor", "Ada");
  const [own, other] = [await startDraft(), await startDraft()];
  const [ended, kept] = [await createLink(own.id, editor), await createLink(other.id)];
  expect((await change(id)).error).toBeNull();
  expect(await preview(ended.token)).toBeNull();
  expect(await preview(kept.token)).not.toBeNull();
});

test("a preview link cannot be created in advance, nor for a published post", async () => {
  const post = await publish();
  for (const post_id of [randomUUID(), post.id]) {
    const { error } = await owner.from("previews").insert({ kind: "post", thing: post_id });
    expect(error?.code).toBe("23503");
  }
});

test("scheduled posts that cannot be published are set aside, and the others are published", async () => {
  const title = `Fails ${randomUUID()}`;
  await sql.unsafe(`alter table posts add constraint fails check (title <> '${title}') not valid`);
  const failing = Array.from({ length: 100 }, () => newPost({ title }));
  for (const { id, ...words } of failing) {
    const document = sql.json({ ...words, published_date: later(-24 * hour) });
    await sql`
      with version as (
        insert into versions (kind, thing, event, document)
          values ('post', ${id}, 'scheduled', ${document}) returning number
      )
      insert into schedules (kind, thing, version, at)
        select 'post', ${id}, number, now() - interval '1 day' from version`;
  }
  const good = await schedule();
  await makeDue(good.id);
  expect(await publishedPost(good.id)).not.toBeNull();

  const [first = newPost()] = failing;
  const { id } = first;
  const listed = async () => (await searchPosts({ query: title, filter: "scheduled" })).rows;
  const failures = (await listed()).map((row: { failure: unknown }) => row.failure);
  expect(failures).toEqual(Array(100).fill(expect.stringContaining("fails")));
  expect(await eventsOf(id)).toEqual(["scheduled"]);

  // A new time clears the failure. Without one, publishing is tried again after an hour.
  await sql.unsafe("alter table posts drop constraint fails");
  const replaced = (await rowOf("schedules", id))?.version;
  expect((await callSchedule(first, { replaced })).error).toBeNull();
  expect(await sql`select failure, retry_at from schedules where thing = ${id}`).toMatchObject([
    { failure: null, retry_at: null },
  ]);
  await sql`update schedules set retry_at = now() - interval '1 second' where retry_at > now()`;
  await sql`select private.publish_due()`;
  expect(await listed()).toHaveLength(1);
});

test("the list of posts has every state once, with counts, a search and months", async () => {
  const word = randomUUID().slice(0, 8);
  const title = `Éstate ${word}`;
  const search = (filter: string, query = `estate ${word}`, month = "") =>
    searchPosts({ query, filter, month, time_zone: "America/Los_Angeles" });
  const states = async (filter: string) =>
    (await search(filter)).rows.map(({ state }: { state: string }) => state);
  const published = await publish({ title });
  await sql`update posts set published_date = '2026-03-01T04:00:00Z' where id = ${published.id}`;
  await startDraft(published.id, { title });
  await startDraft(undefined, { title });
  await schedule({ title });
  const deleted = await publish({ title });
  await deletePost(deleted.id);

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

  await restoreDeleted(deleted.id);
  expect((await search("all")).counts).toMatchObject({ published: 1, draft: 3, all: 4 });
});
