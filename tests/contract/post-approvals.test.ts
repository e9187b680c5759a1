// Approval of posts, past the browser: which words may become public, on every path, and who decides about them.
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { publishSettings } from "../other-firm.ts";
import {
  decision,
  later,
  managedSearch,
  type NewPost,
  newPost,
  restoring,
  scheduling,
  storeDraft,
  submitting,
} from "../post-calls.ts";
import { gif } from "../small-files.ts";
import { setUpProject } from "../start-project.ts";

const { project, sql, visitor, owner, admin, signInAs } = await setUpProject<SupabaseClient>();
const publishDuePosts = () => sql`select private.publish_due()`;
const { client: editor, email: editorEmail } = await signInAs("editor", "Ed");
const { client: otherOwner } = await signInAs("owner", "Otto Other");
await needApproval(true);

async function needApproval(isOn: boolean): Promise<void> {
  await publishSettings(owner, { blog: { needApproval: isOn } });
}

/** Stores the draft of a post. @returns its version */
async function saveDraft({ id, title }: NewPost): Promise<string> {
  return (await storeDraft(editor, { id, title, tagline: randomUUID() })).saved_at;
}

function changeDraft({ id }: NewPost) {
  return storeDraft(editor, { id, title: "Changed" });
}

async function submit(post: NewPost, version?: string): Promise<number> {
  const draft_version = version ?? (await saveDraft(post));
  const args = submitting(post, draft_version);
  return (await editor.rpc("submit", args).throwOnError()).data;
}

/** @returns null, or why it was not decided */
async function decide(submission: number, is_approved = true, comment = "") {
  const args = decision(submission, { is_approved, comment });
  return (await owner.rpc("decide", args).throwOnError()).data;
}

/** A post whose words are approved; its draft is still stored. */
async function approved(changes?: Record<string, unknown>) {
  const post = newPost(changes);
  const draft_version = await saveDraft(post);
  expect(await decide(await submit(post, draft_version))).toBeNull();
  return { post, draft_version };
}

async function published(changes?: Record<string, unknown>): Promise<NewPost> {
  const { post, draft_version } = await approved(changes);
  await editor
    .from("posts")
    .insert({ ...post, draft_version })
    .throwOnError();
  return post;
}

function schedule(client: SupabaseClient, post: NewPost, draft_version: string | null = null) {
  return client.rpc("schedule", scheduling(post, { draft: draft_version }));
}

async function linkOf(post_id: string, may_approve = true, maker = owner): Promise<string> {
  const link = maker
    .from("previews")
    .insert({ kind: "post", thing: post_id, may_approve })
    .select("token");
  return (await link.single().throwOnError()).data.token;
}

async function preview(preview_token: string) {
  return (await visitor.rpc("get_preview", { preview_token }).throwOnError()).data;
}

/** Decides as a reviewer without an account. @returns null, or why it was not decided */
async function review(preview_token: string, submission: number, changes: object = {}) {
  const person = { name: "Rita Reviewer", email: "rita@compliance.example" };
  const args = decision(submission, { preview_token, ...person, ...changes });
  return (await visitor.rpc("decide", args).throwOnError()).data;
}

const approvalsOf = (id: string) => sql`
  select event, by_id, by_name, by_email, by_role, link_by_name, link_by_email, comment, document from versions
  where thing = ${id} and event in ('submitted', 'approved', 'returned') order by number`;

const rejected = {
  code: "23001",
  message: "This version needs approval. Ask for approval before it is published",
};
const content = [{ type: "paragraph", text: "Other words." }];

test.each<[path: string, run: (changed: NewPost) => PromiseLike<{ error: unknown }>]>([
  // With words that are approved for another post.
  ["an insert", () => editor.from("posts").insert(newPost())],
  ["an upsert of a new post", () => editor.from("posts").upsert(newPost())],
  ["an insert with the secret key", () => admin.from("posts").insert(newPost())],
  ["an upsert over a post", (changed) => editor.from("posts").upsert(changed)],
  [
    "an update with the secret key",
    ({ id }) => admin.from("posts").update({ content }).eq("id", id),
  ],
  ["schedule", () => schedule(editor, newPost())],
])("words that nobody has approved do not become public by %s", async (_path, run) => {
  const post = await published();
  expect((await run({ ...post, content })).error).toMatchObject(rejected);
  expect(
    await sql`select id from posts where id = ${post.id} and title = ${post.title}`,
  ).toHaveLength(1);
});

test("a change of whatever readers see needs approval, the address included; dates and the same words need none", async () => {
  const post = await published();
  const changes = [
    { title: "B" },
    { tagline: "B" },
    { category: "B" },
    { author: "B" },
    { content },
    { alt: "B" },
    { image_url: null },
    { related_services: [] },
    { slug: randomUUID() },
  ];
  for (const change of changes) {
    const { error } = await editor.from("posts").update(change).eq("id", post.id);
    expect(error, JSON.stringify(change)).toMatchObject(rejected);
  }
  const update = { ...post, updated_at: new Date().toISOString() };
  for (const client of [editor, admin]) {
    await client.from("posts").update(update).eq("id", post.id).throwOnError();
    await client.from("posts").upsert(update).throwOnError();
  }
});

test("what was published before the setting stays, and needs approval to come back from the history", async () => {
  await needApproval(false);
  const post = newPost();
  await editor.from("posts").insert(post).throwOnError();
  await needApproval(true);
  await editor.from("posts").update({ title: post.title }).eq("id", post.id).throwOnError();
  await owner.from("posts").update({ content }).eq("id", post.id).throwOnError();
  const versions = await sql<{ id: number }[]>`
    select number::int as id from versions where thing = ${post.id} order by number`;
  const args = restoring(versions[0]?.id);
  const draft_version = (await editor.rpc("restore", args).throwOnError()).data;
  const save = (words: object) =>
    editor
      .from("posts")
      .update({ ...words, draft_version })
      .eq("id", post.id);
  expect((await save({ content: post.content })).error).toMatchObject(rejected);
  // Words that were approved once need no other approval.
  await owner.from("posts").update({ content: newPost().content, title: "B" }).eq("id", post.id);
  await save({ content, title: post.title }).throwOnError();
  // Visitors do not read whether posts need approval.
  const settings = visitor.from("public_site_settings").select("document").eq("section", "blog");
  expect((await settings).data).toEqual([{ document: {} }]);
});

test("an owner who publishes, saves or schedules approves by it, with her name or address", async () => {
  const unnamed = newPost();
  await owner.from("posts").insert(unnamed).throwOnError();
  expect(await approvalsOf(unnamed.id)).toMatchObject([{ by_name: project.owner.email }]);
  await owner.rpc("set_my_name", { name: "Olive Owner" }).throwOnError();
  const post = newPost();
  await owner.from("posts").insert(post).throwOnError();
  await owner.from("posts").update({ content }).eq("id", post.id).throwOnError();
  await owner.from("posts").update({ title: post.title }).eq("id", post.id).throwOnError();
  const found = await approvalsOf(post.id);
  expect(found).toMatchObject([
    { event: "approved", by_name: "Olive Owner" },
    { event: "approved", by_name: "Olive Owner", document: { title: post.title, content } },
  ]);
  const later = newPost();
  await schedule(owner, later).throwOnError();
  expect(await approvalsOf(later.id)).toMatchObject([
    { event: "approved", by_name: "Olive Owner" },
  ]);
  await owner.from("posts").delete().eq("id", post.id).throwOnError();
  expect(await approvalsOf(post.id)).toEqual(found);
});

test("where owners need approval, another person approves what an owner wants to publish", async () => {
  const post = newPost();
  const draft_version = await saveDraft(post);
  const args = submitting(post, draft_version);
  const insert = () => owner.from("posts").insert({ ...post, draft_version });
  await publishSettings(owner, { blog: { needApproval: true, ownersNeedApproval: true } });
  try {
    expect((await insert()).error).toMatchObject(rejected);
    expect((await schedule(owner, post, draft_version)).error).toMatchObject(rejected);
    const submission = (await owner.rpc("submit", args).throwOnError()).data;
    const own = "Another person must approve this post";
    expect(await decide(submission)).toContain(own);
    // Through a link, while she is signed in.
    const preview_token = await linkOf(post.id);
    const byLink = { preview_token, name: "Olive", email: "olive@example.com" };
    expect((await owner.rpc("decide", decision(submission, byLink)).throwOnError()).data).toContain(
      own,
    );
    expect((await insert()).error).toMatchObject(rejected);
    // Signed out, through her own link, under an invented name.
    expect(await review(preview_token, submission)).toBe(
      "The person who asked for this approval made the link. Another owner must approve, or make the link.",
    );
    expect((await insert()).error).toMatchObject(rejected);
    await owner.from("previews").delete().eq("thing", post.id).throwOnError();
    const otherLink = await linkOf(post.id, true, otherOwner);
    expect(await review(otherLink, submission)).toBeNull();
    await insert().throwOnError();
    // What an editor submits, an owner approves.
    expect(await decide(await submit(newPost()))).toBeNull();
  } finally {
    await needApproval(true);
  }
});

test("what was approved is scheduled and published by the job, with a number when its address is taken", async () => {
  const { post, draft_version } = await approved();
  const other = schedule(editor, { ...post, slug: randomUUID() }, draft_version);
  expect((await other).error).toMatchObject(rejected);
  await schedule(editor, post, draft_version).throwOnError();
  await owner
    .from("posts")
    .insert(newPost({ slug: post.slug }))
    .throwOnError();
  await sql`update schedules set at = now() where thing = ${post.id}`;
  await publishDuePosts();
  expect(await sql`select slug from posts where id = ${post.id}`).toEqual([
    { slug: `${post.slug}-1` },
  ]);
});

test("a scheduled post without an approval stays scheduled with the reason, and is published once approved", async () => {
  await needApproval(false);
  const post = newPost();
  await schedule(editor, post).throwOnError();
  await needApproval(true);
  await sql`update schedules set at = now() where thing = ${post.id}`;
  await publishDuePosts();
  expect(await sql`select failure from schedules where thing = ${post.id}`).toEqual([
    { failure: rejected.message },
  ]);
  const args = submitting(post);
  expect(await decide((await editor.rpc("submit", args).throwOnError()).data)).toBeNull();
  await sql`update schedules set retry_at = now() where thing = ${post.id}`;
  await publishDuePosts();
  expect(await sql`select id from posts where id = ${post.id}`).toHaveLength(1);
});

test("a change after the approval needs approval again, and returned words lose theirs", async () => {
  const { post, draft_version } = await approved();
  const insert = (changes: object) =>
    editor.from("posts").insert({ ...post, ...changes, draft_version });
  expect((await insert({ content })).error).toMatchObject(rejected);
  expect(await decide(await submit(post, draft_version), false, "Not like this.")).toBeNull();
  expect((await insert({})).error).toMatchObject(rejected);
  expect(await decide(await submit(post, draft_version))).toBeNull();
  expect((await insert({})).error).toBeNull();
});

test("submitting and deciding can be repeated, and of two decisions one counts", async () => {
  const post = newPost();
  const draft_version = await saveDraft(post);
  const submission = await submit(post, draft_version);
  expect(await submit(post, draft_version)).toBe(submission);
  for (const blank of ["", " ", "\n", "\t\u00a0\u2028\r\n"]) {
    expect(await decide(submission, false, blank)).toBe("Write in the comment what should change.");
  }
  for (const _ of [1, 2]) expect(await decide(submission, false, "Shorter.")).toBeNull();
  expect(await approvalsOf(post.id)).toMatchObject([
    { event: "submitted", by_name: "Ed", document: { title: post.title } },
    {
      event: "returned",
      comment: "Shorter.",
      by_name: "Olive Owner",
      by_email: project.owner.email,
    },
  ]);
  expect(await decide(submission)).toBe(
    "Olive Owner returned this post meanwhile. Reload the page to see it.",
  );
  const next = await submit(newPost());
  const results = await Promise.all([decide(next), decide(next, false, "No.")]);
  expect(results.filter((result) => result === null)).toHaveLength(1);
});

test("a signed-in person who decides by a link does so under her own name and address", async () => {
  const { client: colleague, email } = await signInAs("editor", "Eva");
  const post = newPost();
  const submission = await submit(post);
  const preview_token = await linkOf(post.id);
  const other = { name: "Olive Owner", email: project.owner.email };
  const args = decision(submission, { preview_token, ...other });
  expect((await colleague.rpc("decide", args).throwOnError()).data).toBeNull();
  expect((await approvalsOf(post.id))[1]).toMatchObject({
    ...{ by_id: expect.any(String), by_name: "Eva", by_email: email, by_role: "editor" },
  });
});

/** What the archive lists of a post. */
async function listedChanges(id: string) {
  const period = { starts: "2000-01-01T00:00:00Z", ends: "2200-01-01T00:00:00Z", first: 0 };
  const { data } = await owner.rpc("archive_changes", period).throwOnError();
  return data.filter(({ thing }: { thing: string }) => thing === id);
}

test("an approval says who signed in with which role, or at whose link a name was typed", async () => {
  await owner.rpc("set_my_name", { name: "Olive Owner" }).throwOnError();
  const post = newPost();
  const submission = await submit(post);
  const token = await linkOf(post.id);
  expect((await preview(token)).approval).toMatchObject({ maker: "Olive Owner" });
  expect(await review(token, submission)).toBeNull();
  expect((await preview(token)).approval).toMatchObject({
    ...{ name: "Rita Reviewer", how: "typed at the link of Olive Owner" },
  });
  expect((await approvalsOf(post.id))[1]).toMatchObject({
    ...{ by_id: null, by_role: null, by_name: "Rita Reviewer" },
    ...{ link_by_name: "Olive Owner", link_by_email: project.owner.email },
  });
  expect(await decide(await submit(post))).toBeNull();
  // Whoever gets another role had the former one then.
  const link = `typed at the link of Olive Owner (${project.owner.email})`;
  expect(await listedChanges(post.id)).toMatchObject([
    { event: "submitted", by_role: "editor", how: "signed in" },
    { event: "approved", by_role: null, how: link, by_name: "Rita Reviewer" },
    { event: "submitted", by_role: "editor", how: "signed in" },
    { event: "approved", by_role: "owner", how: "signed in" },
  ]);
});

test("nobody types the name or address of an account at a link, in any spelling", async () => {
  await owner.rpc("set_my_name", { name: "Olive Öwner" }).throwOnError();
  const post = newPost();
  const submission = await submit(post);
  const token = await linkOf(post.id);
  const ofAccounts = [
    ...[
      "Olive Öwner",
      " olive  öwner ",
      "OLIVE O\u0308WNER",
      "Olive\u200b\u00a0Öwner",
      "\uff25d",
    ].map((name) => ({ name })),
    ...[project.owner.email, editorEmail.toUpperCase(), `\u00ad${editorEmail}`].map((email) => ({
      email,
    })),
  ];
  for (const person of ofAccounts) {
    for (const is_approved of [true, false]) {
      const decided = await review(token, submission, { ...person, is_approved, comment: "A" });
      expect(decided, JSON.stringify(person)).toContain("the name or address of an account");
    }
  }
  expect(await approvalsOf(post.id)).toHaveLength(1);
  // An owner without a name is shown with that of the adviser.
  await owner.rpc("set_my_name", { name: "" }).throwOnError();
  await publishSettings(owner, { adviser: { name: "Avery Adviser" } });
  expect(await review(token, submission, { name: "avery adviser" })).toContain("of an account");
  await owner.rpc("set_my_name", { name: "Olive Owner" }).throwOnError();
  expect(await review(token, submission)).toBeNull();
});

test("the secret key approves nothing, and a link that may approve has a maker", async () => {
  const post = newPost();
  const submission = await submit(post);
  expect((await admin.rpc("decide", decision(submission))).error).toMatchObject({ code: "42501" });
  const link = { kind: "post", thing: post.id, may_approve: true };
  expect((await admin.from("previews").insert(link)).error).toMatchObject({ code: "23514" });
  expect(await decide(submission)).toBeNull();
});

test("another date needs approval: an imported post's is seen with its words, and a public one stays", async () => {
  const post = newPost();
  const published_date = "2015-03-01T00:00:00+00:00";
  const origin = { ...post, published_date, former_path: `/${post.id}`, id: post.id };
  await editor.rpc("import_post", { post: JSON.stringify(origin) }).throwOnError();
  const stored = editor.from("drafts").select("saved_at").eq("thing", post.id).single();
  const draft_version = (await stored.throwOnError()).data.saved_at;
  const submission = await submit(post, draft_version);
  const { document } = await preview(await linkOf(post.id));
  expect(document).toMatchObject({ published_date });
  expect(await decide(submission)).toBeNull();
  await editor
    .from("posts")
    .insert({ ...post, draft_version })
    .throwOnError();
  const row = async () =>
    (await sql`select published_date from posts where id = ${post.id}`)[0]?.published_date;
  expect(await row()).toEqual(new Date(published_date));
  const redate = { published_date: "2001-01-01T00:00:00Z", created_at: "2001-01-01T00:00:00Z" };
  const update = admin.from("posts").update(redate).eq("id", post.id);
  expect((await update).error).toMatchObject(rejected);
  // Approved without that date.
  const { post: other, draft_version: otherDraft } = await approved();
  const backdated = admin.from("posts").insert({ ...other, ...redate, draft_version: otherDraft });
  expect((await backdated).error).toMatchObject(rejected);
});

test("only the newest submission of an unchanged draft waits and is decided", async () => {
  const post = newPost();
  const first = await submit(post);
  const version = await saveDraft(post);
  const second = await submit(post, version);
  expect(await decide(first)).toBe("Ed submitted this post meanwhile. Reload the page to see it.");
  const listed = async () => {
    const args = managedSearch({ filter: "waiting" });
    return (await owner.rpc("search_managed_posts", args).throwOnError()).data.rows;
  };
  expect(await listed()).toMatchObject([{ id: post.id }]);
  // The editor saves a change while the owner reads what was submitted.
  await changeDraft(post);
  expect(await decide(second)).toBe(
    "This post was changed after it was submitted. It must be submitted again before it can be approved.",
  );
  expect(await listed()).toEqual([]);
});

test("a submission names the draft that is stored, and is complete", async () => {
  const post = newPost();
  const version = await saveDraft(post);
  await saveDraft(post);
  const send = (changed: object, draft_version: string | null) =>
    editor.rpc("submit", submitting({ ...post, ...changed }, draft_version));
  for (const other of [version, null]) {
    expect((await send({}, other)).error).toMatchObject({ code: "23P01" });
  }
  expect((await send({ author: undefined }, version)).error).toMatchObject({ code: "23514" });
});

test("a reviewer decides once by a link that may approve, on what was submitted word for word", async () => {
  const post = newPost({ content });
  const draft_version = await saveDraft(post);
  const submission = await submit(post, draft_version);
  const token = await linkOf(post.id);
  expect(await preview(token)).toMatchObject({
    state: "draft",
    document: { content },
    approval: { event: "submitted", number: submission },
  });
  const wrong = [
    { name: " " },
    { name: null },
    { name: "A\nB" },
    { name: "\u2003" },
    { name: "owner@example.com" },
    { email: null },
    { email: "a b@c" },
  ];
  for (const person of wrong) {
    expect(await review(token, submission, person)).toBe("Enter your name and your email address.");
  }
  // Opening the link decided nothing.
  expect(await approvalsOf(post.id)).toHaveLength(1);
  for (const _ of [1, 2]) expect(await review(token, submission)).toBeNull();
  expect(await preview(token)).toMatchObject({
    approval: { event: "approved", name: "Rita Reviewer" },
  });
  expect(await review(token, submission, { is_approved: false, comment: "No." })).toBe(
    "Rita Reviewer approved this post meanwhile. Reload the page to see it.",
  );
  expect((await approvalsOf(post.id))[1]).toMatchObject({
    ...{ event: "approved", by_name: "Rita Reviewer", by_email: "rita@compliance.example" },
  });
  await changeDraft(post);
  // What is shown now was not approved.
  expect(await preview(token)).toMatchObject({
    ...{ document: { title: "Changed" }, approval: { event: null } },
  });
});

const images = () => editor.storage.from("images");
const gifOptions = { contentType: "image/gif", upsert: true };

async function storeImage(): Promise<string> {
  const path = `public/${randomUUID()}.gif`;
  expect((await images().upload(path, gif, gifOptions)).error).toBeNull();
  return path;
}

/** Tries all that an editor could do to show another image under the name, then runs the job of a day later. */
async function exchange(path: string): Promise<void> {
  expect((await images().remove([path])).data).toEqual([]);
  expect((await images().upload(path, Buffer.concat([gif, gif]), gifOptions)).error).not.toBeNull();
  await admin.functions.invoke("remove-unused-images", { body: "" });
  await sql`update private.unused_images set since = since - interval '25 hours'`;
  await sql`update storage.objects set updated_at = updated_at - interval '25 hours'`;
  await admin.functions.invoke("remove-unused-images", { body: "" });
}

test.each([
  ["featured", (src: string) => ({ image_url: src })],
  [
    "in the text",
    (src: string) => ({ content: [{ type: "image", src, alt: "", width: 1, height: 1 }] }),
  ],
])("an image %s that was submitted or approved stays as it was", async (_where, shown) => {
  const path = await storeImage();
  const post = newPost(shown(`images/${path}`));
  const draft_version = await saveDraft(post);
  const submission = await submit(post, draft_version);
  const toDeleted = () => images().move(path, path, { destinationBucket: "deleted-images" });
  // A reviewer would see none, and approve it.
  expect((await toDeleted()).error).not.toBeNull();
  await exchange(path);
  expect(await decide(submission)).toBeNull();
  // The draft has no image since.
  await exchange(path);
  const { data: stored } = await images().download(path);
  expect(Buffer.from((await stored?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(gif);
  await editor
    .from("posts")
    .insert({ ...post, draft_version })
    .throwOnError();
  // After the end of the post, its image leaves the public bucket, and no other file takes its name.
  await owner.from("posts").delete().eq("id", post.id).throwOnError();
  expect((await toDeleted()).error).toBeNull();
  expect((await images().upload(path, gif, gifOptions)).error).not.toBeNull();
});

test("what a text shows or links to must be stored when it is submitted, and a PDF stays as it was", async () => {
  const notStored = { code: "23514", message: "An image or file of the post is not stored" };
  const image = newPost({ image_url: `images/public/${randomUUID()}.gif` });
  const submitted = editor.rpc("submit", submitting(image, await saveDraft(image)));
  expect((await submitted).error).toMatchObject(notStored);
  const files = editor.storage.from("files");
  const path = `files/${randomUUID()}.pdf`;
  const asPdf = { contentType: "application/pdf" };
  const marks = [{ type: "link", start: 0, end: 1, href: `/${path}` }];
  const post = newPost({ content: [{ type: "paragraph", text: "A", marks }] });
  const version = await saveDraft(post);
  const linked = await editor.rpc("submit", submitting(post, version));
  expect(linked.error).toMatchObject(notStored);
  expect((await files.upload(path, Buffer.from("%PDF-1"), asPdf)).error).toBeNull();
  await submit(post, version);
  const other = { ...asPdf, upsert: true };
  expect((await files.upload(path, Buffer.from("%PDF-2"), other)).error).not.toBeNull();
  expect((await files.remove([path])).data).toEqual([]);
  const toDeleted = { destinationBucket: "deleted-images" };
  expect((await files.move(path, path, toDeleted)).error).not.toBeNull();
});

test("a link tells no email address of an account without a name", async () => {
  const post = newPost();
  const submission = await submit(post);
  const token = await linkOf(post.id);
  await owner.rpc("set_my_name", { name: "" }).throwOnError();
  expect(await decide(submission)).toBeNull();
  const { approval } = await preview(token);
  expect(approval).toMatchObject({ event: "approved", name: "The owner" });
  expect(await review(token, submission)).toBe(
    "The owner approved this post meanwhile. Reload the page to see it.",
  );
  expect(JSON.stringify(await preview(token))).not.toContain("@");
  await owner.rpc("set_my_name", { name: "Olive Owner" }).throwOnError();
});

test("a preview has the description, the alternative text and the address", async () => {
  const post = newPost({ slug: "naming-a-guardian-2" });
  const draft_version = await saveDraft(post);
  await submit(post, draft_version);
  const token = await linkOf(post.id);
  expect(await preview(token)).toMatchObject({
    document: { tagline: post.tagline, alt: post.alt, slug: post.slug },
    stored: null,
  });
  await owner
    .from("posts")
    .insert({ ...post, draft_version })
    .throwOnError();
  const { id, title } = post;
  await storeDraft(editor, { id, title });
  expect(await preview(await linkOf(id))).toMatchObject({ stored: { title, slug: post.slug } });
});

test.each<[why: string, open: (id: string) => Promise<string>]>([
  ["was not allowed to approve", (id) => linkOf(id, false)],
  [
    "has expired",
    async (id) => {
      const token = await linkOf(id);
      await sql`update previews set expires_at = now() where token = ${token}`;
      return token;
    },
  ],
  ["belongs to another post", async () => linkOf((await approved()).post.id)],
])("a link that %s approves nothing", async (_why, open) => {
  const post = newPost();
  const submission = await submit(post);
  expect(await review(await open(post.id), submission)).toBe(
    "This link has ended, or it may not approve this post. Ask for a new link.",
  );
});

/** A page of the owner's own that is stored and hidden. */
async function hiddenPage() {
  const { image_url: _, ...words } = newPost({ category: "", related_services: [] });
  const page = { ...words, slug: `page-${words.id}` };
  await editor
    .from("pages")
    .insert({ ...page, hidden: true })
    .throwOnError();
  return page;
}

test("showing a hidden page is a publication, and hiding it is none", async () => {
  const page = await hiddenPage();
  const set = (client: SupabaseClient, changes: object) =>
    client.from("pages").update(changes).eq("id", page.id);
  for (const client of [editor, admin]) {
    expect((await set(client, { hidden: false })).error).toMatchObject(rejected);
  }
  const submission = await editor.rpc("submit", submitting(page, null, "page")).throwOnError();
  expect(await decide(submission.data)).toBeNull();
  await set(editor, { hidden: false }).throwOnError();
  await set(editor, { hidden: true }).throwOnError();
  await set(editor, { content }).throwOnError();
  expect((await set(editor, { hidden: false })).error).toMatchObject(rejected);
  const events = await sql`
    select event from versions where thing = ${page.id} and kind = 'page' order by number`;
  expect(events.map(({ event }) => event)).toEqual([
    ...["unpublished", "submitted", "approved", "published", "unpublished", "unpublished"],
  ]);
});

test("words that are approved for a page are not approved for a post of the same id", async () => {
  const page = { ...(await hiddenPage()), category: "Family", image_url: null };
  const submission = await editor.rpc("submit", submitting(page, null, "page")).throwOnError();
  expect(await decide(submission.data)).toBeNull();
  expect((await editor.from("posts").insert(page)).error).toMatchObject(rejected);
});

test("a sample becomes the adviser's own post by an approval alone", async () => {
  await needApproval(false);
  const sample = newPost();
  await admin
    .from("posts")
    .insert({ ...sample, is_sample: true })
    .throwOnError();
  await needApproval(true);
  const set = (client: SupabaseClient, changes: object) =>
    client.from("posts").update(changes).eq("id", sample.id);
  // Each of these shows it to visitors of a public address.
  expect((await set(editor, { updated_at: later() })).error).toMatchObject(rejected);
  expect((await set(admin, { is_sample: false })).error).toMatchObject(rejected);
  expect(await decide(await submit(sample))).toBeNull();
  await set(admin, { is_sample: false }).throwOnError();
});

test("an image on another host is neither submitted nor published, by owners as well", async () => {
  const src = "https://elsewhere.example/a.png";
  const shown = [
    { image_url: src },
    { content: [{ type: "image", src, alt: "", width: 1, height: 1 }] },
  ];
  for (const change of shown) {
    const post = newPost(change);
    const foreign = { message: expect.stringContaining("An image on another host could change") };
    const submitted = await editor.rpc("submit", submitting(post, await saveDraft(post)));
    expect(submitted.error).toMatchObject(foreign);
    for (const client of [editor, owner, admin]) {
      expect((await client.from("posts").insert(newPost(change))).error).toMatchObject(foreign);
    }
  }
});

test("what a command stores is a sample or hidden only as the database says", async () => {
  const { post, draft_version } = await approved();
  const forged = { ...post, is_sample: true, hidden: true, updated_at: later() };
  await schedule(editor, forged, draft_version).throwOnError();
  await sql`update schedules set at = now() where thing = ${post.id}`;
  await publishDuePosts();
  expect(await sql`select is_sample from posts where id = ${post.id}`).toEqual([
    { is_sample: false },
  ]);
});

test("a document that lacks a column is approved and published with its default", async () => {
  await sql`alter table posts add column subtitle text not null default 'None'`;
  try {
    const { post, draft_version } = await approved();
    await editor
      .from("posts")
      .insert({ ...post, draft_version })
      .throwOnError();
    const [published] = await sql`
      select document from versions where thing = ${post.id} and event = 'published'`;
    expect(published?.document).toMatchObject({ subtitle: "None" });
  } finally {
    await sql`alter table posts drop column subtitle`;
  }
});
