// The fictional firm of a new site is named in app/config/site.ts and in the sample posts only, so that nothing else has
// to change for another firm.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defaultSettings } from "../app/config/site.ts";

const root = join(import.meta.dirname, "..");
const folders = [
  "app",
  "server",
  "backend",
  "bench",
  "scripts",
  "supabase/functions",
  "supabase/migrations",
  "tests",
];

const { firm, adviser, contact } = defaultSettings;
const names = [
  firm.name,
  ...adviser.name.split(" "),
  contact.street,
  contact.city,
  contact.email.split("@")[1]?.split(".")[0] ?? "",
];

test("only app/config/site.ts names the fictional firm", () => {
  const pattern = new RegExp(names.map((name) => `\\b${name}\\b`).join("|"), "i");
  const files = folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((file) => /\.(tsx?|mjs|css|sql|svg|ya?ml|json|toml)$/.test(file));
  const wrong = files.filter((file) => pattern.test(readFileSync(join(root, file), "utf8")));
  expect(wrong).toEqual(["app/config/site.ts"]);
});
