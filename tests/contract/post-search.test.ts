// Search, categories, neighbors and former addresses of posts, as a visitor's browser asks for them.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { categoryPath, listCategories } from "../../app/posts/categories.ts";
import { findPost } from "../../app/posts/find-post.ts";
import { listNeighbors } from "../../app/posts/neighbor-posts.tsx";
import { readCategoryPosts, searchPosts } from "../../app/posts/post-lists.ts";
import { setUpProject } from "../start-project.ts";

const { visitor, owner, admin } = await setUpProject();
const mark = randomUUID().slice(0, 8);
/** A word that only the posts of this test contain. */
const word = `zygote${mark}`;

beforeAll(async () => {
  await admin
    .from("posts")
    .insert([
      post("text-old", 1, {
        content: [{ type: "paragraph", text: `About ${word} and policies.` }],
      }),
      post("text-new", 4, { content: [{ type: "quote", text: `A ${word} quote` }] }),
      post("list-item", 3, { content: [{ type: "list", items: ["One", `Two ${word}`] }] }),
      post("cell", 6, { content: [{ type: "table", rows: [["One"], [`A ${word}`]] }] }),
      post("image-alt", 2, {
        content: [{ type: "image", src: "/images/x.png", alt: `A ${word}` }],
      }),
      post("tagline", 0, { tagline: `All about ${word}` }),
      post("title", -1, { title: `The ${word}` }),
      post("elsewhere", 5, {
        content: [
          { type: "image", src: `/images/${word}.png` },
          { type: "paragraph", text: { nested: word } },
          [{ deeper: word }],
          word,
          null,
          7,
        ],
      }),
    ])
    .throwOnError();
});

afterAll(async () => void (await owner.from("posts").delete().eq("author", mark)));

/** @param minute orders the posts by time */
function post(name: string, minute: number, values: Record<string, unknown>) {
  return {
    id: randomUUID(),
    slug: `${name}-${mark}`,
    title: name,
    category: `Category ${mark}`,
    author: mark,
    tagline: "",
    content: [],
    created_at: new Date(Date.UTC(2020, 0, 1, 12, minute)).toISOString(),
    ...values,
  };
}

function search(query: string, page = 1) {
  return searchPosts(visitor, query, page);
}

async function find(query: string): Promise<string[]> {
  return (await search(query)).rows.map(({ slug }) => slug.replace(`-${mark}`, ""));
}

test("a search finds words in title, tagline, text, lists, tables and alternative texts: title first, then tagline, then the newest", async () => {
  expect(await find(word)).toEqual([
    "title",
    "tagline",
    "cell",
    "text-new",
    "list-item",
    "image-alt",
    "text-old",
  ]);
  expect((await search(word)).found).toBe(7);
});

test("a search combines words, finds other forms of a word, excludes words, and reads quotes as words", async () => {
  expect(await find(`${word} policy`)).toEqual(["text-old"]);
  expect(await find(`${word} -quote -two -policies -tagline`)).toEqual([
    "title",
    "cell",
    "image-alt",
  ]);
  expect(await find(`"policies ${word}"`)).toEqual(["text-old"]);
  expect((await find(`nothing${mark} or ${word}`)).slice(0, 2)).toEqual(["title", "tagline"]);
  expect(await find(`${word} list item`)).toEqual(["list-item"]);
});

test("only the newest 200 matches are ranked by their title, and older ones follow", async () => {
  const many = `quokka${mark}`;
  const rows = Array.from({ length: 202 }, (_, index) =>
    post(`many-${index}`, index, {
      category: "Many",
      tagline: index > 1 ? many : "",
      title: index > 1 ? "A" : many,
    }),
  );
  await admin.from("posts").insert(rows).throwOnError();
  const names = async (page: number) =>
    (await search(many, page)).rows.map(({ slug }) => slug.replace(`-${mark}`, ""));
  expect((await names(1))[0]).toBe("many-201");
  expect((await names(9)).slice(-2)).toEqual(["many-1", "many-0"]);
  expect((await search(many)).found).toBe(202);
  await owner.from("posts").update({ title: many }).eq("slug", `many-2-${mark}`).throwOnError();
  expect((await names(1)).slice(0, 2)).toEqual(["many-2", "many-201"]);
});

test("a word that is repeated finds the same posts", async () => {
  const repeated = Array(15).fill(word).join(" or ").slice(0, 200);
  expect(await find(repeated)).toEqual(await find(word));
});

test("a search finds what was changed, and no longer what was deleted", async () => {
  const other = `quagga${mark}`;
  const row = post("changed", 9, {});
  await admin.from("posts").insert(row).throwOnError();
  await owner.from("posts").update({ title: other }).eq("id", row.id).throwOnError();
  expect(await find(other)).toEqual(["changed"]);
  expect((await search(other)).rows).toMatchObject([{ published_date: expect.any(String) }]);
  await owner.from("posts").delete().eq("id", row.id).throwOnError();
  expect(await search(other)).toEqual({ rows: [], page: 1, hasNext: false, found: 0 });
});

test.each([
  "",
  "the",
  "-",
  "((((",
  "& | ! <-> :*",
  "or or or",
  "'; drop table posts; --",
  "%_%",
  "\\",
  '"'.repeat(200),
  "a".repeat(10_000),
  "-a ".repeat(100),
  "a/b/c@d.example:80 <b> &amp; 1e999 -1.5",
  "\u{10ffff}\ufffd\u202e",
])("the hostile query %j has a result", async (query) => {
  const { data, error } = await visitor.rpc("search_posts", { query, first: 0, count: 3 });
  expect(error).toBeNull();
  expect(Array.isArray(data)).toBe(true);
});

test("a query with NUL is rejected, and bounds of a page are kept within limits", async () => {
  const call = { query: word, first: 0, count: 25 };
  expect((await visitor.rpc("search_posts", { ...call, query: "a\0b" })).error).not.toBeNull();
  const rows = async (bounds: object) =>
    (await visitor.rpc("search_posts", { ...call, ...bounds })).data?.length;
  expect(await rows({ first: -5, count: 2 })).toBe(2);
  expect(await rows({ count: -1 })).toBe(0);
  expect(await rows({ count: 2_147_483_647 })).toBe(7);
  expect(await rows({ first: 2_147_483_647 })).toBe(0);
});

test("a post of the largest size, of words that are hard to index, can be stored and is found", async () => {
  const words = (each: (index: number) => string, count: number) =>
    Array.from({ length: count }, (_, index) => each(index)).join(" ");
  const texts = {
    urls: words((index) => `host${index}.example.com/path-${index}/some-thing-${index}`, 9000),
    long: "x".repeat(480_000),
  };
  for (const [name, text] of Object.entries(texts)) {
    const title = `Largest${name}${mark}`;
    const { error } = await admin
      .from("posts")
      .insert(post(`largest-${name}`, 10, { title, content: [{ type: "paragraph", text }] }));
    expect([name, error]).toEqual([name, null]);
    expect(await find(title)).toEqual([`largest-${name}`]);
  }
});

test("the categories are counted, the most frequent first, and a category's page has its posts, newest first", async () => {
  const categories = await listCategories(visitor);
  const counts = categories.map(({ count }) => count);
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  const category = categories.find(({ slug }) => slug === `category-${mark}`);
  expect(category).toMatchObject({ name: `Category ${mark}`, names: [`Category ${mark}`] });
  expect(category?.count).toBeGreaterThanOrEqual(7);

  const found = await readCategoryPosts(visitor, categories, `category-${mark}`, 1);
  expect(found?.list.rows.slice(-3).map(({ title }) => title)).toEqual([
    "text-old",
    "tagline",
    `The ${word}`,
  ]);
  expect(await readCategoryPosts(visitor, categories, "none", 1)).toBeNull();
});

test("the page of a category has its posts whatever characters its names have, and those of other spellings", async () => {
  const named = [[`a"b`], [`back\\slash, comma`], [` lead`], [`(Both, "same")`, `both-SAME`]];
  for (const [index, spellings] of named.entries()) {
    const names = spellings.map((name) => `${name} ${mark}`);
    const titles = names.map((_, place) => `${index}-${place}`);
    const rows = names.map((category, place) =>
      post(`named-${index}-${place}`, place, { category, title: titles[place] }),
    );
    await admin.from("posts").insert(rows).throwOnError();
    const { data: equal } = await visitor
      .from("posts")
      .select("title")
      .eq("category", names[0] ?? "")
      .throwOnError();
    expect(equal).toEqual([{ title: titles[0] }]);
    const categories = await listCategories(visitor);
    const [path] = names.map((name) => categoryPath(name).replace("/blog/category/", ""));
    const found = await readCategoryPosts(visitor, categories, path ?? "", 1);
    expect(found?.list.rows.map(({ title }) => title)).toEqual(titles.toReversed());
  }
});

test("each post has the neighbors that the list shows beside it, also among posts of the same time", async () => {
  const time = "2019-01-01T00:00:00Z";
  await admin
    .from("posts")
    .insert(["c", "a", "b"].map((name) => post(`same-${name}`, 0, { created_at: time })))
    .throwOnError();
  const { data } = await visitor
    .from("posts")
    .select("slug")
    .order("created_at", { ascending: false })
    .order("id")
    .throwOnError();
  const slugs = (data ?? []).map(({ slug }) => slug);
  const isAtEnd = (index: number) => index < 2 || index >= slugs.length - 4;
  for (const [index, slug] of slugs.entries()) {
    if (!isAtEnd(index)) continue;
    const found = await listNeighbors(visitor, slug);
    expect(found.map(({ direction, slug }) => [direction, slug])).toEqual([
      ...(index > 0 ? [["newer", slugs[index - 1]]] : []),
      ...(index < slugs.length - 1 ? [["older", slugs[index + 1]]] : []),
    ]);
  }
  expect(await listNeighbors(visitor, `unknown-${mark}`)).toEqual([]);
});

const slugOf = (name: string) => `${name}-${mark}`;

async function addPost(name: string): Promise<string> {
  const row = post(name, 0, {});
  await admin.from("posts").insert(row).throwOnError();
  return row.id;
}

async function rename(id: string, name: string): Promise<void> {
  const { error } = await owner
    .from("posts")
    .update({ slug: slugOf(name) })
    .eq("id", id);
  expect(error).toBeNull();
}

/** What an address leads to: the id of a post, the slug that the post moved to, or nothing. */
async function lookUp(name: string): Promise<string | null> {
  const found = await findPost(visitor, slugOf(name));
  if (!found) return null;
  return "movedTo" in found ? `moved to ${found.movedTo.replace(`-${mark}`, "")}` : found.id;
}

test.each<[rule: string, slugs: string[], found: Record<string, string>]>([
  [
    "after two renames both former slugs lead directly to the newest",
    ["one", "two", "three"],
    { one: "moved to three", two: "moved to three", three: "the post" },
  ],
  [
    "a post that takes its former slug back owns it again",
    ["back", "forth", "back"],
    { back: "the post", forth: "moved to back" },
  ],
  [
    "an edit that keeps the slug stores no former slug",
    ["steady", "steady"],
    { steady: "the post" },
  ],
])("%s", async (_rule, [first = "", ...others], found) => {
  const id = await addPost(first);
  for (const name of others) await rename(id, name);
  for (const [name, expected] of Object.entries(found)) {
    expect(await lookUp(name)).toBe(expected === "the post" ? id : expected);
  }
  const { data } = await visitor.from("post_slugs").select("slug").eq("post_id", id);
  expect(data).toHaveLength(Object.keys(found).length - 1);
});

test("a new post may take a former slug and owns it", async () => {
  const first = await addPost("wanted");
  await rename(first, "given-up");
  const second = await addPost("wanted");

  expect(await lookUp("wanted")).toBe(second);
  await rename(second, "moved-on");
  expect(await lookUp("wanted")).toBe("moved to moved-on");
  expect(await lookUp("given-up")).toBe(first);
});

test("the former slugs of a deleted post are deleted with it", async () => {
  const id = await addPost("doomed");
  await rename(id, "still-doomed");
  await owner.from("posts").delete().eq("id", id);

  expect(await lookUp("doomed")).toBeNull();
  const { data } = await visitor.from("post_slugs").select("slug").eq("post_id", id);
  expect(data).toEqual([]);
});
