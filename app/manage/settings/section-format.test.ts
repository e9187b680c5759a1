import { expect, test } from "vitest";
import { defaultSettings } from "../../config/site.ts";
import type { SectionName } from "../../config/site-schema.ts";
import { formatOf } from "./section-format.ts";

function changes(section: SectionName, values: object) {
  const before = defaultSettings[section];
  const { compare, read } = formatOf(section);
  const differences = compare(read(before), read({ ...before, ...values }));
  return differences.map(({ name, summary }) => `${name}: ${summary}`);
}

test("each changed field is described in words", () => {
  expect(changes("firm", {})).toEqual([]);
  expect(changes("firm", { name: "Acme", shortName: "A", tagline: "" })).toEqual([
    `Name of the firm: “${defaultSettings.firm.name}” became “Acme”`,
    "Short name: set to “A”",
    `Tagline: “${defaultSettings.firm.tagline}” removed`,
  ]);
  expect(changes("look", { logo: image })).toEqual(["Logo: added"]);
  expect(changes("testimonials", { samples: false })).toEqual([
    "Show the sample testimonials: switched off",
  ]);
  expect(changes("home", { hidden: ["blog"] })).toEqual([
    "Show on the home page: Blog switched off",
  ]);
});

test("a change within a group names both", () => {
  const { home } = defaultSettings.pages;
  expect(changes("pages", { home: { ...home, title: "Home" } })).toEqual([
    `Home page: Title: “${home.title}” became “Home”`,
  ]);
});

test("each change of a list names its row and the words that it replaced", () => {
  const [first, second, third] = defaultSettings.home.assurances;
  expect(changes("home", { assurances: [second, first, third] })).toEqual([
    "Promises: in another order",
  ]);
  expect(changes("home", { assurances: [{ ...first, text: "New" }, second] })).toEqual([
    `Promises: “${first?.title}”: Text: “${first?.text}” became “New”`,
    `Promises: “${third?.title}”: removed`,
  ]);
  expect(changes("home", { assurances: [{ ...first, title: "New" }, second, third] })).toEqual([
    `Promises: “${first?.title}”: Title: “${first?.title}” became “New”`,
  ]);
  expect(changes("blog", { authors: ["Ada"] })).toEqual(["More authors: “Ada”: added"]);
});

test("of a long text, the words that were replaced are quoted, and some around them", () => {
  const { items } = defaultSettings.services;
  const [service] = items;
  const description = `${service?.description ?? ""} One more sentence at the end.`;
  const [change = ""] = changes("services", {
    items: items.map((item) => (item === service ? { ...item, description } : item)),
  });
  expect(change).toContain("One more sentence at the end.”");
  expect(change).toContain("became “…");
});

const image = { src: "/images/a.png", alt: "", width: 1, height: 1 };
