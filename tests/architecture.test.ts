// Enforces the imports that docs/architecture.md allows.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const composers = new Set([
  "home",
  // Lists the pages of every feature.
  "sitemap",
  "root.tsx",
  "routes.ts",
  "entry.client.tsx",
  "entry.server.tsx",
]);
/** The folders that every feature may import, each with the folders that it may import itself. */
const shared: Record<string, string[]> = {
  config: [],
  loading: [],
  ui: ["config", "loading"],
  seo: ["config"],
  supabase: ["config", "loading"],
  paging: ["ui"],
  "bot-check": [],
};

/** Code for both the browser and an Edge Function. */
const sharedWithFunctions = "supabase/functions/_shared/";

interface Import {
  file: string;
  target: string;
}

function importsOf(folder: string): Import[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$/.test(name))
    .flatMap((name) => {
      const file = join(folder, name);
      const text = readFileSync(join(root, file), "utf8");
      return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path = ""]) => ({
        file,
        target: relative(root, join(root, dirname(file), path)),
      }));
    });
}

const topFolderOf = (path: string) => path.split("/")[0] ?? "";
const folderOf = (path: string) => path.split("/")[1] ?? "";

test("the app imports nothing of the backend or the server", () => {
  expect(
    importsOf("app").filter(({ target }) => ["backend", "server"].includes(topFolderOf(target))),
  ).toEqual([]);
});

test("the app imports only shared code of the functions", () => {
  const wrong = importsOf("app").filter(
    ({ target }) => topFolderOf(target) === "supabase" && !target.startsWith(sharedWithFunctions),
  );
  expect(wrong).toEqual([]);
});

test("the backend imports nothing of the app or the server", () => {
  const shared = "supabase/functions/_shared/";
  expect(
    importsOf("backend").filter(
      ({ target }) => topFolderOf(target) !== "backend" && !target.startsWith(shared),
    ),
  ).toEqual([]);
});

test("the server reaches the backend through main.ts alone", () => {
  const crossing = importsOf("server").filter(({ target }) => topFolderOf(target) === "backend");
  expect(new Set(crossing.map(({ file }) => file))).toEqual(new Set(["server/main.ts"]));
});

test("supabase/ imports nothing outside itself", () => {
  expect(importsOf("supabase").filter(({ target }) => topFolderOf(target) !== "supabase")).toEqual(
    [],
  );
});

test("the shared folders import no feature", () => {
  const wrong = importsOf("app").filter(({ file, target }) => {
    const allowed = shared[folderOf(file)];
    if (!allowed || topFolderOf(target) !== "app") return false;
    return folderOf(target) !== folderOf(file) && !allowed.includes(folderOf(target));
  });
  expect(wrong).toEqual([]);
});

test("features never import each other", () => {
  const wrong = importsOf("app").filter(({ file, target }) => {
    if (target.startsWith(sharedWithFunctions)) return false;
    const [from, to] = [folderOf(file), folderOf(target)];
    if (composers.has(from) || from in shared || from === to || to in shared) return false;
    // The page's frame shows who is signed in, and owners' controls ask for the session.
    return to !== "auth" && !target.includes("+types") && topFolderOf(target) === "app";
  });
  expect(wrong).toEqual([]);
});
