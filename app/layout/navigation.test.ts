import { expect, test } from "vitest";
import { isActiveTab, navigation } from "./navigation.ts";

test("a tab is active on its page and on the pages below it", () => {
  expect(isActiveTab("/blog", "/blog")).toBe(true);
  expect(isActiveTab("/blog", "/blog/some-post")).toBe(true);
  expect(isActiveTab("/services", "/services/life-insurance")).toBe(true);
});

test("a path that merely begins with the same letters does not activate a tab", () => {
  expect(isActiveTab("/blog", "/blogging")).toBe(false);
});

test("home is active on the home page alone", () => {
  expect(navigation.filter(({ to }) => isActiveTab(to, "/")).map(({ to }) => to)).toEqual(["/"]);
  expect(navigation.filter(({ to }) => isActiveTab(to, "/login"))).toEqual([]);
});
