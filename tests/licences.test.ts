import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeLicences, isAllowed, listPackages, target } from "../scripts/licences.ts";

test("every package of the running site has a known licence that asks for no more than a notice", () => {
  expect(listPackages().filter((found) => !isAllowed(found))).toEqual([]);
});

test.each([
  "GPL-3.0",
  "AGPL-3.0-only",
  "LGPL-3.0-or-later",
  "unknown",
  "MIT AND GPL-2.0",
  "SSPL-1.0",
])("%s is rejected", (licence) => {
  expect(isAllowed({ name: "left-pad", licence })).toBe(false);
});

test("docs/licences.md is up to date with npm run licences", () => {
  expect(readFileSync(target, "utf8")).toBe(describeLicences(listPackages()));
});
