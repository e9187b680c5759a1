import { expect, test } from "vitest";
import { holdsSecretKey, readSecretKeys } from "./secret-key.ts";

test.each([
  [undefined, "legacy", ["legacy"]],
  [
    '{"other":"sb_secret_2","default":"sb_secret_1"}',
    "legacy",
    ["sb_secret_1", "sb_secret_2", "legacy"],
  ],
  ['{"default":7}', undefined, []],
  ["no json", "", []],
  [undefined, undefined, []],
])("the keys %s and %s are %j", (named, legacy, keys) => {
  expect(readSecretKeys(named, legacy)).toEqual(keys);
});

const keys = ["sb_secret_1", "legacy"];

test.each([
  [{ apikey: "sb_secret_1" }, true],
  [{ apikey: "sb_publishable_1", authorization: "Bearer legacy" }, true],
  [{ apikey: "sb_secret_" }, false],
  [{ apikey: "" }, false],
  [{ authorization: "legacy" }, false],
  [{}, false],
])("a request with %j is authorized: %s", (headers, expected) => {
  expect(holdsSecretKey(new Headers(headers as Record<string, string>), keys)).toBe(expected);
});

test("without a key in the settings no request is authorized", () => {
  expect(holdsSecretKey(new Headers({ apikey: "" }), readSecretKeys(undefined, ""))).toBe(false);
});
