import { expect, test } from "vitest";
import { serviceCatalogue } from "../config/service-catalogue.ts";
import { findService } from "./services.ts";

test("the seven services have the slugs and card titles of section 2", () => {
  expect(serviceCatalogue.map(({ slug, cardTitle }) => [slug, cardTitle])).toEqual([
    ["life-insurance", "Life Insurance"],
    ["infinite-banking", "Infinite Banking"],
    ["retirement-planning", "Retirement Planning"],
    ["family-protection", "Family Protection"],
    ["tax-free-growth", "Tax-Free Growth"],
    ["high-cash-value-insurance", "High Cash Value Permanent Insurance"],
    ["estate-planning", "Estate Planning"],
  ]);
});

test("a service's own page has the detail title of section 3", () => {
  expect(findService("infinite-banking")?.title).toBe("Infinite Banking Concept (IBC)");
});

test("every service has a tagline, a description and at least three titled sections with points", () => {
  for (const { slug } of serviceCatalogue) {
    const service = findService(slug);
    expect(service?.tagline).toBeTruthy();
    expect(service?.fullDescription.split(/\n\n/).length).toBeGreaterThan(1);
    expect(service?.sections.filter(({ points }) => points?.length).length).toBeGreaterThanOrEqual(
      3,
    );
  }
});

test("no text promises what an adviser can't", () => {
  const texts = JSON.stringify(serviceCatalogue.map(({ slug }) => findService(slug)));
  expect(texts).not.toMatch(/guaranteed (return|growth|income)|risk[- ]free|can't lose/i);
});

test("an unknown slug has no service", () => {
  expect(findService("crypto")).toBeUndefined();
  expect(findService("constructor")).toBeUndefined();
});
