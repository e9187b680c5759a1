// Posts of another site: an import adds each once, and a published one has its former date and address.
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { isRefused } from "../../supabase/functions/_shared/api-errors.ts";
import { newPost, scheduling } from "../post-calls.ts";
import { setUpProject } from "../start-project.ts";

const { sql, visitor, owner } = await setUpProject<SupabaseClient>();

const former = "2019-03-04T05:06:07+00:00";

function newImport(changes: Record<string, unknown> = {}) {
  const id = randomUUID();
  return {
    ...{ id, title: "Wills", category: "Family", slug: "", former_path: `/2019/${id}` },
    ...{ content: [{ type: "paragraph", text: "Ask first." }], published_date: former },
    ...changes,
  };
}

async function importPost(post: object) {
  return owner.rpc("import_post", { post: JSON.stringify(post) });
}

async function draftOf(id: string) {
  const drafts = owner.from("drafts").select("kind, document, saved_at").eq("thing", id);
  return (await drafts.maybeSingle().throwOnError()).data as {
    kind: string;
    document: Record<string, unknown>;
    saved_at: string;
  } | null;
}

/** Publishes its draft as the editor does. @returns the stored dates */
async function publish(id: string) {
  const draft = await draftOf(id);
  if (!draft) throw new Error("There is no draft");
  const now = new Date().toISOString();
  const { title, category, content } = draft.document;
  const post = newPost({
    ...{ id, slug: id, title, category, content, draft_version: draft.saved_at },
    ...{ published_date: now, created_at: now, updated_at: now },
  });
  const columns = "published_date, created_at, updated_at";
  const { data } = await owner.from("posts").insert(post).select(columns).single().throwOnError();
  return { now, ...data };
}

/** Where a former address leads. */
async function targetOf(address: string, client = visitor): Promise<string | null> {
  const [path = "", query] = address.split("?");
  const parameters = query?.split("&") ?? [];
  const { data } = await client.rpc("find_former_path", { path, parameters }).throwOnError();
  return data;
}

test("an import adds a post once, also after its draft was deleted or published", async () => {
  const [deleted, published] = [newImport(), newImport()];
  for (const post of [deleted, published]) {
    expect(await importPost(post)).toMatchObject({ data: true, error: null });
    expect(await importPost(post)).toMatchObject({ data: false, error: null });
  }
  await owner
    .rpc("discard_draft", { kind: "post", thing: deleted.id, replaced: null })
    .throwOnError();
  await publish(published.id);
  for (const post of [deleted, published]) {
    expect(await importPost(post)).toMatchObject({ data: false, error: null });
    expect(await draftOf(post.id)).toBeNull();
  }
});

test("a post that the database refuses is not marked as imported", async () => {
  const post = newImport({ title: "t".repeat(501) });
  expect((await importPost(post)).error).toMatchObject({ code: "23514" });
  expect(await importPost({ ...post, title: "Shorter" })).toMatchObject({ data: true });
});

test.each([
  ["a title that is too long", { title: "t".repeat(501) }],
  ["an image that runs a script", { content: [{ type: "image", src: "javascript:alert(1)" }] }],
])(
  "%s is refused with a code by which an import goes on with the next post",
  async (_, changes) => {
    const { error } = await importPost(newImport(changes));
    expect(isRefused(error?.code)).toBe(true);
  },
);

test.each(["no-slash", "/Upper", "/with space", "/line\nbreak", "/é", `/${"a".repeat(600)}`, "/"])(
  "%j is no former path",
  async (former_path) => {
    expect((await importPost(newImport({ former_path }))).error).toMatchObject({ code: "23514" });
  },
);

test("a post is published under its former date, never under one in the future", async () => {
  const { id } = newImport();
  await importPost(newImport({ id }));
  const { now, updated_at, ...dates } = await publish(id);
  expect(dates).toEqual({ published_date: former, created_at: former });
  expect(Math.abs(Date.parse(updated_at) - Date.parse(now))).toBeLessThan(60_000);

  const later = newImport({ published_date: "2100-01-01T00:00:00Z" });
  const unknown = newImport({ published_date: null });
  for (const post of [later, unknown]) {
    await importPost(post);
    const stored = await publish(post.id);
    expect(stored.published_date).toBe(stored.updated_at);
  }
});

test("a scheduled post keeps the time that was chosen for it", async () => {
  const { id, former_path } = newImport();
  await importPost(newImport({ id, former_path }));
  const post = scheduling(newPost({ id }), { draft: (await draftOf(id))?.saved_at });
  await owner.rpc("schedule", post).throwOnError();
  const due = new Date(Date.now() - 1000);
  await sql`update public.schedules set at = ${due} where thing = ${id}`;
  const publishedDate = async () =>
    (await visitor.from("posts").select("published_date").eq("id", id).maybeSingle()).data
      ?.published_date;
  await sql`select private.publish_due()`;
  expect(Date.parse(await publishedDate())).toBe(due.getTime());
  expect(await targetOf(former_path)).toMatch(/^\/blog\/./);
});

test("a former address is secret until its post is public", async () => {
  const { id, former_path } = newImport();
  await importPost(newImport({ id, former_path }));
  expect(await targetOf(former_path, owner)).toBeNull();
  expect((await visitor.from("imported_posts").select("id")).error).toMatchObject({
    code: "42501",
  });
  await publish(id);
  expect(await targetOf(former_path)).toBe(`/blog/${id}`);
});

/** Imports a post with each address, and publishes all but those that end with '!'. */
async function importAddresses(...addresses: string[]) {
  const ids: string[] = [];
  for (const address of addresses) {
    const post = newImport({ former_path: address.replace("!", "") });
    await importPost(post);
    if (!address.endsWith("!")) await publish(post.id);
    ids.push(`/blog/${post.id}`);
  }
  return ids;
}

test("a query can be what tells two former addresses apart", async () => {
  const [first, second, plain] = await importAddresses(
    ...["/a/post.aspx?id=1", "/a/post.aspx?id=2", "/a/post.aspx", "/a/post.aspx?id=3!"],
  );
  expect(await targetOf("/a/post.aspx?id=1")).toBe(first);
  expect(await targetOf("/a/post.aspx?id=2&page=2")).toBe(second);
  expect(await targetOf("/a/post.aspx")).toBe(plain);
  // Of a draft, of a post that was not imported, of two posts.
  for (const other of ["?id=3", "?id=4", "?id=1&id=2"]) {
    expect(await targetOf(`/a/post.aspx${other}`)).toBeNull();
  }
});

test("a query that is not known leads to the post of the path, unless a program answered there", async () => {
  const [html, , folder] = await importAddresses("/b/a.html", "/b/a.php", "/b/a");
  expect(await targetOf("/b/a.html?m=1")).toBe(html);
  expect(await targetOf("/b/a?replytocom=5")).toBe(folder);
  expect(await targetOf("/b/a.php")).not.toBeNull();
  expect(await targetOf("/b/a.php?id=5")).toBeNull();
});

test("an address that two posts had leads to none", async () => {
  await importAddresses("/c/blog", "/c/blog");
  expect(await targetOf("/c/blog")).toBeNull();
  await importAddresses("/c/draft", "/c/draft!");
  expect(await targetOf("/c/draft")).toBeNull();
});

test("a page is imported as a page, and its former address leads to it unless it is hidden", async () => {
  const page = newImport({ is_page: true, author: "June Hartwell" });
  await importPost(page);
  const draft = await draftOf(page.id);
  expect(draft).toMatchObject({ kind: "page", document: { author: "June Hartwell" } });
  const { category, image_url, related_services, ...row } = newPost({
    ...{ id: page.id, slug: `p-${page.id}`, draft_version: draft?.saved_at },
  });
  await owner.from("pages").insert(row).throwOnError();
  expect(await targetOf(page.former_path)).toBe(`/p-${page.id}`);
  await owner.from("pages").update({ hidden: true }).eq("id", page.id).throwOnError();
  expect(await targetOf(page.former_path)).toBeNull();
});
