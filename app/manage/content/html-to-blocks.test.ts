// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { htmlToBlocks } from "./html-to-blocks.ts";
import { blocksToText } from "./marked-blocks.ts";

const textOf = (html: string) => blocksToText(htmlToBlocks(html).blocks);
const word = readFileSync(
  join(import.meta.dirname, "../../../tests/fixtures/word-clipboard.html.txt"),
  "utf8",
);

test("a document of Word keeps its title, headings, lists, quotes and formats", () => {
  const { title, blocks, notes } = htmlToBlocks(word);
  expect(title).toBe("How Much Life Insurance Does a Young Family Need?");
  expect(blocks.map(({ type }) => type).join(" ")).toBe(
    "paragraph paragraph heading paragraph numbered-list paragraph quote heading paragraph list paragraph heading paragraph list paragraph heading paragraph paragraph heading paragraph",
  );
  const text = blocksToText(blocks);
  expect(text).toContain("in the first five minutes: **how much is enough?** There is");
  expect(text).toContain("mistakes that I see *again and again*. If");
  expect(text).toContain("always [write to me](https://www.example.com/contact), and");
  expect(text).toContain("\n2. **What do you owe?** The mortgage");
  expect(text).toContain("> Insurance is not about the day something happens.");
  expect(text).toContain("- **What** – **Amount**\n- Income for ten years – $650,000\n");
  expect(text).toContain(
    "- The policy still names a former partner as the *beneficiary*.\n- The term",
  );
  expect(text).toContain("families, ***term insurance*** covers");
  expect(notes).toEqual([
    "An image could not be taken: save it as a file, then add it with the button Image.",
    "A table became a list of its rows.",
  ]);
});

test("a document of Google Docs keeps its title and formats", () => {
  const html = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38;"><span style="font-size:26pt;font-weight:400;">The title</span></p><p dir="ltr"><span style="font-weight:400;">Plain and </span><span style="font-weight:700;">bold</span><span style="font-style:italic;">, italic</span></p><ul><li dir="ltr" style="list-style-type:disc;"><p dir="ltr" role="presentation"><span>One</span></p></li><ul><li><p>Two</p></li></ul></ul><ol><li><p>First</p></li></ol></b>`;
  expect(htmlToBlocks(html).title).toBe("The title");
  expect(textOf(html)).toBe("Plain and **bold***, italic*\n\n- One\n- Two\n\n1. First");
});

test("a page keeps its structure and none of its styles and scripts", () => {
  const html = `<style>p { color: red }</style><h1>A guide</h1><h2 style="color:red">Ask</h2>
    <p class="MsoNormal"><span style="font-weight:700">Bold</span> and <i>italic</i>,
    <a href="https://a.example">a link</a>, <a href="/contact">a page</a>, <a href="javascript:alert(1)">no link</a>.</p>
    <ul><li><p>One</p></li><li>Two<ul><li>Inner</li></ul></li></ul>
    <p class="MsoListParagraph">1.&nbsp;&nbsp; First</p><p class="MsoListParagraph">2.&nbsp; Second</p>
    <p class="MsoListParagraph">Indented</p><p class="MsoIntenseQuote">Quoted</p>
    <blockquote><p>One</p><p>Two</p></blockquote><script>alert(1)</script>`;
  expect(htmlToBlocks(html).title).toBe("A guide");
  expect(textOf(html)).toBe(
    [
      "## Ask",
      "**Bold** and *italic*, [a link](https://a.example), [a page](/contact), no link.",
      "- One\n- Two\n- Inner",
      "1. First\n2. Second",
      "Indented",
      "> Quoted",
      "> One\n> Two",
    ].join("\n\n"),
  );
});

test("an image with a web address becomes a link, and only a first heading is the title", () => {
  const html = `<p>Before</p><h1>Later</h1><p><img src="https://a.example/b.jpg" alt="An oak"></p>`;
  expect(htmlToBlocks(html)).toMatchObject({ notes: [] });
  expect(htmlToBlocks(html).title).toBeUndefined();
  expect(textOf(html)).toBe("Before\n\n## Later\n\n[An oak](https://a.example/b.jpg)");
});

test("a table that only arranges text is text", () => {
  const html = "<table><tr><td><p>One</p><p>Two</p></td></tr></table>";
  expect(htmlToBlocks(html).notes).toEqual([]);
  expect(textOf(html)).toBe("One\n\nTwo");
});

test.each(["", "   ", "<p></p>", "<script>x</script>", "<img src='file:///a.png'>"])(
  "%j has no blocks",
  (html) => {
    expect(htmlToBlocks(html).blocks).toEqual([]);
  },
);
