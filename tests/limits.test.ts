// The numbers of limits in documents and settings are those of the code.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { maxImageMegabytes } from "../app/config/image-address.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const megabytes = String(maxImageMegabytes);

/** `#` stands for the number. */
test.each([
  ["docs/security.md", "| image | # MB;"],
  ["docs/security.md", "at most # MB and 100 megapixels"],
  ["docs/security.md", "the bucket `images` is public with # MB"],
  ["docs/operations.md", "uploads of # MB."],
  ["supabase/config.toml", 'file_size_limit = "#MiB"'],
  ["supabase/migrations/20261122120200_images.sql", "# * 1024 * 1024, array["],
])("%s has the limit of an upload: %s", (file, phrase) => {
  expect(numbersOf(file, phrase)).toEqual([megabytes]);
});

test("the proxy of the documents lets the largest upload pass", () => {
  const [size] = numbersOf("docs/operations.md", "client_max_body_size #m;");
  expect(Number(size)).toBeGreaterThan(maxImageMegabytes);
});

test.each([
  ["| image | 50 MB; # megapixels |", "backend/storage/check-image.ts", "maxPixels = #_000_000;"],
  ["| JSON | # levels |", "backend/request-bounds.ts", "MAX_JSON_DEPTH = #;"],
  ["| address | # kB |", "backend/request-bounds.ts", "MAX_URL_LENGTH = # * KILOBYTE;"],
  ["| Auth and function body | # kB |", "backend/request-bounds.ts", "v1\\//, bytes: # * KILOBYTE"],
  ["size of a response | # rows;", "backend/rest/rest-api.ts", "MAX_ROWS = #;"],
  ["rows; # MB, from the widths", "backend/rest/rest-api.ts", "MAX_RESPONSE_BYTES = # * 1024"],
  ["one statement | # s;", "backend/rest-auth.ts", "STATEMENT_TIMEOUT_MS = #_000;"],
])("docs/security.md quotes the code in %s", (phrase, file, code) => {
  const [quoted] = numbersOf("docs/security.md", phrase);
  expect(quoted).toBeDefined();
  expect(numbersOf(file, code)).toContain(quoted);
});

/** The numbers in the places of a file that have the phrase, without separators of thousands. */
function numbersOf(file: string, phrase: string): string[] {
  const [before = "", after = ""] = phrase.split("#").map(escaped);
  const pattern = new RegExp(`${before}(\\d[\\d,]*)${after}`, "g");
  return [...read(file).matchAll(pattern)].map(([, number = ""]) => number.replaceAll(",", ""));
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
