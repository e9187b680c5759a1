// Documents and comments name only files and folders that exist.
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const ignoredFolders = [
  ".git",
  ".builds",
  ".data",
  ".react-router",
  "node_modules",
  "test-results",
];
const files = globSync(
  ["{*,.*}", "{.ci,app,backend,bench,docs,public,scripts,server,supabase,tests}/**"],
  {
    cwd: root,
    withFileTypes: true,
    exclude: ({ name }) => ignoredFolders.includes(name),
  },
)
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => posix.relative(root, posix.join(parentPath, name)));
const folders = new Set(files.flatMap(foldersAbove));
const topFolders = new Set([...folders].filter((folder) => !folder.includes("/")));

const names = new Set(files.map((file) => basename(file)));

/** Its examples are missing on purpose. */
const thisFile = "tests/references.test.ts";

/** Names that are right although this repository has no such file. */
const exceptions = new Map([
  ["docs/licenses.md", "Contains package names."],
  ["file.md", "An example in a text about links."],
  ["name/index.ts", "A placeholder for the folder of a function."],
]);

const extension = String.raw`\.(?:tsx?|mjs|sql|css|md|toml|ya?ml|json|svg)(?![\w-])`;
/** With a slash, such as `app/routes.ts`, `../test.ts` or `server/images/`. */
const pathPattern = /(?<![\w/.:@#<{}$*-])(?!DATA_DIR)(?:\.{1,2}\/|[\w.+-]+\/)+[\w.*+-]*/g;
/** Without a slash, such as `routes.ts`. */
const namePattern = new RegExp(String.raw`(?<![\w/.:@{}*-])[\w-]+(?:\.[\w-]+)*${extension}`, "g");

test("documents and comments name only files that exist", () => {
  // A released migration is never edited, so its comments may name files of its time.
  const sources = files.filter(
    (file) =>
      /\.(md|tsx?|mjs|css|sql|toml)$|^\.env\.example$/.test(file) &&
      !exceptions.has(file) &&
      !file.startsWith("supabase/migrations/") &&
      file !== thisFile,
  );
  expect(sources.flatMap(missingReferences)).toEqual([]);
});

test("the check reports missing files, folders, links and sections", () => {
  const missing = (text: string) => referencesIn(text).filter((name) => !exists(name, "docs/x.md"));
  expect(missing("See app/no-such.ts, `server/none/` and no-such.sql.")).toEqual([
    "app/no-such.ts",
    "server/none/",
    "no-such.sql",
  ]);
  expect(missing("See app/routes.ts, server/, seed.sql, security.md and ../bench/*.ts.")).toEqual(
    [],
  );
  expect(
    brokenLinks("[a](none.md) [b](#none)\n# One\n[c](#one) [d](security.md)", "docs/x.md"),
  ).toEqual(["none.md", "#none"]);
});

function foldersAbove(file: string): string[] {
  const folder = dirname(file);
  return folder === "." ? [] : [folder, ...foldersAbove(folder)];
}

function missingReferences(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const prose = file.endsWith(".md") ? text : commentsOf(text, file);
  const missing = referencesIn(prose).filter((name) => !exists(name, file));
  const links = file.endsWith(".md") ? brokenLinks(text, file) : [];
  return [...missing, ...links]
    .filter((name) => !exceptions.has(name))
    .map((name) => `${file}: ${name}`);
}

function commentsOf(text: string, file: string): string {
  if (/\.toml$|^\.env/.test(file)) return text.match(/^#.*$/gm)?.join("\n") ?? "";
  if (file.endsWith(".sql")) return text.match(/--.*$/gm)?.join("\n") ?? "";
  return text.match(/(?<=^|[\s{])\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm)?.join("\n") ?? "";
}

/** A path counts when it starts in one of the repository's folders or ends in a known extension. */
function referencesIn(text: string): string[] {
  const withoutLinks = text.replace(/\]\([^)]*\)|https?:\/\/\S+/g, "]");
  const paths = (withoutLinks.match(pathPattern) ?? [])
    .map((path) => path.replace(/[.,]+$/, ""))
    .filter(
      (path) => topFolders.has(path.split("/")[0] ?? "") || new RegExp(`${extension}$`).test(path),
    );
  return [...paths, ...(withoutLinks.match(namePattern) ?? [])];
}

function exists(name: string, from: string): boolean {
  if (!name.includes("/")) return names.has(name);
  return [name, posix.join(dirname(from), name)].some((path) => {
    const plain = posix.normalize(path).replace(/\/\*?$/, "");
    if (plain.includes("*")) return files.some((file) => posix.matchesGlob(file, plain));
    return files.includes(plain) || folders.has(plain);
  });
}

function brokenLinks(text: string, file: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => {
    if (/^(https?|mailto):/.test(target)) return false;
    const [path = "", section] = target.split("#");
    const linked = path ? posix.join(dirname(file), path) : file;
    if (path && !files.includes(linked) && !folders.has(linked)) return true;
    const content = path ? readFileSync(join(root, linked), "utf8") : text;
    return section !== undefined && !sectionsOf(content).includes(section);
  });
}

/** The anchors that GitHub gives to a document's headings. */
function sectionsOf(markdown: string): string[] {
  return (markdown.match(/^#+ .*$/gm) ?? []).map((heading) =>
    heading
      .replace(/^#+ /, "")
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}
