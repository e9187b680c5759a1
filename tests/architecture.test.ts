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
  // Share images load the logo from the bucket.
  seo: ["config", "supabase"],
  supabase: ["config", "loading"],
  forms: ["ui"],
};

/** The folders of `app/manage/` that put its features together, as `composers` do for visitors. */
const managingComposers = new Set(["start", "setup", "settings"]);

/** Code for both the browser and an Edge Function. */
const sharedWithFunctions = "supabase/functions/_shared/";

interface Import {
  file: string;
  target: string;
  /** Whether it is an `import()`, which loads the target later. */
  dynamic: boolean;
}

function importsOf(folder: string): Import[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .flatMap((name) => {
      const file = join(folder, name);
      const text = readFileSync(join(root, file), "utf8");
      return [...text.matchAll(/(?:from|import)\s*(\(?)\s*"(\.[^"]+)"/g)].map(
        ([, bracket, path = ""]) => ({
          file,
          target: relative(root, join(root, dirname(file), path)),
          dynamic: bracket === "(",
        }),
      );
    });
}

const topFolderOf = (path: string) => path.split("/")[0] ?? "";
const folderOf = (path: string) => path.split("/")[1] ?? "";
const isManaging = (path: string) => path.startsWith("app/manage/");
/** The feature that a file of `app/manage/` manages; undefined for what all of them share. */
const managedFeature = (path: string) => /^app\/manage\/(?!images\/)([^/]+)\//.exec(path)?.[1];

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

test("the server reaches the backend through the files that start it alone", () => {
  const crossing = importsOf("server").filter(({ target }) => topFolderOf(target) === "backend");
  expect(new Set(crossing.map(({ file }) => file))).toEqual(
    new Set(["server/main.ts", "server/start-site.ts"]),
  );
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
    if (target.startsWith(sharedWithFunctions) || isManaging(file) || isManaging(target)) {
      return false;
    }
    const [from, to] = [folderOf(file), folderOf(target)];
    if (composers.has(from) || from in shared || from === to || to in shared) return false;
    // The page's frame shows who is signed in, and owners' controls ask for the session.
    return to !== "auth" && !target.includes("+types") && topFolderOf(target) === "app";
  });
  expect(wrong).toEqual([]);
});

test("app/manage/x imports the feature x, the shared folders and what app/manage shares", () => {
  const wrong = importsOf("app/manage").filter(({ file, target, dynamic }) => {
    if (file === "app/manage/manage-pages.ts" && dynamic) return false;
    if (target.includes("+types") || target.startsWith(sharedWithFunctions)) return false;
    const feature = managedFeature(file);
    if (isManaging(target)) {
      return (
        !managingComposers.has(feature ?? "") &&
        ![undefined, feature].includes(managedFeature(target))
      );
    }
    const folder = folderOf(target);
    return (
      topFolderOf(target) !== "app" || !(folder in shared || ["auth", feature].includes(folder))
    );
  });
  expect(wrong).toEqual([]);
});

test("a visitor's file imports from app/manage at most once, with import()", () => {
  const doors = importsOf("app").filter(
    ({ file, target }) => !isManaging(file) && isManaging(target) && file !== "app/routes.ts",
  );
  expect(doors.filter(({ dynamic }) => !dynamic)).toEqual([]);
  const files = doors.map(({ file }) => file);
  expect(files).toEqual([...new Set(files)]);
});
