import { expect, test } from "vitest";
import { findService, toPublicSite } from "./public-site.ts";
import { defaultSettings } from "./site.ts";
import type { Service } from "./site-schema.ts";
import { describeEmptyServices, missingTexts } from "./unfinished-texts.ts";

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

test("the texts of a new site are marked as not read, and visitors do not get the mark", () => {
  for (const { slug, starter } of texts) {
    expect(starter).toBe(true);
    expect(findService(defaultSettings, slug)).not.toHaveProperty("starter");
  }
});

test("a service lacks a description or a text on its page until it has one", () => {
  const empty: Service = {
    ...{
      slug: "a",
      title: "Annuities",
      cardTitle: "",
      description: " ",
      tagline: "",
      icon: "leaf",
    },
    ...{ hidden: false, starter: false, fullDescription: "", summary: [], sections: [] },
    ...{ fit: { content: "", yes: [], no: [] }, questions: [], disclosure: "" },
  };
  const described = { ...empty, description: "Income for life." };
  const items = [empty, described, { ...empty, hidden: true }, ...texts];
  expect(describeEmptyServices({ ...defaultSettings.services, items })).toEqual([
    "The service “Annuities” has no description and no text on its page",
    "The service “Annuities” has no text on its page",
  ]);
  for (const text of [
    { fullDescription: "How it works." },
    { summary: ["In short."] },
    { fit: { content: "", yes: [], no: ["You rent."] } },
    { questions: [{ question: "When?", answer: "" }] },
  ]) {
    expect(missingTexts({ ...described, ...text })).toEqual([]);
  }
});

test("an unknown slug has no service", () => {
  expect(findService(defaultSettings, "crypto")).toBeNull();
  expect(findService(defaultSettings, "constructor")).toBeNull();
});
