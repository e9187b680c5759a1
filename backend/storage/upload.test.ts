import { expect, test } from "vitest";
import { assertObjectName } from "./upload.ts";

test.each(["public/a.png", "a", "images", "a b/c (1)!.png", "a..b/..c"])(
  "accepts the name %j",
  (name) => {
    expect(() => assertObjectName(name)).not.toThrow();
  },
);

test.each([
  ["empty", ""],
  ["with a parent folder", "public/../secret"],
  ["with a current folder", "./a"],
  ["beginning with a slash", "/etc/passwd"],
  ["ending with a slash", "public/"],
  ["with a backslash", "public\\..\\a"],
  ["with a line break", "a\nb"],
  ["ending with a line break", "a\n"],
  ["with a NUL", "a\0b"],
  ["with a percent sign", "%2e%2e"],
  ["too long", "a".repeat(1025)],
])("rejects a name (%s)", (_what, name) => {
  expect(() => assertObjectName(name)).toThrow(/Invalid key/);
});
