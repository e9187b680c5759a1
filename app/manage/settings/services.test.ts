import fc from "fast-check";
import { expect, test } from "vitest";
import { defaultSettings } from "../../config/site.ts";
import { sectionSchemas } from "../../config/site-schema.ts";
import {
  addService,
  changeService,
  changeSlug,
  findSlugProblem,
  freeSlug,
  newService,
  redirectTargets,
  removeService,
  type Services,
  slugOf,
  suggestSlug,
} from "./services.ts";

function servicesOf(slugs: string[], redirects: Services["redirects"] = []): Services {
  const items = slugs.map((slug) => newService(slug, slug));
  return { lead: "", panelTitle: "", panelText: "", items, redirects };
}

test.each([
  ["Café & Crème: Plans", "cafe-and-creme-plans"],
  ["Women’s Health", "womens-health"],
  ["  529 — College  ", "529-college"],
  ["退職計画", "service"],
  ["", "service"],
])("the title %j makes the slug %j", (title, slug) => {
  expect(slugOf(title)).toBe(slug);
});

test("every title gets a free slug that the schema accepts", () => {
  const schema = sectionSchemas.services;
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", maxLength: 120 }), { maxLength: 6 }),
      (titles) => {
        let services = servicesOf([]);
        for (const title of titles) {
          services = addService(services, newService(freeSlug(services, title), "Title"));
        }
        expect(new Set(services.items.map(({ slug }) => slug)).size).toBe(titles.length);
        expect(schema.safeParse(services).error).toBeUndefined();
      },
    ),
  );
});

test("a taken, reserved or malformed slug is rejected", () => {
  const services = servicesOf(["annuities"]);
  expect(findSlugProblem(services, "annuities")).toContain("“annuities” has this address already");
  expect(findSlugProblem(services, "new")).toContain("The site itself needs this address");
  expect(findSlugProblem(services, "Two words")).toContain("lower-case letters");
  expect(findSlugProblem(services, "a".repeat(81))).toContain("at most 80");
  expect(findSlugProblem(services, "long-term-care")).toBeNull();
  expect(freeSlug(services, "Annuities")).toBe("annuities-2");
  expect(freeSlug(services, "New")).toBe("new-2");
});

test("a long title that is taken gets a suffix within the limit", () => {
  const slug = "a".repeat(80);
  expect(freeSlug(servicesOf([slug]), slug)).toBe(`${"a".repeat(78)}-2`);
});

test("the page of a removed service leads to the chosen one", () => {
  const after = removeService(servicesOf(["one", "two"]), "one", "two");
  expect(after.items.map(({ slug }) => slug)).toEqual(["two"]);
  expect(after.redirects).toEqual([{ from: "one", to: "two" }]);
});

test("redirects to a removed service lead on to its target", () => {
  const services = servicesOf(["two", "three"], [{ from: "one", to: "two" }]);
  expect(removeService(services, "two", "three").redirects).toEqual([
    { from: "one", to: "three" },
    { from: "two", to: "three" },
  ]);
  expect(removeService(services, "two", null).redirects).toEqual([{ from: "one", to: "" }]);
});

test("a service with the address of a redirect replaces that redirect", () => {
  const services = servicesOf(["two"], [{ from: "one", to: "two" }]);
  expect(addService(services, newService("one", "One")).redirects).toEqual([]);
});

test("a service's new address keeps its place, and former addresses lead to it", () => {
  const services = servicesOf(["one", "two"], [{ from: "zero", to: "one" }]);
  const after = changeSlug(services, "one", "uno", true);
  expect(after.items.map(({ slug }) => slug)).toEqual(["uno", "two"]);
  expect(after.redirects).toEqual([
    { from: "zero", to: "uno" },
    { from: "one", to: "uno" },
  ]);
  // Back again; nobody knows the address that was never published.
  expect(changeSlug(after, "uno", "one", false).redirects).toEqual(services.redirects);
});

test.each([
  ["a title with other words", "life-insurance", "Annuities", "Life Insurance", "annuities"],
  [
    "a longer title",
    "life-insurance",
    "Whole Life Insurance",
    "Life Insurance",
    "whole-life-insurance",
  ],
  ["a title that another service has", "life-insurance", "Two", "Life Insurance", "two-2"],
  ["the published title", "life-insurance", "My Life Insurance", "My Life Insurance", null],
  ["the words of a new address", "farms", "Farms and Land", undefined, null],
  ["another title of a new service", "farms", "Forests", undefined, "forests"],
  ["no title", "life-insurance", " ", "Life Insurance", null],
  ["a title without Latin letters", "life-insurance", "退職計画", "Life Insurance", null],
])(
  "for %s, the address %s and the title %s are offered an address",
  (_what, slug, title, published, offered) => {
    const service = newService(slug, title);
    const services = { ...servicesOf(["two"]), items: [newService("two", "Two"), service] };
    expect(suggestSlug(services, service, published)).toBe(offered);
  },
);

test("only other visible services can be the target of a redirect", () => {
  const services = changeService(servicesOf(["one", "two", "three"]), "two", { hidden: true });
  expect(redirectTargets(services, "one").map(({ slug }) => slug)).toEqual(["three"]);
});

test("the oldest redirect is dropped when there are more than 100", () => {
  const redirects = Array.from({ length: 100 }, (_, index) => ({ from: `old-${index}`, to: "" }));
  const after = removeService(servicesOf(["one"], redirects), "one", "");
  expect(after.redirects).toHaveLength(100);
  expect(after.redirects[0]?.from).toBe("old-1");
  // An address that was never published needs none.
  expect(changeSlug(servicesOf(["one"], redirects), "one", "uno", false).redirects).toEqual(
    redirects,
  );
});

test("no sequence of changes makes a loop, a chain or a redirect from a service's own page", () => {
  const slug = fc.constantFrom("a", "b", "c", "d");
  const step = fc.record({
    slug,
    to: fc.option(fc.oneof(slug, fc.constant(""))),
    renames: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let services = servicesOf(["a", "b"]);
      for (const { slug, to, renames } of steps) {
        const has = (each: string) => services.items.some((service) => service.slug === each);
        const exists = has(slug);
        const isTarget = redirectTargets(services, slug).some((service) => service.slug === to);
        if (!exists) services = addService(services, newService(slug, slug));
        else if (renames && to && !has(to)) services = changeSlug(services, slug, to, true);
        else services = removeService(services, slug, isTarget || !to ? to : "");
      }
      const slugs = services.items.map((service) => service.slug);
      for (const { from, to } of services.redirects) {
        expect(slugs).not.toContain(from);
        expect(["", ...slugs]).toContain(to);
      }
      const sources = services.redirects.map(({ from }) => from);
      expect(new Set(sources).size).toBe(sources.length);
    }),
  );
});

test("the services of a new site keep to the rules", () => {
  for (const { slug } of defaultSettings.services.items) {
    expect(findSlugProblem({ ...defaultSettings.services, items: [] }, slug)).toBeNull();
  }
});
