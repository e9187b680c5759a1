import { expect, test } from "vitest";
import { findService, toPublicSite } from "./public-site.ts";
import { defaultSettings } from "./site.ts";

const { services } = toPublicSite(defaultSettings);
const texts = defaultSettings.services.items;

test("the services of a new site have their slugs and card titles", () => {
  const cards = services.map(({ slug, cardTitle }) => [slug, cardTitle]);
  for (const service of [
    ["life-insurance", "Life Insurance"],
    ["infinite-banking", "Infinite Banking"],
    ["retirement-planning", "Retirement Planning"],
    ["family-protection", "Family Protection"],
    ["tax-free-growth", "Tax-Free Growth"],
    ["high-cash-value-insurance", "High Cash Value Permanent Insurance"],
    ["estate-planning", "Estate Planning"],
  ]) {
    expect(cards).toContainEqual(service);
  }
});

test("a service's own page may have a longer title than its card", () => {
  expect(findService(defaultSettings, "infinite-banking")).toMatchObject({
    title: "Infinite Banking Concept (IBC)",
  });
});

test("every service has a tagline, a description and at least three titled sections with points", () => {
  for (const service of texts) {
    expect(service.tagline).toBeTruthy();
    expect(service.fullDescription.split(/\n\n/).length).toBeGreaterThan(1);
    expect(service.sections.filter(({ points }) => points.length).length).toBeGreaterThanOrEqual(3);
  }
});

test("every service has a summary, says whom it suits and what it costs, and answers questions", () => {
  for (const service of texts) {
    expect(service.summary).toHaveLength(3);
    expect(service.fit.yes.length).toBeGreaterThanOrEqual(2);
    expect(service.fit.no.length).toBeGreaterThanOrEqual(2);
    expect(service.sections.map(({ title }) => title)).toContain("What it costs you");
    expect(service.questions.length).toBeGreaterThanOrEqual(3);
    for (const { question, answer } of service.questions) {
      expect(question).toMatch(/\?$/);
      expect(answer).toMatch(/\.'?$|\?'.*\.$/);
    }
  }
});

test("no text makes a promise that an adviser may not make", () => {
  expect(JSON.stringify(texts)).not.toMatch(
    /guarantee|risk[- ]free|can't lose|always (pays|grows)|best (rate|price)/i,
  );
});

test("an unknown slug has no service", () => {
  expect(findService(defaultSettings, "crypto")).toBeNull();
  expect(findService(defaultSettings, "constructor")).toBeNull();
});
