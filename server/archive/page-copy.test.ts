import { expect, test } from "vitest";
import { copyFile, copyPage, createFile, type ReadFile, wordsOf } from "./page-copy.ts";

const font = createFile("font/woff2", Buffer.from("font"));
const image = createFile("image/webp", Buffer.from("image"));
const shareImage = createFile("image/png", Buffer.from("share image"));
const pdf = createFile("application/pdf", Buffer.from("%PDF-"));
const read: ReadFile = async (path) => {
  if (path === "/files/a-1.pdf") return [pdf];
  if (path === "https://site.example/share/a.png?t=1") return [shareImage];
  if (path === "/a.woff2") return [font];
  if (path === "/a.css") return copyFile("text/css", Buffer.from('a{src:url("/a.woff2")}'), read);
  return path === "/images/800/a.png?x=1&t=2" ? [image] : null;
};

function page(nonce: string, script: string): string {
  return `<!DOCTYPE html><html><head><title>A &amp; B</title><link rel="stylesheet" href="/a.css" data-precedence="default"/>\
<link rel="preload" as="font" href="/a.woff2"/><meta property="og:image" content="https://site.example/share/a.png?t=1"/>\
<meta property="og:image:width" content="1200"/><script type="application/ld+json">{"name":"A"}</script></head>\
<body><p>Read <a class="link" href="/files/a-1.pdf#page=2">more</a> and <a href="/files/lost.pdf">lost</a>, it&#x27;s<!-- --> short.</p>\
<img srcSet="/images/400/a.png 400w" sizes="1px" src="/images/800/a.png?x=1&amp;t=2" alt=""/><img src="/lost.png"/>\
<svg><text>drawn</text></svg><noscript>No scripts</noscript><script nonce="${nonce}">${script}</script></body></html>`;
}

test("a copy names what it shows by its content, and has no scripts, whatever they were", async () => {
  const copy = await copyPage(page("1", "one()"), read);
  const html = copy.page.bytes.toString();
  const sheet = createFile("text/css", Buffer.from(`a{src:url("${font.hash}.woff2")}`));
  expect(html).toContain(`href="../files/${sheet.hash}.css"`);
  expect(html).toContain(`<img src="../files/${image.hash}.webp" alt=""/><img src="/lost.png"/>`);
  expect(html).toContain('<script type="application/ld+json">');
  expect(html).toContain(`<meta property="og:image" content="../files/${shareImage.hash}.png"/>`);
  expect(html).toContain(`<a class="link" href="../files/${pdf.hash}.pdf#page=2">`);
  expect(html).toContain('<a href="/files/lost.pdf">');
  expect(html).not.toMatch(/one\(\)|nonce|preload|srcSet|noscript/);
  expect(copy).toMatchObject({
    title: "A & B",
    files: [copy.page, sheet, font, shareImage, pdf, image],
    page: { words: "Read more and lost, it's short." },
  });
  expect(await copyPage(page("2", "two()"), read)).toEqual(copy);
});

test("the words of a page are its paragraphs and the rows of its tables", () => {
  const rows = '<tr><th scope="col">Plan</th><th scope="col">Price</th></tr></thead>';
  expect(
    wordsOf(
      `<body><table><thead>${rows}<tbody><tr><td>Term &amp; life</td><td class="a">$25</td></tr></tbody></table></body>`,
    ),
  ).toBe("Plan | Price\nTerm & life | $25");
  expect(
    wordsOf("<body><h1>One<br/>two</h1> <ul><li>three  four</li>\n<li></li></ul></body>"),
  ).toBe("One\ntwo\nthree four");
});
