import { expect, test } from "vitest";
import { splitLinks } from "./text-links.ts";

/** The links of a text: the words that are linked, and where they lead. */
function linksIn(text: string) {
  return splitLinks(text).flatMap(({ text: words, href }) => (href ? [[words, href]] : []));
}

test("text is split into plain pieces and links, and nothing of it is lost", () => {
  expect(splitLinks("See https://www.irs.gov/a?b=1, or (https://naic.org).")).toEqual([
    { text: "See " },
    { text: "https://www.irs.gov/a?b=1", href: "https://www.irs.gov/a?b=1" },
    { text: ", or (" },
    { text: "https://naic.org", href: "https://naic.org" },
    { text: ")." },
  ]);
  expect(splitLinks("")).toEqual([]);
});

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
])("%s is linked whole", (address) => {
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
  expect(splitLinks(text)).toEqual([{ text }]);
});

test("several addresses in a row are links of their own", () => {
  expect(linksIn("https://a.example, www.b.example;\nhttp://c.example")).toEqual([
    ["https://a.example", "https://a.example"],
    ["www.b.example", "https://www.b.example"],
    ["http://c.example", "http://c.example"],
  ]);
});
