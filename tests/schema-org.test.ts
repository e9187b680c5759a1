import { expect, test } from "vitest";
import { structuredData as home } from "../app/home/home-page.tsx";
import { blogPosting } from "../app/posts/blog-posting.ts";
import { adviser, breadcrumbs, business, service, website } from "../app/seo/json-ld.ts";
import { structuredData as testimonials } from "../app/testimonials/testimonials-page.tsx";
import { defaultSite } from "./default-site.ts";
import { findProblems } from "./schema-org.ts";

const about = { siteUrl: "https://example.com", site: defaultSite };
const document = (...nodes: unknown[]) => ({ "@context": "https://schema.org", "@graph": nodes });

const post = {
  id: "b1a9e6d0-3c52-4f7e-9a10-000000000001",
  slug: "a-post",
  title: "A post",
  tagline: "",
  category: "Taxes",
  author: defaultSite.adviser.name,
  content: [],
  image_url: "/images/posts/old-oak.svg?t=1",
  alt: "",
  related_services: [],
  published_date: "2026-01-01T12:00:00+00:00",
  created_at: "2026-01-01T12:00:00+00:00",
  updated_at: "2026-01-02T12:00:00+00:00",
};

test("the site's JSON-LD uses only schema.org's vocabulary", () => {
  expect(
    findProblems(
      document(
        business(about),
        adviser(about),
        website(about),
        ...defaultSite.services.map((entry) => service(about, entry)),
        blogPosting(about, post),
        blogPosting(about, { ...post, author: "A Guest", image_url: "http://[" }),
        breadcrumbs(about, ["Blog", "/blog"], ["A post", "/blog/a-post"]),
      ),
    ),
  ).toEqual([]);
});

test("no page marks up ratings or reviews, which would be the firm's own", () => {
  const pages = { home: home(about), testimonials: testimonials(about) };
  expect(JSON.stringify(pages)).not.toMatch(/review|rating/i);
});

test.each([
  ["InsuranceBroker", { name: "A" }, " is no type"],
  ["Person", { fullName: "A" }, ".fullName: there is no such property"],
  ["Person", { datePublished: "2026" }, ".datePublished: not a property of this type"],
  ["Person", { name: "" }, ".name is empty"],
  ["BlogPosting", { author: { "@type": "Place" } }, ".author: a Place does not belong here"],
  ["BlogPosting", { datePublished: "today" }, '.datePublished: "today" is no date'],
  ["InsuranceAgency", { employee: { "@id": "#a" } }, ".employee names #a, which is not here"],
  ["Person", { colleagues: "https://example.com" }, ".colleagues is superseded"],
])("the check reports what is wrong with a %s with %j", (type, properties, problem) => {
  expect(findProblems(document({ "@type": type, ...properties }))).toEqual([type + problem]);
});
