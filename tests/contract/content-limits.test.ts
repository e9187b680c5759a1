// The database limits the text of a post, and says so to the owner.
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, expect, test } from "vitest";
import { newPost, restoring, scheduling } from "../post-calls.ts";
import { setUpProject } from "../start-project.ts";

const { project, sql, owner } = await setUpProject();
const author = randomUUID();

afterAll(async () => void (await owner.from("posts").delete().eq("author", author)));

const image = { type: "image", src: "/images/a.png", alt: "A lamp", width: 1, height: 1 };
const linked = (links: number) => [
  image,
  { type: "paragraph", text: 'WWW.example.com "type": "image" '.repeat(links - 3) },
  { ...image, src: "/images/www.png" },
];
const bold = { type: "bold", start: 0, end: 1 };
/** @param values at least 14 */
const formatted = (values: number) => [
  { type: "numbered-list", items: ["a"], itemMarks: [[bold]] },
  { type: "list", items: Array(values - 14).fill("a") },
];
/** [{"type": "list", "items": ["…", "é"]}] */
const long = (bytes: number) => [{ type: "list", items: ["a".repeat(bytes - 39), "é"] }];
test.each([
  ["as many links and images as the limit", linked(1000), null],
  ["one more", linked(1001), "too many links and images"],
  ["as many list items and formatted words as the limit", formatted(20_000), null],
  ["one more", formatted(20_001), "too many list items"],
  ["as many bytes as the limit", long(500_000), null],
  ["one more", long(500_001), "too long: it can have about 80,000 words"],
])("a text with %s", async (_case, content, problem) => {
  const message = expect.stringContaining(
    `The text ${problem?.startsWith("too l") ? "is" : "has"} ${problem}`,
  );
  const rejected = problem === null ? null : expect.objectContaining({ message });
  const client: SupabaseClient = owner;
  for (const table of ["posts", "post_drafts"] as const) {
    const { related_services, ...row } = newPost({ author, content });
    const insert = await client.from(table).insert(row);
    await client.from(table).upsert({ ...row, content: [{ type: "paragraph", text: "A" }] });
    const update = await client.from(table).update({ content }).eq("id", row.id);
    expect([table, insert.error, update.error]).toEqual([table, rejected, rejected]);
  }
  const scheduled = await client.rpc("schedule_post", scheduling(newPost({ author, content })));
  expect(scheduled.error).toEqual(rejected);
});

test("a post from before the limits changes in other columns, and is restored as a draft after its deletion", async () => {
  if (!project.backend) return;
  const { id, slug, title, category } = newPost();
  await sql`insert into public.posts (id, slug, title, category, author, content)
    values (${id}, ${slug}, ${title}, ${category}, ${author}, ${sql.json(linked(1001))})`;
  const post = () => owner.from("posts").select("title, content").eq("id", id);
  await owner
    .from("posts")
    .update({ title: "B", content: linked(1001) })
    .eq("id", id)
    .throwOnError();
  expect((await post()).data).toEqual([{ title: "B", content: linked(1001) }]);
  await owner.from("posts").delete().eq("id", id).throwOnError();
  const client: SupabaseClient = owner;
  const versions = client.from("post_versions").select("id").eq("post_id", id);
  const newest = versions.order("id", { ascending: false }).limit(1).single();
  const { data: version } = await newest.throwOnError();
  await client.rpc("restore_post_version", restoring(version.id)).throwOnError();
  const draft = await owner.from("post_drafts").select("content").eq("id", id).single();
  expect(draft.data?.content).toEqual(linked(1001));
});
