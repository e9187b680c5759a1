import { expect, test } from "vitest";
import { blocksToHtml } from "./feed-route.ts";

test("each type of block has its element, and web addresses become links", () => {
  const html = blocksToHtml([
    { type: "heading", text: "A heading" },
    { type: "paragraph", text: "See https://a.example/?b=1&c=2.\nNew line" },
    { type: "list", items: ["One", "https://two.example"] },
    { type: "quote", text: "A quote" },
  ]);
  expect(html.split("\n")).toEqual([
    "<h2>A heading</h2>",
    '<p>See <a href="https://a.example/?b=1&amp;c=2">https://a.example/?b=1&amp;c=2</a>.<br>New line</p>',
    '<ul><li>One</li><li><a href="https://two.example">https://two.example</a></li></ul>',
    "<blockquote><p>A quote</p></blockquote>",
  ]);
});

test("stored text is escaped", () => {
  expect(blocksToHtml([{ type: "paragraph", text: "<script>alert(1)</script>" }])).toBe(
    "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
  );
});
