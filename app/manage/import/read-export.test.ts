// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blocksToText } from "../content/marked-blocks.ts";
import { readExport } from "./read-export.ts";

const folder = join(import.meta.dirname, "../../../tests/fixtures/exports");

async function readFile(name: string) {
  return readBytes(readFileSync(join(folder, name)));
}

async function readBytes(file: Uint8Array) {
  const found = readExport(file);
  if (!found) return null;
  const posts = await Promise.all(found.items.map((item) => found.read(item)));
  return {
    others: found.others,
    posts: posts.map(({ post: { content, ...post }, ...rest }) => ({
      ...post,
      ...rest,
      text: blocksToText(content),
    })),
  };
}

const rssOf = (items: string) =>
  new TextEncoder().encode(
    `<rss version="2.0"><channel><link>https://a.example</link>${items}</channel></rss>`,
  );

test("an export of WordPress keeps text, title, date, category and address, and names its images", async () => {
  const { posts, others } = (await readFile("wordpress.xml")) ?? {};
  expect(others).toBe("1 × deleted post, 1 × page, 1 × attachment");
  expect(posts).toMatchObject([
    {
      title: "Term & whole life: which fits?",
      category: "Life & Insurance",
      slug: "term-or-whole-life",
      former_path: "/2023/05/term-or-whole-life",
      published_date: "2023-05-10T14:00:00.000Z",
      problem: null,
      notes: [],
      images: [
        "https://www.hartwell.example/wp-content/uploads/2023/05/family.jpg",
        "https://www.hartwell.example/wp-content/uploads/2023/05/oak.jpg?w=1024&h=683",
      ],
      text: [
        "Most families ask **one question** first, and [so can you](https://www.hartwell.example/contact/).",
        "## What differs",
        "- Term ends.\n- Whole life does not.",
        "[An oak](https://www.hartwell.example/wp-content/uploads/2023/05/oak.jpg?w=1024&h=683)",
        "Behind our office",
        "> Buy time first.",
      ].join("\n\n"),
    },
    {
      title: "Notes for next week",
      slug: "",
      former_path: null,
      published_date: null,
      images: ["https://cdn.example/desk.jpg"],
      notes: ["It was not public: draft."],
      text: [
        "[Image](https://cdn.example/desk.jpg) My desk",
        "First paragraph\nwith a second line.",
        "**Second** paragraph.",
        "- One",
      ].join("\n\n"),
    },
  ]);
});

test("an export of Squarespace with its damaged ampersands is read", async () => {
  const { posts, others } = (await readFile("squarespace.xml")) ?? {};
  expect(others).toBe("1 × attachment, 1 × page");
  expect(posts).toMatchObject([
    {
      title: "Wills & Trusts & More—Basics",
      category: "Estate planning",
      slug: "wills",
      former_path: "/blog/2022/6/7/wills.html",
      published_date: "2022-06-07T03:00:44.000Z",
      notes: ["A table became a list of its rows."],
      images: [
        "https://images.squarespace-cdn.com/content/cover.jpg?ixlib=rb&fit=crop",
        "https://images.squarespace-cdn.com/content/lake.jpg",
        "https://www.youtube.com/embed/abc",
      ],
    },
  ]);
  expect(posts?.[0]?.text).toContain("A will says *who*.");
  expect(posts?.[0]?.text).toContain("lake.jpg](");
  expect(posts?.[0]?.text).toContain("- Will – $400\n- Trust – $1,900");
  expect(posts?.[0]?.text).toContain("[A talk about wills](https://www.youtube.com/embed/abc)");
});

test("an RSS file keeps what it has, in its own encoding", async () => {
  const { posts } = (await readFile("feed.rss")) ?? {};
  expect(posts).toMatchObject([
    {
      title: "Café talk",
      category: "Retirement",
      slug: "",
      former_path: "/?p=12",
      published_date: "2020-01-03T13:30:00.000Z",
      text: "The whole text.",
    },
    { title: "", category: "", slug: "", former_path: null, published_date: null },
  ]);
  expect(posts?.[1]?.text).toBe("No title, no link, no date & no id.");
});

test("an Atom file keeps its XHTML, and the address of its page", async () => {
  expect((await readFile("feed.atom"))?.posts).toMatchObject([
    {
      title: "Saving & spending",
      category: "Money",
      slug: "saving",
      former_path: "/notes/saving",
      published_date: "2024-02-03T10:00:00.000Z",
      text: "Save **first**.\nThen spend.",
    },
    { title: "Only a summary", published_date: "2024-03-01T00:00:00.000Z", text: "Short." },
  ]);
});

test("a post has the same id in every export, and another one than other posts", async () => {
  const idsIn = async (name: string) => (await readFile(name))?.posts.map(({ id }) => id) ?? [];
  expect(await idsIn("feed.rss")).toEqual(await idsIn("feed.rss"));
  const names = ["wordpress.xml", "squarespace.xml", "feed.rss", "feed.atom"];
  const ids = (await Promise.all(names.map(idsIn))).flat();
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
});

test.each([
  ["nothing", ""],
  ["a text", "Dear Ada"],
  ["a page", "<!doctype html><html><body><p>Sign in</p></body></html>"],
  ["another XML", "<svg xmlns='http://www.w3.org/2000/svg'/>"],
])("%s is no export", async (_, text) => {
  expect(await readBytes(new TextEncoder().encode(text))).toBeNull();
});

test("a text in UTF-16, or with a wrong declaration, is read", async () => {
  const xml = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><rss><channel><item><title>Café \u0001\u000b“a”</title></item></channel></rss>`;
  const utf16 = Buffer.from(`\ufeff${xml("utf-16")}`, "utf16le");
  const wrong = Buffer.from(xml("utf-8").replace(/[“”]/g, "'"), "latin1");
  for (const file of [utf16, Buffer.from(xml("klingon")), wrong]) {
    expect((await readBytes(file))?.posts[0]?.title).toMatch(/^Café ['“]a['”]$/);
  }
});

test("entities that a file declares are not expanded", async () => {
  const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]>
    <rss><channel><item><title>&b;</title></item></channel></rss>`;
  expect((await readBytes(new TextEncoder().encode(bomb)))?.posts[0]?.title ?? "").not.toContain(
    "aaa",
  );
});

test("a text that is too long is a problem of its post alone, and no script address survives", async () => {
  const file = rssOf(
    `<item><title>Long</title><description>${"word ".repeat(500_000)}</description></item>
     <item><title>${"t".repeat(600)}</title><link>javascript:alert(1)</link>
       <description>&lt;a href="javascript:alert(1)"&gt;x&lt;/a&gt;&lt;img src="data:image/png;base64,AA"&gt;</description></item>`,
  );
  expect((await readBytes(file))?.posts).toMatchObject([
    { title: "Long", problem: "The text is too long." },
    { title: "t".repeat(500), former_path: null, text: "x", images: [], problem: null },
  ]);
});
