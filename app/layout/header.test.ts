import { expect, test } from "vitest";
import { isActiveTab, tabs } from "./header.tsx";

test("a tab is active on its page and on the pages below it", () => {
  expect(isActiveTab("/blog", "/blog")).toBe(true);
  expect(isActiveTab("/blog", "/blog/some-post")).toBe(true);
  expect(isActiveTab("/services", "/services/life-insurance")).toBe(true);
});

test("a path that only starts with the same letters does not activate a tab", () => {
  expect(isActiveTab("/blog", "/blogging")).toBe(false);
});

test("Home is active on the home page only", () => {
  expect(tabs.filter(({ to }) => isActiveTab(to, "/")).map(({ to }) => to)).toEqual(["/"]);
  expect(tabs.filter(({ to }) => isActiveTab(to, "/login"))).toEqual([]);
});
