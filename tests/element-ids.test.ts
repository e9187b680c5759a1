// An element's id is also a property of `window`: with the id `next`, `window.next` is set, and Tiptap takes the site for one
// of Next.js.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtFiles, codeOf } from "./built-page.ts";

const app = join(import.meta.dirname, "../app");

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}

test("no element has an id that a script looks for as a property of window", () => {
  const parts = readdirSync(app, { recursive: true, encoding: "utf8" });
  const ids = parts
    .filter((name) => name.endsWith(".tsx") && !name.endsWith(".test.tsx"))
    .flatMap((name) => matches(readFileSync(join(app, name), "utf8"), /\bid="([^"]+)"/g));
  const properties = builtFiles(".js").flatMap((name) =>
    matches(codeOf(name), /\b(?:window|globalThis|self)\.([\w$]+)/g),
  );
  expect(ids).toContain("read-next");
  expect(properties).toContain("next");
  expect(ids.filter((id) => properties.includes(id))).toEqual([]);
});
