import { expect, test } from "vitest";
import { loadRouteFile } from "../../../tests/archive-versions.ts";
import { defaultSettings } from "../../config/site.ts";
import { sectionSchemas } from "../../config/site-schema.ts";
import { emptySite, pagesOf, pathOf, toPost, withEntries } from "./past-site.ts";
import { renderPage } from "./render-page.tsx";

const moment = "2027-03-01T12:00:00Z";
const post = (number: number, created_at: string, title: string) => ({
  number,
  kind: "post",
  item: `post-${number}`,
  is_public: true,
  document: {
    id: `post-${number}`,
    slug: title.toLowerCase(),
    title,
    category: "Taxes",
    author: "Ada Byron",
    tagline: "",
    alt: "",
    image_url: "images/public/old.jpg",
    related_services: [],
    content: [{ type: "paragraph", text: `The text of ${title}.` }],
    published_date: created_at,
    created_at,
    updated_at: created_at,
  },
});
const settings = (item: keyof typeof sectionSchemas, document: object) => ({
  ...{ number: 1, kind: "settings", item, is_public: true },
  document: sectionSchemas[item].parse(document),
});
const entries = [
  settings("firm", { name: "Byron Life" }),
  settings("services", {
    items: [{ title: "Term Life", slug: "term", fullDescription: "Plain." }],
  }),
  settings("legal", { privacy: [{ title: "What is stored", text: "Little." }] }),
  post(7, "2027-01-01T00:00:00Z", "Older"),
  post(8, "2027-02-01T00:00:00Z", "Newer"),
  {
    ...{ number: 9, kind: "testimonial", item: "t", is_public: true },
    document: { id: "t", name: "Grace", content: "Kept her word.", rating: 5, created_at: moment },
  },
];
const past = withEntries(emptySite, entries);
const rendered = {
  ...{ ...past, moment, stylesheet: "/style.css" },
  post: toPost(entries.find(({ item }) => item === "post-7")?.document),
};

test.each([
  ["/", ["Byron Life", "Newer", "Kept her word."]],
  ["/services", ["Term Life"]],
  ["/services/term", ["Plain."]],
  ["/blog", ["Newer", "Older"]],
  ["/blog/older", ["The text of Older.", "Newer", "© 2027 Byron Life"]],
  ["/testimonials", ["Kept her word.", "Grace"]],
  ["/savings-calculator", ["Retirement"]],
  ["/contact", ["Get in Touch"]],
  ["/privacy", ["What is stored"]],
])("the page %s is rendered as it was, without scripts", async (path, texts) => {
  const html = (await renderPage(rendered, path, loadRouteFile)) ?? "";
  for (const text of texts) expect(html).toContain(text);
  expect(html).toMatch(/^<!DOCTYPE html><html lang="en"><head>.*<title>\S[^<]*<\/title>/s);
  expect(html).not.toMatch(/<script|<noscript|Create New Post/);
  expect(html).not.toContain(defaultSettings.firm.name);
});

test.each(["/blog/unknown/x", "/services/unknown", "/manage", "/terms", "/login"])(
  "the site had no page %s",
  async (path) => {
    expect(await renderPage(rendered, path, loadRouteFile)).toBeNull();
  },
);

test("a page that was switched off is not shown", async () => {
  const off = withEntries(past, [settings("pages", { hidden: ["blog"] })]);
  expect(await renderPage({ ...rendered, ...off }, "/blog?page=1", loadRouteFile)).toBeNull();
});

test("an item is opened on a page of the day that shows it", () => {
  const paths = pagesOf(past).map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["/", "/services/term", "/blog", "/privacy"]));
  expect(paths).not.toContain("/terms");
  expect(pathOf(past, "post", "post-7")).toBe("/blog/older");
  expect(pathOf(past, "testimonial", "t")).toBe("/testimonials");
  expect(pathOf(past, "settings", "legal")).toBe("/privacy");
  expect(pathOf(past, "settings", "services")).toBe("/services");
  expect(pathOf(past, "settings", "firm")).toBe("/");
});

test("stored samples are shown only while the settings of that day show samples", async () => {
  const document = { id: "s", name: "Invented", content: "Fine.", rating: 5, is_sample: true };
  const sample = { number: 10, kind: "testimonial", item: "s", is_public: true };
  const off = withEntries(past, [{ ...sample, document: { ...document, created_at: moment } }]);
  const on = withEntries(off, [settings("testimonials", { samples: true })]);
  const show = (site: typeof past) =>
    renderPage({ ...rendered, ...site }, "/testimonials", loadRouteFile);
  expect(await show(off)).not.toContain("Invented");
  expect(await show(on)).toContain("Invented");
});

test("what left the site, and what was erased, is not shown", () => {
  const change = { number: 20, document: { erased: true } };
  const left = withEntries(past, [
    { ...change, kind: "post", item: "post-7", is_public: false },
    { ...change, kind: "testimonial", item: "t", is_public: true },
  ]);
  expect(left.posts.map(({ slug }) => slug)).toEqual(["newer"]);
  expect(left.testimonials).toEqual([]);
});
