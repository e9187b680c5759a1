import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeLicenses, isAllowed, listPackages, target } from "../scripts/licenses.ts";

test("every package of the running site has a known license that asks for no more than a notice", () => {
  expect(listPackages().filter((found) => !isAllowed(found))).toEqual([]);
});

test.each([
  "GPL-3.0",
  "AGPL-3.0-only",
  "LGPL-3.0-or-later",
  "unknown",
  "MIT AND GPL-2.0",
  "SSPL-1.0",
])("%s is rejected", (license) => {
  expect(isAllowed({ name: "left-pad", license })).toBe(false);
});

test("docs/licenses.md is up to date with npm run licenses", () => {
  expect(readFileSync(target, "utf8")).toBe(describeLicenses(listPackages()));
});
