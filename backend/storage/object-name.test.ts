import { expect, test } from "vitest";
import { assertObjectName } from "./object-name.ts";

test.each(["public/a.png", "a", "images", "a b/c (1)!.png", "a..b/..c"])(
  "the name %j is allowed",
  (name) => {
    expect(() => assertObjectName(name)).not.toThrow();
  },
);

test.each([
  ["empty", ""],
  ["climbing", "public/../secret"],
  ["pointing at itself", "./a"],
  ["beginning with a slash", "/etc/passwd"],
  ["ending with a slash", "public/"],
  ["with a backslash", "public\\..\\a"],
  ["with a line break", "a\nb"],
  ["ending with a line break", "a\n"],
  ["with a null", "a\0b"],
  ["with a percent sign", "%2e%2e"],
  ["too long", "a".repeat(1025)],
])("a name %s is refused", (_what, name) => {
  expect(() => assertObjectName(name)).toThrow(/Invalid key/);
});
