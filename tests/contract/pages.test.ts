// Pages of the owner's own: what they share with posts, and what is different.
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { ownPagesSchema } from "../../app/config/site-pages.ts";
import {
  decision,
  managedSearch,
  restoring,
  storeDraft,
  submitting,
  thingOf,
} from "../post-calls.ts";
import { setUpProject } from "../start-project.ts";

const { sql, visitor, owner } = await setUpProject<SupabaseClient>();

function newPage(changes: Record<string, unknown> = {}) {
  const id: string = randomUUID();
  const content = [{ type: "paragraph", text: "Findable words." }];
  return { id, slug: `page-${id}`, title: "Team", author: "Ada", content, ...changes };
}

async function publish(changes: Record<string, unknown> = {}) {
  const page = newPage(changes);
  await owner.from("pages").insert(page).throwOnError();
  return page;
}

async function change(id: string, changes: object) {
  await owner.from("pages").update(changes).eq("id", id).select("id").single().throwOnError();
}

/** What the public settings say about the pages. */
async function links() {
  const { data } = await visitor
    .from("public_site_settings")
    .select("document, version")
    .eq("section", "ownPages")
    .single()
    .throwOnError();
  return { ...ownPagesSchema.parse(data.document), version: data.version };
}

async function listed(id: string, kind = "page", filter = "all") {
  const search = managedSearch({ filter, kind });
  const { data } = await owner.rpc("search_managed_posts", search).throwOnError();
  return data.rows.find((row: { id: string }) => row.id === id) ?? null;
}

async function versionsOf(id: string) {
  const versions = owner.from("versions").select("number, event, document").eq("thing", id);
  return (await versions.order("number").throwOnError()).data ?? [];
}

test("a page is in no list, search or count of posts", async () => {
  const { id, slug } = await publish();
  const { data: found } = await visitor
    .rpc("search_posts", { query: "findable", first: 0, count: 9 })
    .throwOnError();
  expect(found).toEqual([]);
  const posts = await visitor.from("posts").select("id").eq("id", id).throwOnError();
  expect(posts.data).toEqual([]);
  expect(await listed(id, "post")).toBeNull();
  expect(await listed(id)).toMatchObject({ state: "published", slug, place: "footer" });
});

test("a page has drafts, previews and a history, and can be restored after a deletion", async () => {
  const page = newPage();
  const draft = { id: page.id, title: "Team", slug: page.slug };
  const { saved_at } = await storeDraft(owner, draft, "page");
  expect(await listed(page.id)).toMatchObject({ state: "draft" });
  expect(await listed(page.id, "post")).toBeNull();
  const link = owner
    .from("previews")
    .insert({ kind: "page", thing: page.id })
    .select("token")
    .single();
  const { token } = (await link.throwOnError()).data;
  const preview = async () =>
    (await visitor.rpc("get_preview", { preview_token: token }).throwOnError()).data;
  expect(await preview()).toMatchObject({ state: "draft", kind: "page" });

  await owner
    .from("pages")
    .insert({ ...page, draft_version: saved_at })
    .throwOnError();
  expect(await preview()).toBeNull();
  await change(page.id, { title: "Our team", draft_version: null });
  // A version, because every page of the site shows the menu, but not the end of a draft.
  await storeDraft(owner, { ...draft, title: "Newer" }, "page");
  await change(page.id, { place: "menu", position: 7 });
  expect(await listed(page.id)).toMatchObject({ has_draft: true, place: "menu", position: 7 });

  await owner.from("pages").delete().eq("id", page.id).throwOnError();
  const versions = await versionsOf(page.id);
  expect(versions.map(({ event }) => event)).toEqual([
    "published",
    "published",
    "published",
    "draft",
    "deleted",
  ]);
  expect(await listed(page.id, "page", "deleted")).toMatchObject({ title: "Our team" });
  expect(await listed(page.id, "post", "deleted")).toBeNull();
  await owner.rpc("restore", restoring(versions.at(-1)?.number)).throwOnError();
  expect(await listed(page.id)).toMatchObject({ state: "draft", title: "Our team" });
});

test("a window that writes goes on when its page is moved in the menu", async () => {
  const page = await publish();
  const number = async () => (await versionsOf(page.id)).at(-1)?.number;
  const base = await number();
  const save = (title: string, replaced: string | null) => {
    const draft = { ...thingOf({ id: page.id, title }, "page"), base, replaced };
    return owner.rpc("save_draft", draft).throwOnError();
  };
  const saved = (await save("A", null)).data;
  await change(page.id, { place: "menu" });
  expect(await number()).not.toBe(base);
  await save("B", saved);
  const drafts = owner.from("drafts").select("base").eq("thing", page.id).single();
  expect((await drafts).data).toEqual({ base: await number() });
  await change(page.id, { title: "Other words", draft_version: null });
  const { error } = await owner.rpc("save_draft", {
    ...{ ...thingOf({ id: page.id, title: "C" }, "page"), base, replaced: saved },
  });
  expect(error).not.toBeNull();
});

test("the undo of a deletion adds a number when the address is taken", async () => {
  const { id, slug } = await publish();
  await owner.from("pages").delete().eq("id", id).throwOnError();
  await publish({ slug });
  await owner.rpc("undo_deletion", { kind: "page", thing: id }).throwOnError();
  expect(await listed(id)).toMatchObject({ state: "published", slug: `${slug}-1` });
});

test("two pages swap their positions, and nothing moves when one of them is gone", async () => {
  const [first, second] = [await publish({ position: 1 }), await publish({ position: 2 })];
  const swap = (other: string) => owner.rpc("swap_pages", { one: first.id, other });
  const positions = async () => [
    (await listed(first.id)).position,
    (await listed(second.id)).position,
  ];
  await swap(second.id).throwOnError();
  expect(await positions()).toEqual([2, 1]);
  expect((await swap(randomUUID())).error?.message).toBe("One of the pages has been deleted");
  expect(await positions()).toEqual([2, 1]);
});

test("the public settings have the shown pages in order, and where former addresses lead", async () => {
  const first = await publish({ place: "menu", position: 1000 });
  const second = await publish({ place: "menu", position: 999 });
  const shown = async () => {
    const { items, former } = await links();
    const slugs = items.map(({ slug }) => slug);
    const own = slugs.filter((slug) => [first.slug, second.slug, "renamed"].includes(slug));
    return { own, former: former[first.slug] };
  };
  expect(await shown()).toEqual({ own: [second.slug, first.slug], former: undefined });
  const { version } = await links();
  await change(first.id, { slug: "renamed", draft_version: null });
  expect(await shown()).toEqual({ own: [second.slug, "renamed"], former: "renamed" });
  expect((await links()).version).toBeGreaterThan(version);
  await change(first.id, { hidden: true });
  expect(await shown()).toEqual({ own: [second.slug], former: undefined });
  expect((await visitor.from("pages").select("id").eq("slug", "renamed")).data).toEqual([]);
  await change(first.id, { hidden: false });
  // The address belongs to another page now.
  const third = await publish({ slug: first.slug });
  expect(await shown()).toMatchObject({ former: undefined });
  await owner.from("pages").delete().eq("id", third.id).throwOnError();
  expect(await shown()).toMatchObject({ former: "renamed" });
});

test("an address that a page had only while it was hidden leads nowhere", async () => {
  const page = await publish({ hidden: true });
  await change(page.id, { slug: `${page.slug}-shown`, draft_version: null });
  await change(page.id, { hidden: false });
  const { items, former } = await links();
  expect(items.map(({ slug }) => slug)).toContain(`${page.slug}-shown`);
  expect(former).not.toHaveProperty(page.slug);
});

test("a page needs the approval that posts need, and its order does not", async () => {
  const page = await publish();
  await sql`insert into public.site_settings (section, document, version)
    values ('blog', '{"needApproval": true, "ownersNeedApproval": true}', 1)`;
  try {
    const { error } = await owner.from("pages").insert(newPage());
    expect(error?.message).toContain("needs approval");
    await change(page.id, { place: "none", hidden: true });
    const submission = await owner
      .rpc("submit", submitting({ ...page, title: "Approved" }, null, "page"))
      .throwOnError();
    await sql`update public.site_settings set document = '{"needApproval": true}'`;
    const decided = await owner.rpc("decide", decision(submission.data)).throwOnError();
    expect(decided.data).toBeNull();
    await sql`update public.site_settings
      set document = '{"needApproval": true, "ownersNeedApproval": true}'`;
    await change(page.id, { title: "Approved", hidden: false, draft_version: null });
  } finally {
    await sql`delete from public.site_settings`;
  }
});
