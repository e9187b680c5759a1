import { expect, test } from "vitest";
import { markSession } from "./mark-session.ts";

/** Runs the script of a marked page. */
function run(localStorage: object): DOMStringMap {
  const [, script = ""] =
    /^<head><script nonce="n">(.*)<\/script><meta>/.exec(
      markSession("<head><meta></head>", "n", "owner-session"),
    ) ?? [];
  const dataset: DOMStringMap = {};
  new Function("document", "localStorage", script)({ documentElement: { dataset } }, localStorage);
  return dataset;
}

test("the document is marked where a session is stored, before anything else in it", () => {
  expect(run({ "owner-session": "{}" })).toEqual({ session: "" });
  expect(run({})).toEqual({});
});

test("storage that throws leaves the document of a visitor", () => {
  const denied = {
    get "owner-session"(): string {
      throw new DOMException("Denied", "SecurityError");
    },
  };
  expect(run(denied)).toEqual({});
});
