// The calls of the site through the real supabase-js: the contract of every backend.
import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { openClient, setUpProject } from "../start-project.ts";

const { project, visitor, owner } = await setUpProject();
const mark = randomUUID();

afterAll(async () => {
  await owner.from("posts").delete().eq("category", mark);
  await owner.from("testimonials").delete().eq("name", mark);
  await Promise.all([visitor.removeAllChannels(), owner.removeAllChannels()]);
});

function newPost(slug = `post-${mark}-${randomUUID()}`) {
  return {
    id: randomUUID(),
    slug,
    title: "A title",
    category: mark,
    author: "Ada Author",
  };
}

test("posts are read newest first, timestamps in ISO 8601", async () => {
  const { data, error } = await visitor
    .from("posts")
    .select("*")
    .order("created_at", { ascending: false });
  expect(error).toBeNull();
  const times = (data ?? []).map((post) => post.created_at);
  expect(times.length).toBeGreaterThan(1);
  expect(times).toEqual(times.toSorted((a, b) => Date.parse(b) - Date.parse(a)));
  expect(times[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
  expect(Array.isArray(data?.[0]?.content)).toBe(true);
});

test("a slug that looks like another type is still text", async () => {
  const slugs = ["true", "null", "1e5", "007", "2026", "infinity", "__proto__"];
  for (const slug of slugs) {
    const { error } = await owner.from("posts").insert({ ...newPost(slug), title: mark });
    expect(error).toBeNull();
  }
  for (const slug of slugs) {
    const { data, error } = await visitor.from("posts").select("slug").eq("slug", slug);
    expect({ data, error }).toEqual({ data: [{ slug }], error: null });
  }
  const { data } = await visitor.from("posts").select("slug").in("slug", slugs);
  expect(data).toHaveLength(slugs.length);
  await owner.from("posts").delete().eq("title", mark);
});

test("a slug of no other post gives PGRST116 with single()", async () => {
  const { data, error, status } = await visitor
    .from("posts")
    .select("slug")
    .eq("slug", `free-${mark}`)
    .neq("id", randomUUID())
    .single();
  expect({ data, status, code: error?.code }).toEqual({
    data: null,
    status: 406,
    code: "PGRST116",
  });
});

test("maybeSingle finds one row or none without an error", async () => {
  const post = newPost();
  await owner.from("posts").insert(post);
  expect(
    (await visitor.from("posts").select("*").eq("slug", post.slug).maybeSingle()).data?.id,
  ).toBe(post.id);
  const none = await visitor.from("posts").select("*").eq("slug", `free-${mark}`).maybeSingle();
  expect(none).toMatchObject({ data: null, error: null });
});

test("the owner's insert, update and delete return the rows", async () => {
  const post = { ...newPost(), content: [{ type: "paragraph", text: "Hello" }] };
  const inserted = await owner.from("posts").insert(post).select().single();
  expect(inserted.data).toMatchObject({ ...post, image_url: null, related_services: [] });

  const related = [{ slug: "life-insurance" }];
  const updated = await owner
    .from("posts")
    .update({ title: "Another", related_services: related })
    .eq("id", post.id)
    .select();
  expect(updated.data).toMatchObject([
    { id: post.id, title: "Another", related_services: related },
  ]);

  const removed = await owner.from("posts").delete().eq("id", post.id).select("id");
  expect(removed.data).toEqual([{ id: post.id }]);
  const again = await owner.from("posts").delete().eq("id", post.id).select("id");
  expect(again).toMatchObject({ data: [], error: null });
});

test("a duplicate slug is rejected with 23505", async () => {
  const post = newPost();
  await owner.from("posts").insert(post);
  const { error, status } = await owner.from("posts").insert({ ...newPost(), slug: post.slug });
  expect({ code: error?.code, status }).toEqual({ code: "23505", status: 409 });
});

test("a violated CHECK is a client error: 400 with 23514", async () => {
  const { error, status } = await owner
    .from("testimonials")
    .insert({ name: mark, content: "Six stars", rating: 6 });
  expect({ code: error?.code, status }).toEqual({ code: "23514", status: 400 });
});

test("a sign-in gives a session that refreshes, and a sign-out ends it", async () => {
  const client = openClient(project);
  const signedIn = await client.auth.signInWithPassword(project.owner);
  expect(signedIn.data.user?.email).toBe(project.owner.email);

  const refreshed = await client.auth.refreshSession();
  expect(refreshed.error).toBeNull();
  expect(refreshed.data.session?.refresh_token).not.toBe(signedIn.data.session?.refresh_token);
  expect((await client.auth.getUser()).data.user?.email).toBe(project.owner.email);

  // Local scope: the other tests use sessions of the same account.
  expect((await client.auth.signOut({ scope: "local" })).error).toBeNull();
  expect((await client.auth.getSession()).data.session).toBeNull();
  const reused = await client.auth.refreshSession({
    refresh_token: refreshed.data.session?.refresh_token ?? "",
  });
  expect(reused.error).not.toBeNull();
});

test("a wrong password is rejected with a message", async () => {
  const client = openClient(project);
  const wrong = await client.auth.signInWithPassword({
    ...project.owner,
    password: "not-the-password",
  });
  expect(wrong.error?.message).toBe("Invalid login credentials");
  expect((await client.auth.getSession()).data.session).toBeNull();
});

test("insert, update and delete of a post arrive as postgres_changes", async () => {
  const post = newPost();
  const events: { eventType: string; new: { id?: string }; old: { id?: string } }[] = [];
  const { promise: subscribed, resolve } = Promise.withResolvers<void>();
  visitor
    .channel("realtime posts")
    .on(
      "postgres_changes",
      { event: "*", schema: "public", table: "posts", select: ["id"] },
      (event) => {
        const row = event as (typeof events)[number];
        if (row.new.id === post.id || row.old.id === post.id) events.push(row);
      },
    )
    // A project that nobody was connected to joins the channel seconds before it sends changes.
    .on("system", {}, ({ status }) => status === "ok" && resolve())
    .subscribe();
  await subscribed;

  await owner.from("posts").insert(post);
  await expect.poll(() => events).toHaveLength(1);
  await owner.from("posts").update({ title: "Changed" }).eq("id", post.id);
  await expect.poll(() => events).toHaveLength(2);
  await owner.from("posts").delete().eq("id", post.id);
  await expect.poll(() => events).toHaveLength(3);

  expect(events.map(({ eventType }) => eventType)).toEqual(["INSERT", "UPDATE", "DELETE"]);
  expect(events[0]?.new).toEqual({ id: post.id });
  expect(events[2]?.old).toEqual({ id: post.id });
});
