// Approval of posts, past the browser: which words may become public, on every path, and who decides about them.
import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Sql } from "../../backend/database.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

let project: Project;
let sql: Sql;
let owner: SupabaseClient;
let editor: SupabaseClient;
let visitor: SupabaseClient;
let admin: SupabaseClient;

beforeAll(async () => {
  project = await startProject({ jobIntervals: { duePosts: 50 } });
  sql = connect(project.backend?.databaseUrl ?? "", 2);
  visitor = openClient(project) as SupabaseClient;
  admin = createClient(project.url, project.secretKey, { auth: { persistSession: false } });
  owner = await signIn(project.owner);
  const account = await project.createStranger();
  await admin
    .rpc("add_person", { email: account.email, role: "editor", name: "Ed" })
    .throwOnError();
  editor = await signIn(account);
  await needApproval(true);
});

afterAll(async () => {
  await sql?.end();
  await project?.stop();
});

async function signIn(account: { email: string; password: string }): Promise<SupabaseClient> {
  const client = openClient(project) as SupabaseClient;
  const { error } = await client.auth.signInWithPassword(account);
  if (error) throw error;
  return client;
}

async function needApproval(isOn: boolean): Promise<void> {
  const draft = { section: "blog", document: { needApproval: isOn } };
  await owner.from("site_settings_drafts").upsert(draft).throwOnError();
  await owner.rpc("publish_settings", { sections: ["blog"] }).throwOnError();
}

function newPost(changes: Record<string, unknown> = {}) {
  const id = randomUUID();
  return {
    ...{ id, slug: id, title: "Naming a guardian", tagline: "Who", category: "Family" },
    ...{ author: "Ed", content: [{ type: "paragraph", text: "Ask first." }], alt: "Two chairs" },
    ...{ image_url: "/images/posts/old-oak.svg", related_services: [{ slug: "annuities" }] },
    ...changes,
  };
}
type Post = ReturnType<typeof newPost>;

/** Stores the draft of a post. @returns its version */
async function saveDraft({ id, title }: Post): Promise<string> {
  const draft = editor.from("post_drafts").upsert({ id, title, text: randomUUID() });
  return (await draft.select("updated_at").single().throwOnError()).data.updated_at;
}

async function submit(post: Post, version?: string): Promise<number> {
  const draft_version = version ?? (await saveDraft(post));
  const args = { post: JSON.stringify(post), draft_version };
  return (await editor.rpc("submit_post", args).throwOnError()).data;
}

/** @returns null, or why it was not decided */
async function decide(submission: number, decision = "approved", comment = "") {
  return (await owner.rpc("decide_post", { submission, decision, comment }).throwOnError()).data;
}

/** A post whose words are approved; its draft is still stored. */
async function approved(changes?: Record<string, unknown>) {
  const post = newPost(changes);
  const draft_version = await saveDraft(post);
  expect(await decide(await submit(post, draft_version))).toBeNull();
  return { post, draft_version };
}

async function published(changes?: Record<string, unknown>): Promise<Post> {
  const { post, draft_version } = await approved(changes);
  await editor
    .from("posts")
    .insert({ ...post, draft_version })
    .throwOnError();
  return post;
}

function schedule(client: SupabaseClient, post: Post, draft_version: string | null = null) {
  const published_date = new Date(Date.now() + 3_600_000).toISOString();
  const timed = JSON.stringify({ ...post, published_date });
  return client.rpc("schedule_post", { post: timed, seen_version: null, draft_version });
}

async function linkOf(id: string, may_approve = true): Promise<string> {
  const link = editor.from("post_previews").insert({ post_id: id }).select("token").single();
  const { token } = (await link.throwOnError()).data;
  const tick = owner.from("post_previews").update({ may_approve }).eq("token", token);
  await tick.throwOnError();
  return token;
}

/** Decides as a reviewer without an account. @returns null, or why it was not decided */
async function review(preview_token: string, submission: number, changes: object = {}) {
  const person = { name: "Rita Reviewer", email: "rita@compliance.example", comment: "" };
  const args = { preview_token, submission, decision: "approved", ...person, ...changes };
  return (await visitor.rpc("decide_preview", args).throwOnError()).data;
}

async function publishAsOwner(post: Post): Promise<void> {
  const draft_version = await saveDraft(post);
  await owner
    .from("posts")
    .insert({ ...post, draft_version })
    .throwOnError();
}

const approvalsOf = (id: string) => sql`
  select event, name, email, comment, submission, document from post_approvals
  where post_id = ${id} order by id`;

const rejected = {
  code: "23001",
  message: "This version needs approval. Submit it for approval, or ask an owner to publish it",
};
const content = [{ type: "paragraph", text: "Other words." }];

test.each<[path: string, run: (changed: Post, post: Post) => PromiseLike<{ error: unknown }>]>([
  ["an upsert of a new post", () => editor.from("posts").upsert(newPost())],
  ["an insert with the secret key", () => admin.from("posts").insert(newPost())],
  [
    "an insert, also of words that were approved for another post",
    () => editor.from("posts").insert(newPost()),
  ],
  ["an update", ({ id }) => editor.from("posts").update({ content }).eq("id", id)],
  ["an update of the title", ({ id }) => editor.from("posts").update({ title: "B" }).eq("id", id)],
  [
    "an update of the image",
    ({ id }) => editor.from("posts").update({ image_url: null }).eq("id", id),
  ],
  ["another id", ({ id }) => editor.from("posts").update({ id: randomUUID() }).eq("id", id)],
  ["an upsert over a post", (changed) => editor.from("posts").upsert(changed)],
  [
    "an update with the secret key",
    ({ id }) => admin.from("posts").update({ content }).eq("id", id),
  ],
  ["schedule_post", () => schedule(editor, newPost())],
])("words that nobody has approved do not become public by %s", async (_path, run) => {
  const post = await published();
  expect((await run({ ...post, content }, post)).error).toMatchObject(rejected);
  expect(
    await sql`select id from posts where id = ${post.id} and title = ${post.title}`,
  ).toHaveLength(1);
});

test("an address, dates and the same words need no approval", async () => {
  const post = await published();
  const slug = randomUUID();
  const update = { ...post, slug, updated_at: new Date().toISOString() };
  for (const client of [editor, admin]) {
    await client.from("posts").update(update).eq("id", post.id).throwOnError();
    await client.from("posts").upsert(update).throwOnError();
  }
});

test("while the setting is off an editor publishes, and what is public stays when it is switched on", async () => {
  await needApproval(false);
  const post = newPost();
  await editor.from("posts").insert(post).throwOnError();
  await needApproval(true);
  await editor.from("posts").update({ slug: randomUUID() }).eq("id", post.id).throwOnError();
  const { error } = await editor.from("posts").update({ content }).eq("id", post.id);
  expect(error).toMatchObject(rejected);
  // Visitors do not read whether posts need approval.
  const { data } = await visitor
    .from("public_site_settings")
    .select("document")
    .eq("section", "blog");
  expect(data).toEqual([{ document: {} }]);
});

test("an owner who publishes, saves or schedules approves by it, in her name", async () => {
  await owner.rpc("set_my_name", { name: "Olive Owner" }).throwOnError();
  const post = newPost();
  await owner.from("posts").insert(post).throwOnError();
  await owner.from("posts").update({ content }).eq("id", post.id).throwOnError();
  await owner.from("posts").update({ slug: randomUUID() }).eq("id", post.id).throwOnError();
  const found = await approvalsOf(post.id);
  expect(found).toMatchObject([
    { event: "approved", name: "Olive Owner", submission: null },
    { event: "approved", name: "Olive Owner", submission: null },
  ]);
  expect(found[1]?.document).toMatchObject({ title: post.title, content });
  const later = newPost();
  await schedule(owner, later).throwOnError();
  expect(await approvalsOf(later.id)).toMatchObject([{ event: "approved", name: "Olive Owner" }]);
});

test("approved words are scheduled and published by the job, under any address", async () => {
  const { post, draft_version } = await approved();
  await schedule(editor, { ...post, slug: randomUUID() }, draft_version).throwOnError();
  await sql`update scheduled_posts set published_date = now() where id = ${post.id}`;
  await expect.poll(() => sql`select id from posts where id = ${post.id}`).toHaveLength(1);
});

test("a scheduled post without a valid approval stays scheduled with the reason, and is published once approved", async () => {
  await needApproval(false);
  const post = newPost();
  await schedule(editor, post).throwOnError();
  await needApproval(true);
  await sql`update scheduled_posts set published_date = now() where id = ${post.id}`;
  const failure = async () =>
    (await sql`select failure from scheduled_posts where id = ${post.id}`)[0];
  await expect.poll(failure).toEqual({ failure: rejected.message });
  const submission = await editor.rpc("submit_post", {
    post: JSON.stringify(post),
    draft_version: null,
  });
  expect(await decide(submission.data)).toBeNull();
  await sql`update scheduled_posts set retry_at = now() where id = ${post.id}`;
  await expect.poll(() => sql`select id from posts where id = ${post.id}`).toHaveLength(1);
});

test("a restored version needs approval like any other, unless these words were approved", async () => {
  const post = await published();
  await needApproval(false);
  await editor.from("posts").update({ content }).eq("id", post.id).throwOnError();
  await needApproval(true);
  const versions = await sql<{ id: number }[]>`
    select id::int from post_versions where post_id = ${post.id} order by id`;
  const restore = async (index: number, seen_version: string | null) => {
    const args = { version_id: versions[index]?.id, seen_version, base_version: null };
    return (await editor.rpc("restore_post_version", args).throwOnError()).data;
  };
  const unapproved = await restore(-1 + versions.length, null);
  const save = (changes: object) => editor.from("posts").update(changes).eq("id", post.id);
  await save({ content: post.content, draft_version: unapproved }).throwOnError();
  const { error } = await save({
    content,
    draft_version: await restore(versions.length - 1, null),
  });
  expect(error).toMatchObject(rejected);
});

test("a change after the approval needs approval again, and a returned version none but a new one", async () => {
  const { post, draft_version } = await approved();
  const insert = (changes: object) =>
    editor.from("posts").insert({ ...post, ...changes, draft_version });
  expect((await insert({ content })).error).toMatchObject(rejected);
  expect(await decide(await submit(post, draft_version), "returned", "Not like this.")).toBeNull();
  expect((await insert({})).error).toMatchObject(rejected);
  expect(await decide(await submit(post, draft_version))).toBeNull();
  expect((await insert({})).error).toBeNull();
});

test("submitting and deciding can be repeated after a lost response", async () => {
  const post = newPost();
  const draft_version = await saveDraft(post);
  const submission = await submit(post, draft_version);
  expect(await submit(post, draft_version)).toBe(submission);
  for (const _ of [1, 2]) expect(await decide(submission, "returned", "Shorter.")).toBeNull();
  const [, returned] = await approvalsOf(post.id);
  expect(await approvalsOf(post.id)).toHaveLength(2);
  expect(returned).toMatchObject({ event: "returned", comment: "Shorter.", email: null });
  expect(await decide(submission)).toBe("This version was already returned by Olive Owner.");
});

test("only the newest submission of an unchanged draft is decided", async () => {
  const post = newPost();
  const first = await submit(post);
  const second = await submit(post);
  expect(await decide(first)).toBe(
    "A newer version of this post was submitted or published. Reload the page to see it.",
  );
  const waiting = {
    query: "",
    filter: "waiting",
    month: "",
    time_zone: "UTC",
    first: 0,
    count: 20,
  };
  const listed = async () => (await owner.rpc("search_managed_posts", waiting)).data;
  expect(await listed()).toMatchObject({
    rows: [{ id: post.id }],
    counts: { waiting: 1 },
  });
  await saveDraft(post);
  expect(await decide(second)).toBe(
    "This post was changed after it was submitted. It must be submitted again before it can be approved.",
  );
  expect((await listed()).rows).toEqual([]);
  expect(await decide(second + 1000)).toBe("There is no such submission.");
});

test("two decisions at the same moment leave one, and the other learns of it", async () => {
  const submission = await submit(newPost());
  const results = await Promise.all([decide(submission), decide(submission, "returned", "No.")]);
  expect(results.filter((result) => result === null)).toHaveLength(1);
});

test("a submission names the draft that is stored, and is complete", async () => {
  const post = newPost();
  const version = await saveDraft(post);
  await saveDraft(post);
  const send = (changed: object, draft_version: string | null) =>
    editor.rpc("submit_post", { post: JSON.stringify({ ...post, ...changed }), draft_version });
  expect((await send({}, version)).error).toMatchObject({ code: "23P01" });
  expect((await send({ id: randomUUID() }, null)).error).toMatchObject({ code: "23P01" });
  expect((await send({ author: undefined }, null)).error).toMatchObject({ code: "23514" });
  const submission = await submit(post);
  expect(await decide(submission, "returned", " ")).toBe(
    "Write in the comment what should change.",
  );
  expect(await decide(submission, "rejected", "")).toBe(
    "Choose whether to approve the post or to return it.",
  );
});

test("a reviewer decides once by a link that may approve, on what was submitted word for word", async () => {
  const post = newPost({ content });
  const draft_version = await saveDraft(post);
  const submission = await submit(post, draft_version);
  const token = await linkOf(post.id);
  const preview = async () =>
    (await visitor.rpc("get_post_preview", { preview_token: token })).data;
  expect(await preview()).toMatchObject({
    state: "draft",
    post: { content },
    approval: { state: "submitted", id: submission },
  });
  for (const name of [" ", "A\nB"]) {
    expect(await review(token, submission, { name })).toBe("Enter your name.");
  }
  for (const email of ["", "rita", "rita@example", "a b@example.com"]) {
    expect(await review(token, submission, { email })).toBe("Enter your email address.");
  }
  for (const _ of [1, 2]) expect(await review(token, submission)).toBeNull();
  expect(await preview()).toMatchObject({ approval: { state: "approved", name: "Rita Reviewer" } });
  expect(await review(token, submission, { decision: "returned", comment: "No." })).toBe(
    "This version was already approved by Rita Reviewer.",
  );
  expect((await approvalsOf(post.id))[1]).toMatchObject({
    ...{ event: "approved", name: "Rita Reviewer", email: "rita@compliance.example" },
  });
  await editor
    .from("posts")
    .insert({ ...post, draft_version })
    .throwOnError();
});

test.each<[why: string, change: (post: Post, token: string) => PromiseLike<unknown>]>([
  [
    "was never allowed to approve",
    (_, token) => owner.from("post_previews").update({ may_approve: false }).eq("token", token),
  ],
  [
    "has expired",
    (_, token) => sql`update post_previews set expires_at = now() where token = ${token}`,
  ],
  ["was revoked", (_, token) => editor.from("post_previews").delete().eq("token", token)],
  ["belongs to a post that was published", (post) => publishAsOwner(post)],
])("a link that %s approves nothing", async (_why, change) => {
  const post = newPost();
  const submission = await submit(post);
  const token = await linkOf(post.id);
  await change(post, token);
  expect(await review(token, submission)).toBe(
    "This link has ended, or it may not approve this post. Ask for a new link.",
  );
});

test("a link approves no submission of another post", async () => {
  const token = await linkOf((await approved()).post.id);
  expect(await review(token, await submit(newPost()))).toContain("may not approve this post");
});

test("editors, visitors and the secret key neither decide nor change what was decided", async () => {
  const post = newPost();
  const submission = await submit(post);
  const token = await linkOf(post.id, false);
  for (const client of [editor, visitor]) {
    const args = { submission, decision: "approved", comment: "" };
    expect((await client.rpc("decide_post", args)).error).toMatchObject({ code: "42501" });
    const tick = client.from("post_previews").update({ may_approve: true }).eq("token", token);
    expect((await tick.select()).data ?? []).toEqual([]);
  }
  const forged = { post_id: post.id, event: "approved", document: {}, name: "A" };
  for (const client of [owner, editor, admin]) {
    const table = () => client.from("post_approvals");
    const attempts = [
      table().insert(forged),
      table().update({ event: "approved" }).eq("id", submission),
      table().delete().eq("id", submission),
    ];
    for (const { error } of await Promise.all(attempts))
      expect(error).toMatchObject({ code: "42501" });
  }
});

test("attempts by links are limited per hour", async () => {
  // The tests have no limits of their own.
  await sql`insert into private.request_limits values ('approval', 'everyone', 1, '1 hour')`;
  expect(await review(randomUUID(), 1)).toContain("This link has ended");
  expect(await review(randomUUID(), 1)).toBe(
    "There were too many attempts. Please try again in an hour.",
  );
});
