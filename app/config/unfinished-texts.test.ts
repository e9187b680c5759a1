import { expect, test } from "vitest";
import { defaultSettings, isFictional, startingSettings } from "./site.ts";
import { unreadFields, unreadTexts } from "./unfinished-texts.ts";

const { home, adviser, services } = startingSettings;

test("a starting text is unread until it is rewritten, or all are read", () => {
  expect(unreadTexts("adviser", adviser)).toEqual([
    "Opening of your message",
    "Paragraphs",
    "Bullet points",
  ]);
  const rewritten = { ...adviser, lead: "My own words." };
  expect([...unreadFields("adviser", rewritten).keys()]).toEqual(["paragraphs", "bullets"]);
  expect(unreadTexts("adviser", { ...adviser, starter: false })).toEqual([]);
});

test("names, switches and what is empty are no starting texts", () => {
  expect(unreadFields("adviser", adviser).has("name")).toBe(false);
  expect([...unreadFields("home", home).keys()]).not.toContain("hidden");
  expect(unreadTexts("contact", startingSettings.contact)).toEqual([]);
});

test("of services, the visible ones are named", () => {
  const items = services.items.map((item, index) => ({ ...item, hidden: index > 0 }));
  expect(unreadTexts("services", { ...services, items })).toEqual(["Life Insurance"]);
});

test("no starting text is the fictional firm's promise", () => {
  expect(isFictional(JSON.stringify({ home, adviser }))).toBe(false);
  const own = [defaultSettings.home, defaultSettings.adviser].flatMap((section) => [
    ...("assurances" in section ? section.assurances : []),
    ...("approachSteps" in section ? section.approachSteps : []),
    ...("lead" in section ? [section.lead, ...section.paragraphs] : [section.introduction]),
  ]);
  for (const text of own) {
    expect(JSON.stringify({ home, adviser })).not.toContain(JSON.stringify(text));
  }
});
