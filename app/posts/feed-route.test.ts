import { expect, test } from "vitest";
import { settingsContext, siteContext } from "../config/request-context.ts";
import { clientContext } from "../supabase/client-context.ts";
import { blocksToHtml, loader } from "./feed-route.ts";

test.each(["/rss.xml", "/atom.xml"])(
  "%s leaves out a post whose times cannot be read",
  async (pattern) => {
    const time = "2026-01-02T03:04:05Z";
    const post = {
      id: "1",
      slug: "kept",
      title: "",
      tagline: "",
      author: "",
      category: "",
      content: [],
    };
    const posts = [
      { ...post, published_date: time, updated_at: time },
      { ...post, slug: "dropped", published_date: time, updated_at: "infinity" },
      { ...post, slug: "dropped", published_date: "-infinity", updated_at: time },
    ];
    const query = {
      select: () => query,
      order: () => query,
      range: async () => ({ data: posts, error: null }),
    };
    const context = new Map<unknown, unknown>([
      [clientContext, { from: () => query }],
      [settingsContext, { siteUrl: "https://site.example" }],
      [siteContext, { site: { firm: { name: "", tagline: "" }, adviser: { name: "" } } }],
    ]);
    // Only what the loader uses.
    const xml = await (await loader({ context, pattern } as never)).text();
    expect(xml).toContain("https://site.example/blog/kept");
    expect(xml).not.toMatch(/dropped|Invalid/);
  },
);

test("each type of block has its element, and web addresses become links", () => {
  const html = blocksToHtml("https://site.example", [
    { type: "heading", text: "A heading" },
    { type: "paragraph", text: "See https://a.example/?b=1&c=2.\nNew line" },
    { type: "list", items: ["One", "https://two.example"] },
    { type: "quote", text: "A quote" },
    { type: "numbered-list", items: ["First"] },
    { type: "note", text: "A note" },
    { type: "image", src: "/images/a.png", alt: 'A "lamp"', width: 16, height: 9 },
  ]);
  expect(html.split("\n")).toEqual([
    "<h2>A heading</h2>",
    '<p>See <a href="https://a.example/?b=1&amp;c=2">https://a.example/?b=1&amp;c=2</a>.<br>New line</p>',
    '<ul><li>One</li><li><a href="https://two.example">https://two.example</a></li></ul>',
    "<blockquote><p>A quote</p></blockquote>",
    "<ol><li>First</li></ol>",
    "<blockquote><p><strong>Remember this</strong></p><p>A note</p></blockquote>",
    '<p><img src="https://site.example/images/a.png" alt="A &quot;lamp&quot;" width="16" height="9"></p>',
  ]);
});

test("marks become elements", () => {
  const html = blocksToHtml("https://site.example", [
    {
      type: "quote",
      text: "Bold & linked",
      marks: [
        { type: "bold", start: 0, end: 8 },
        { type: "italic", start: 7, end: 13 },
        { type: "link", start: 7, end: 13, href: "https://a.example/?b&c" },
      ],
    },
  ]);
  expect(html).toBe(
    '<blockquote><p><strong>Bold &amp; </strong><a href="https://a.example/?b&amp;c"><strong><em>l</em></strong><em>inked</em></a></p></blockquote>',
  );
});

test("stored text is escaped", () => {
  expect(
    blocksToHtml("https://site.example", [
      { type: "paragraph", text: "<script>alert(1)</script>" },
    ]),
  ).toBe("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>");
});
