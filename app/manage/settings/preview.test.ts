import { expect, test } from "vitest";
import { defaultSite } from "../../../tests/default-site.ts";
import type { SectionName } from "../../config/site-schema.ts";
import { pageOf, previewPages } from "./preview.tsx";

test.each([
  ["services", "setting-items-2-tagline", "/services/life-insurance"],
  ["services", "setting-items-2", "/services/life-insurance"],
  ["services", "setting-lead", "/services"],
  ["disclosures", "setting-testimonials", "/testimonials"],
  ["disclosures", "setting-retirementCalculator", "/savings-calculator"],
  ["pages", "setting-calculatorsButton", "/savings-calculator"],
  ["contact", "setting-socials-0-url", "/contact"],
  ["adviser", "setting-lead", undefined],
] as const)("in %s, the field %s is on the page %s", (section: SectionName, field, path) => {
  expect(pageOf(previewPages(section, defaultSite), field)?.path).toBe(path);
});

test("without published services, the list of services shows the drafts", () => {
  const pages = previewPages("services", { ...defaultSite, services: [] });
  expect(pages.map(({ path }) => path)).toEqual(["/services", "/"]);
});
