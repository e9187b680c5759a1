import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test, vi } from "vitest";
import { textToBlocks } from "../manage/content/marked-blocks.ts";
import { PostBody } from "./blocks.tsx";

/** The HTML of a post without classes, on the site https://site.example. */
function htmlOf(content: unknown): string {
  const Stub = createRoutesStub([
    { id: "root", path: "/", Component: () => <PostBody content={content} /> },
  ]);
  const loaderData = { root: { settings: { siteUrl: "https://site.example" } } };
  return renderToStaticMarkup(<Stub hydrationData={{ loaderData }} />).replace(
    / class="[^"]*"/g,
    "",
  );
}

test("each type of block has its element, and unknown blocks are skipped", () => {
  const html = htmlOf([
    ...textToBlocks(
      [
        "A **bold** and *italic* text",
        "## What it costs",
        "- Low\n- **High**",
        "1. First",
        "> Said once",
        "!! Sign nothing today.",
        "|  | Price |\n| --- | --- |\n| **Term** | $25<br>a month |",
        "| a | b |",
        '![A quiet lane](/images/posts/old-oak.svg "1600x900")',
        "<script>alert(1)</script> and [a](javascript:alert(1)) and **unclosed",
      ].join("\n\n"),
    ),
    { type: "video", text: "Unknown" },
    { text: "Without a type" },
  ]);
  for (const part of [
    "<p>A <strong>bold</strong> and <em>italic</em> text</p>",
    "<h2>What it costs</h2>",
    "<ul><li>Low</li><li><strong>High</strong></li></ul>",
    "<ol><li>First</li></ol>",
    "<blockquote>Said once</blockquote>",
    '<div role="note"',
    ">Keep in mind</p><p>Sign nothing today.</p>",
    '<section aria-label="Table: Price" tabindex="0" data-scrolls="true"><table><thead><tr><td></td><th scope="col">Price</th></tr></thead>',
    "<tbody><tr><td><strong>Term</strong></td><td>$25\na month</td></tr></tbody></table></section>",
    '<section aria-label="Table" tabindex="0" data-scrolls="true"><table><tbody><tr><td>a</td><td>b</td></tr></tbody>',
    "<p>&lt;script&gt;alert(1)&lt;/script&gt; and [a](javascript:alert(1)) and **unclosed</p>",
  ]) {
    expect(html).toContain(part);
  }
  const [image = ""] = /<img[^>]*>/.exec(html) ?? [];
  for (const attribute of [
    'alt="A quiet lane"',
    'loading="lazy"',
    'width="1600"',
    'height="900"',
  ]) {
    expect(image).toContain(attribute);
  }
  expect(html).not.toMatch(/Unknown|Without a type/);
});

test("a portrait has the text about it beside it, up to the next heading", () => {
  const portrait = (name: string) => `![${name}](/images/a.svg "800x1000 portrait")`;
  const html = htmlOf(
    textToBlocks(
      [
        ...[portrait("Ada"), "## Ada", "About Ada.", "- Plans"],
        ...["## Others", portrait("Bob"), "About Bob."],
        ...[portrait("Eve"), '![A lane](/images/b.svg "16x9 half")', "The end."],
      ].join("\n\n"),
    ),
  ).replace(/<img[^>]*alt="([^"]*)"[^>]*>/g, "[$1]");
  expect(html).toBe(
    "<div>" +
      "<div>[Ada]<div><h2>Ada</h2><p>About Ada.</p><ul><li>Plans</li></ul></div></div>" +
      "<h2>Others</h2><div>[Bob]<div><p>About Bob.</p></div></div>" +
      "[Eve][A lane]<p>The end.</p></div>",
  );
});

test("links to other sites open in a new tab, those to the site and to a telephone do not", () => {
  const links = (text: string) => htmlOf(textToBlocks(text)).match(/<a [^>]*>/g);
  const newTab = 'target="_blank" rel="noopener noreferrer"';
  for (const [text, href] of [
    ["[a link](https://example.com/a_(b))", "https://example.com/a_(b)"],
    [
      "Read https://en.wikipedia.org/wiki/Term_(insurance).",
      "https://en.wikipedia.org/wiki/Term_(insurance)",
    ],
    ["Or www.example.com, not ada@example.com.", "https://www.example.com"],
  ] as const) {
    const found = links(text);
    expect(found).toHaveLength(1);
    expect(found?.[0]).toContain(`href="${href}"`);
    for (const attribute of newTab.split(" ")) expect(found?.[0]).toContain(attribute);
  }
  expect(links("[me](tel:+1-555-0100)")).toEqual(['<a href="tel:+1-555-0100">']);
  // Safari 17 has no URL.parse.
  const parse = vi.spyOn(URL, "parse");
  const [own] = links("[the blog](https://site.example/blog?q=a#b)") ?? [];
  expect(own).toContain('href="/blog?q=a#b"');
  expect(own).not.toContain("target");
  expect(links("[us](/contact#map)")?.[0]).toContain('href="/contact#map"');
  expect(parse).not.toHaveBeenCalled();
});
