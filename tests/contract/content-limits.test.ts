// The database limits the text of a post, and says so to the owner.
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, expect, test } from "vitest";
import { parseBlocks } from "../../app/posts/blocks.tsx";
import { newPost, restoring, saving, scheduling, storeDraft, submitting } from "../post-calls.ts";
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
  const { related_services, ...row } = newPost({ author, content });
  const insert = await client.from("posts").insert(row);
  await client.from("posts").upsert({ ...row, content: [{ type: "paragraph", text: "A" }] });
  const update = await client.from("posts").update({ content }).eq("id", row.id);
  expect([insert.error, update.error]).toEqual([rejected, rejected]);
  const draft = { id: randomUUID(), content };
  const saved = await client.rpc("save_draft", saving(draft));
  const { saved_at } = await storeDraft(client, { ...draft, content: [] });
  const changed = await client.rpc("save_draft", saving(draft, { replaced: saved_at }));
  expect([saved.error, changed.error]).toEqual([rejected, rejected]);
  const scheduled = await client.rpc("schedule", scheduling(newPost({ author, content })));
  expect(scheduled.error).toEqual(rejected);
});

const row = (cells: number) => Array<string>(cells).fill("a");
const mark = [{ type: "link", start: 0, end: 1, href: "javascript:alert(1)" }];
test.each<[kind: string, table: object, isShown: boolean]>([
  ["as many columns as the limit", { rows: [row(50), ["a"], []] }, true],
  ["one more column", { rows: [row(51)] }, false],
  ["as many cells as the limit", { rows: Array(5000).fill(["a"]) }, true],
  ["one more row", { rows: [...Array(4999).fill([]), ["a"], []] }, false],
  ["a row that fills up too many others", { rows: [row(50), ...Array(100).fill([])] }, false],
  ["marks that are no marks", { rows: [["a", "b"]], rowMarks: [7, [mark]], header: "x" }, true],
  ["a link to a script", { rows: [["a"]], rowMarks: [[mark]], header: true }, true],
  ["no rows", { rows: [] }, false],
  ["rows without cells", { rows: [[], []] }, false],
  ["nothing in it", {}, false],
  ["a text as rows", { rows: "a" }, false],
  ["an object as rows", { rows: { 0: ["a"] } }, false],
  ["a text as a row", { rows: ["a"] }, false],
  ["null as a row", { rows: [["a"], null] }, false],
  ["a number as a cell", { rows: [["a", 7]] }, false],
  ["null as a cell", { rows: [[null]] }, false],
  ["rows as cells", { rows: [[["a"]]] }, false],
])(
  "the database takes exactly the tables that pages show, past the browser: %s",
  async (_kind, table, isShown) => {
    const content = [
      { type: "paragraph", text: "A" },
      { ...table, type: "table" },
    ];
    const blocks = parseBlocks(content);
    expect(blocks).toHaveLength(isShown ? 2 : 1);
    expect(JSON.stringify(blocks)).not.toContain("javascript:");
    const client: SupabaseClient = owner;
    const message = expect.stringContaining("The text has a table that is damaged or too large");
    const rejected = isShown ? null : expect.objectContaining({ code: "PT422", message });
    const { related_services: _, ...post } = newPost({ author, content });
    expect((await client.from("posts").insert(post)).error).toEqual(rejected);
    const { id, category: __, ...page } = post;
    const stored = await client.from("pages").insert({ ...page, id, slug: `t-${id}` });
    expect(stored.error).toEqual(rejected);
    await client.from("pages").delete().eq("id", id).throwOnError();
  },
);

test.each([
  ["a placeholder of a template", "Ask [Name] about it.", true],
  ["one that was changed a little", "[Your answer, in one sentence]", true],
  ["one without its end", "[Commissions, fees or both", true],
  ["a number in brackets", "As Ada says [1] [sic]", false],
  ["other words in brackets", "[the client] [Names] [Name of the firm] [Your fee]", false],
])("a text is not made public with %s, past the browser", async (_case, text, isRejected) => {
  const content = [
    { type: "heading", text: "Fees" },
    { type: "list", items: ["One", text] },
  ];
  const client: SupabaseClient = owner;
  const message = expect.stringContaining("Fill in or remove [");
  const rejected = isRejected ? expect.objectContaining({ code: "PT422", message }) : null;
  const { related_services: _, ...post } = newPost({ author, content });
  const { category: __, ...page } = { ...post, id: randomUUID(), slug: `p-${post.id}` };
  const [first, second] = [post.id, page.id];
  const unfilled = { id: randomUUID(), slug: `d-${post.id}`, content };
  // A draft has them until it is published.
  const { saved_at } = await storeDraft(client, { ...page, ...unfilled }, "page");
  const publish = [{ kind: "page", thing: unfilled.id, draft: saved_at, document: null }];
  const errors = [
    await client.from("posts").insert(post),
    await client.from("pages").insert(page),
    await client.rpc("publish", { changes: JSON.stringify(publish) }),
    await client.rpc("schedule", scheduling(newPost({ author, content }))),
    await client.rpc("submit", submitting(newPost({ author, content }), null)),
  ].map(({ error }) => error);
  expect(errors).toEqual(errors.map(() => rejected));
  // A page that is hidden is not public until it is shown.
  const hidden = { ...page, id: randomUUID(), slug: `h-${post.id}`, hidden: true };
  await client.from("pages").insert(hidden).throwOnError();
  const shown = await client.from("pages").update({ hidden: false }).eq("id", hidden.id);
  expect(shown.error).toEqual(rejected);
  for (const id of [first, second, hidden.id, unfilled.id]) {
    await client.from("posts").delete().eq("id", id).throwOnError();
    await client.from("pages").delete().eq("id", id).throwOnError();
  }
});

test("blocks of other types, and what is no block, are taken as before", async () => {
  const content = [{ type: "future", rows: 7 }, { rows: 7 }, [{ type: "table" }], "table", null];
  expect((await owner.from("posts").insert(newPost({ author, content }))).error).toBeNull();
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
  const versions = client.from("versions").select("number").eq("thing", id);
  const newest = versions.order("number", { ascending: false }).limit(1).single();
  const { data: version } = await newest.throwOnError();
  await client.rpc("restore", restoring(version.number)).throwOnError();
  const draft = await owner.from("drafts").select("document").eq("thing", id).single();
  expect(draft.data?.document).toMatchObject({ content: linked(1001) });
});
