import { expect, test } from "vitest";
import { findAddresses, formatText } from "./formatted-text.tsx";

const plain = (text: string) => ({ text, emphases: [] });

test("text is split at its marks and web addresses, which do not nest inside marked links", () => {
  const text = "See https://a.example or https://b.example.";
  expect(
    formatText({
      text,
      marks: [
        { type: "bold", start: 0, end: 9 },
        { type: "link", start: 22, end: 35, href: "https://c.example" },
      ],
    }),
  ).toEqual([
    { pieces: [{ text: "See ", emphases: ["bold"] }] },
    {
      href: "https://a.example",
      pieces: [{ text: "https", emphases: ["bold"] }, plain("://a.example")],
    },
    { pieces: [plain(" ")] },
    { href: "https://c.example", pieces: [plain("or https://b.")] },
    { pieces: [plain("example.")] },
  ]);
  expect(formatText({ text: "" })).toEqual([]);
});

/** The links of a text: the linked words and their address. */
function linksIn(text: string) {
  return findAddresses(text).map(({ start, end, href }) => [text.slice(start, end), href]);
}

test.each([
  ["https://en.wikipedia.org/wiki/Term_(insurance)"],
  ["https://en.wikipedia.org/wiki/Term_(insurance)#History_(US)"],
  ["http://example.com"],
  ["HTTPS://EXAMPLE.COM/A"],
  ["https://example.com:8443/a/b.html?c=d&e=(f)#g"],
  ["https://example.com/a,b;c/it's"],
  ["https://münchen.de/straße"],
  ["https://example.com/%7Eada/"],
  ["http://localhost:3000/a"],
])("all of %s is linked", (address) => {
  expect(linksIn(address)).toEqual([[address, address]]);
  expect(linksIn(`Read ${address} today`)).toEqual([[address, address]]);
});

test.each([
  [".", ""],
  [",", ""],
  [";", ""],
  ["!", ""],
  ["?", ""],
  ["…", ""],
  [").", "("],
  ["]", "["],
  ['"', '"'],
  ["”", "“"],
  [">", "<"],
  ["),", "(see "],
])("punctuation after an address (%s) is not part of the link", (after, before) => {
  for (const address of ["https://example.com/a", "https://example.com/Term_(insurance)"]) {
    expect(linksIn(`${before}${address}${after}`)).toEqual([[address, address]]);
  }
});

test.each([
  ["www.example.com", "https://www.example.com"],
  ["WWW.Example.com", "https://WWW.Example.com"],
  ["www.example.co.uk/a_(b)?c=d", "https://www.example.co.uk/a_(b)?c=d"],
])("%s is a link to %s", (words, href) => {
  expect(linksIn(words)).toEqual([[words, href]]);
  expect(linksIn(`(See ${words}).`)).toEqual([[words, href]]);
});

test.each([
  ["javascript:alert(1)"],
  ["JAVASCRIPT://example.com/%0Aalert(1)"],
  ["data:text/html,x"],
  ["vbscript:msgbox(1)"],
  ["mailto:ada@example.com"],
  ["ada@example.com"],
  ["ada@www.example.com"],
  ["ftp://files.example"],
  ["ftp://www.example.com"],
  ["//www.example.com"],
  ["xhttps://example.com"],
  ["https://"],
  ["https:example.com"],
  ["https://example.com:99999/"],
  ["https://999.999.999.999/"],
  ["example.com"],
  ["U.S.A"],
  ["file.md"],
  ["www."],
  ["www.com"],
  ["intranet.www.example.com"],
])("%s stays text", (text) => {
  expect(linksIn(text)).toEqual([]);
});

test("each of several addresses in a row is a link", () => {
  expect(linksIn("https://a.example, www.b.example;\nhttp://c.example")).toEqual([
    ["https://a.example", "https://a.example"],
    ["www.b.example", "https://www.b.example"],
    ["http://c.example", "http://c.example"],
  ]);
});
