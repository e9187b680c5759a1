import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defaultSettings } from "../app/config/site.ts";

const root = join(import.meta.dirname, "..");
const { firm, adviser, contact } = defaultSettings;
const names = [
  ...[firm.name, ...adviser.name.split(" "), contact.street, contact.city],
  contact.email.split("@")[1]?.split(".")[0] ?? "",
];

// Another firm must not have to change other files. The sample posts may name the fictional firm.
test("only app/config/site.ts names the fictional firm", () => {
  const pattern = new RegExp(names.map((name) => `\\b${name}\\b`).join("|"), "i");
  const files = globSync(
    "{app,server,packages,bench,scripts,supabase/functions,supabase/migrations,tests}/**/*.{ts,tsx,mjs,css,sql,svg,yml,yaml,json,toml}",
    { cwd: root },
  );
  expect(files.length).toBeGreaterThan(500);
  const naming = files.filter((file) => pattern.test(readFileSync(join(root, file), "utf8")));
  expect(naming).toEqual(["app/config/site.ts"]);
});
