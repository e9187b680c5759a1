// Documents and comments name only files and folders that exist.
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const ignored = [".git", ".builds", ".data", ".react-router", "node_modules", "test-results"];
const files = globSync(
  ["{*,.*}", "{.ci,app,bench,deploy,docs,packages,public,scripts,server,supabase,tests}/**"],
  { cwd: root, withFileTypes: true, exclude: ({ name }) => ignored.includes(name) },
)
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => posix.relative(root, posix.join(parentPath, name)));
const folders = new Set(files.flatMap(foldersAbove));
/** The names of migrations without their time. */
const names = new Set(
  files.flatMap((file) => [basename(file), basename(file).replace(/^\d{14}_/, "")]),
);

/** Names that may be mentioned although this repository has no such file. */
const exceptions = new Map([
  ["docs/licenses.md", "Contains package names."],
  ["file.md", "An example in a text about links."],
  ["name/index.ts", "A placeholder for the folder of a function."],
  ["embedded-supabase/start.ts", "A name of an import."],
]);

const extension = String.raw`\.(?:tsx?|mjs|sql|css|md|toml|ya?ml|json|svg)(?![\w-])`;
/** Paths with a slash, such as `app/routes.ts`, `../test.ts` or `server/images/`. */
const pathPattern = /(?<![\w/.:@#<{}$*-])(?!DATA_DIR)(?:\.{1,2}\/|[\w.+-]+\/)+[\w.*+-]*/g;
/** File names without a slash, such as `routes.ts`. */
const namePattern = new RegExp(String.raw`(?<![\w/.:@{}*-])[\w-]+(?:\.[\w-]+)*${extension}`, "g");

test("documents and comments name only files that exist", () => {
  const sources = files.filter(
    (file) =>
      /\.(md|tsx?|mjs|css|sql|toml)$|^\.env\.example$/.test(file) &&
      !exceptions.has(file) &&
      // This file names missing files as examples.
      file !== "tests/references.test.ts",
  );
  const missing = sources.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return missingIn(file.endsWith(".md") ? text : commentsOf(text, file), file).map(
      (name) => `${file}: ${name}`,
    );
  });
  expect(missing).toEqual([]);
});

test("each document is linked from docs/README.md, where every reader begins", () => {
  const text = readFileSync(join(root, "docs/README.md"), "utf8");
  const documents = globSync("docs/*.md", { cwd: root }).map((file) => basename(file));
  expect(documents.length).toBeGreaterThan(8);
  expect(documents.filter((name) => name !== "README.md" && !text.includes(`(${name})`))).toEqual(
    [],
  );
});

test("the check reports missing files, folders and links", () => {
  const text = "See app/no-such.ts, `server/none/`, no-such.sql and [a](none.md).";
  expect(missingIn(text, "docs/x.md")).toEqual([
    ...["app/no-such.ts", "server/none/", "no-such.sql", "none.md"],
  ]);
  const right = "See app/routes.ts, server/, seed.sql, ../bench/*.ts and [a](security.md#one).";
  expect(missingIn(right, "docs/x.md")).toEqual([]);
});

function foldersAbove(file: string): string[] {
  const folder = dirname(file);
  return folder === "." ? [] : [folder, ...foldersAbove(folder)];
}

function commentsOf(text: string, file: string): string {
  const comments = /\.toml$|^\.env/.test(file)
    ? /^#.*$/gm
    : file.endsWith(".sql")
      ? /--.*$/gm
      : /(?<=^|[\s{])\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
  return text.match(comments)?.join("\n") ?? "";
}

/** A path counts when it starts in one of the repository's folders or ends in a known extension. */
function missingIn(text: string, file: string): string[] {
  const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]*[./][^)\s#]*)/g)].map(
    ([, target = ""]) => `./${target}`,
  );
  const plain = text.replace(/\]\([^)]*\)|https?:\/\/\S+/g, "]");
  const paths = (plain.match(pathPattern) ?? [])
    .map((path) => path.replace(/[.,]+$/, ""))
    .filter(
      (path) => folders.has(path.split("/")[0] ?? "") || new RegExp(`${extension}$`).test(path),
    );
  return [...paths, ...(plain.match(namePattern) ?? []), ...links]
    .filter((name) => !exists(name, file))
    .map((name) => name.replace(/^\.\//, ""))
    .filter((name) => !exceptions.has(name));
}

function exists(name: string, from: string): boolean {
  if (!name.includes("/")) return names.has(name);
  return [name, posix.join(dirname(from), name)].some((path) => {
    const plain = posix.normalize(path).replace(/\/\*?$/, "");
    if (plain.includes("*")) return files.some((file) => posix.matchesGlob(file, plain));
    return files.includes(plain) || folders.has(plain);
  });
}
