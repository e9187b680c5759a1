import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import packageFile from "../package.json" with { type: "json" };
import {
  findProblems,
  formatList,
  hashMigrations,
  listFile,
  parseList,
  readReleases,
  released,
} from "./released-migrations.ts";

const [a, b, c] = ["a", "b", "c"].map((letter) => letter.repeat(64)) as [string, string, string];
const former = new Map([
  ["20270101000000_posts.sql", a],
  ["20270102000000_pages.sql", b],
]);

test("no released migration was edited or removed, and each new one comes after them", () => {
  expect(findProblems(released(), hashMigrations())).toEqual([]);
});

test("the list has the version of package.json, which `npm run release` sets, and is as that writes it", () => {
  expect([...readReleases().keys()].at(-1)).toBe(packageFile.version);
  expect(formatList(readReleases())).toBe(readFileSync(listFile, "utf8"));
});

test("the first version has migrations once the changelog names its day", () => {
  const changelog = readFileSync(join(import.meta.dirname, "../CHANGELOG.md"), "utf8");
  const isReleased = /^## \[1\.0\.0\] - \d{4}-\d\d-\d\d$/m.test(changelog);
  expect((readReleases().get("1.0.0")?.size ?? 0) > 20).toBe(isReleased);
});

test.each<[what: string, changes: Record<string, string | null>, problems: RegExp[]]>([
  ["a later migration", { "20270102000001_tags.sql": c }, []],
  ["an edited one", { "20270101000000_posts.sql": c }, [/^20270101000000_posts.sql .* edited/]],
  ["a removed one", { "20270102000000_pages.sql": null }, [/^20270102000000_pages.sql .* stay/]],
  ["an earlier one", { "20270101000001_tags.sql": c }, [/^20270101000001_tags.sql .* later time/]],
  [
    "a renamed one",
    { "20270101000000_posts.sql": null, "20270101000000_post.sql": a },
    [/stay/, /later time/],
  ],
])("%s is told", (_, changes, problems) => {
  const present = new Map(former);
  for (const [name, hash] of Object.entries(changes)) {
    if (hash === null) present.delete(name);
    else present.set(name, hash);
  }
  expect(findProblems(former, present)).toEqual(
    problems.map((problem) => expect.stringMatching(problem)),
  );
});

test("the list keeps the versions apart, and takes nothing else", () => {
  const releases = new Map([
    ["1.0.0", former],
    ["1.1.0", new Map([["20270201000000_tags.sql", c]])],
  ]);
  const text = formatList(releases);
  expect(text.split("\n")[1]).toBe(`${a}  migrations/20270101000000_posts.sql`);
  expect(parseList(text)).toEqual(releases);
  expect(released(releases).size).toBe(3);
  expect(() => parseList(`${a}  migrations/20270101000000_posts.sql`)).toThrow("not a version");
  expect(() => parseList("# 1.0.0\n<<<<<<<")).toThrow("not a version");
});
