import { expect, test } from "vitest";
import { defaultSettings } from "../../config/site.ts";
import type { SectionName } from "../../config/site-schema.ts";
import { describeChanges } from "./describe-changes.ts";

function changes(section: SectionName, values: object) {
  const before = defaultSettings[section];
  return describeChanges(section, before, { ...before, ...values });
}

test("each changed field is described in words", () => {
  expect(changes("firm", {})).toEqual([]);
  expect(changes("firm", { name: "Acme", shortName: "A", tagline: "", logo: image })).toEqual([
    `Name of the firm: “${defaultSettings.firm.name}” became “Acme”`,
    "Short name: set to “A”",
    `Tagline: “${defaultSettings.firm.tagline.slice(0, 59)}…” removed`,
    "Logo: added",
  ]);
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
    `Home page: Title: “${home.title.slice(0, 59)}…” became “Home”`,
  ]);
});

test("changes of lists are counted", () => {
  const [first, second, third] = defaultSettings.home.assurances;
  expect(changes("home", { assurances: [second, first, third] })).toEqual([
    "Assurances: in another order",
  ]);
  expect(changes("home", { assurances: [{ ...first, text: "New" }, second] })).toEqual([
    `Assurances: 1 changed, 1 removed (“${first?.title}”)`,
  ]);
  expect(changes("blog", { authors: ["Ada"] })).toEqual(["More authors: 1 added (“Ada”)"]);
});

const image = { src: "/images/a.png", alt: "", width: 1, height: 1 };
