import { expect, test } from "vitest";
import { landingPath } from "./landing-path.ts";

test("signing in leads back to the page that asked for it, else to the overview until the site is set up", () => {
  expect(landingPath({ from: "/messages?page=2" }, true)).toBe("/messages?page=2");
  expect(landingPath(null, true)).toBe("/manage");
  expect(landingPath(null, false)).toBe("/blog");
});

test.each(["//example.com", "https://example.com", 1, undefined])(
  "%j is no page of this site",
  (from) => {
    expect(landingPath({ from }, false)).toBe("/blog");
  },
);
