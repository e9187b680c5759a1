import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeLicences, isAllowed, listPackages, target } from "../scripts/licences.ts";

test("no package of the running site has an unknown licence, or one that asks for more than a notice", () => {
  expect(listPackages().filter((found) => !isAllowed(found))).toEqual([]);
});

test.each([
  "GPL-3.0",
  "AGPL-3.0-only",
  "LGPL-3.0-or-later",
  "unknown",
  "MIT AND GPL-2.0",
  "SSPL-1.0",
])("%s would be noticed", (licence) => {
  expect(isAllowed({ name: "left-pad", licence })).toBe(false);
});

test("docs/licences.md is what npm run licences writes", () => {
  expect(readFileSync(target, "utf8")).toBe(describeLicences(listPackages()));
});
