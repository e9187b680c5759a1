import { expect, test } from "vitest";
import { findRelatedServices } from "./related-services.ts";

test("related services are found by slug, with their titles", () => {
  expect(findRelatedServices([{ slug: "infinite-banking" }])).toMatchObject([
    { slug: "infinite-banking", title: "Infinite Banking Concept (IBC)" },
  ]);
});

test("unknown, repeated and malformed entries are skipped", () => {
  const related = [
    { slug: "nope" },
    null,
    3,
    {},
    { slug: "tax-free-growth" },
    { slug: "tax-free-growth" },
  ];
  expect(findRelatedServices(related).map(({ slug }) => slug)).toEqual(["tax-free-growth"]);
  for (const nothing of [null, undefined, {}, "x"])
    expect(findRelatedServices(nothing)).toEqual([]);
});
