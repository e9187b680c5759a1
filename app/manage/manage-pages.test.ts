import { expect, test } from "vitest";
import { pageAt, pagesOf } from "./manage-pages.ts";

const labels = (role: Parameters<typeof pagesOf>[0]) => pagesOf(role).map(({ label }) => label);

test("each role sees links to what it may manage", () => {
  expect(labels("owner")).toHaveLength(8);
  expect(labels("editor")).toEqual(["Overview", "Posts", "Account"]);
  expect(labels("assistant")).toEqual(["Overview", "Messages", "Testimonials", "Account"]);
  expect(labels(null)).toEqual([]);
});

test("the current page is the one with the longest matching address", () => {
  expect(pageAt("/manage")?.label).toBe("Overview");
  expect(pageAt("/manage/setup")?.label).toBe("Overview");
  expect(pageAt("/manage/settings/firm")?.label).toBe("Settings");
  expect(pageAt("/managed")).toBeUndefined();
});
