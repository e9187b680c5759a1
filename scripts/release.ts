// `npm run release -- VERSION`: makes a release of this checkout: its version, the day in the changelog, the hashes of its new
// migrations. Without VERSION it is the present one. It can be repeated until there is a tag.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isNewer, versionSchema } from "../app/config/checks/release.ts";
import packageFile from "../package.json" with { type: "json" };
import {
  findProblems,
  formatList,
  hashMigrations,
  listFile,
  readReleases,
  released,
} from "./released-migrations.ts";
import { stop } from "./stop.ts";

const root = join(import.meta.dirname, "..");
const [version = packageFile.version] = process.argv.slice(2);
if (!versionSchema.safeParse(version).success) stop("Usage: npm run release -- 1.2.3");
const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: root, encoding: "utf8" });
if (run("git", "tag", "--list", `v${version}`)) stop(`v${version} has a tag already.`);

const releases = readReleases();
releases.delete(version);
const newer = [...releases.keys()].find((other) => !isNewer(version, other));
if (newer) stop(`${newer} is a release already, and not older than ${version}.`);
const present = hashMigrations();
const former = released(releases);
const problems = findProblems(former, present);
if (problems.length > 0) stop(problems.join("\n"));
const changelogFile = join(root, "CHANGELOG.md");
const changelog = readFileSync(changelogFile, "utf8");
const heading = new RegExp(`^## \\[${version.replaceAll(".", "\\.")}\\] - .*$`, "m");
if (!heading.test(changelog)) stop(`CHANGELOG.md has no part \`## [${version}] - unreleased\`.`);

const day = new Date().toISOString().slice(0, 10);
writeFileSync(changelogFile, changelog.replace(heading, `## [${version}] - ${day}`));
releases.set(version, new Map([...present].filter(([name]) => !former.has(name))));
writeFileSync(listFile, formatList(releases));
run(
  ...[
    "npm",
    "version",
    version,
    "--no-git-tag-version",
    "--allow-same-version",
    "--loglevel=error",
  ],
  ...["--workspaces", "--include-workspace-root"],
);
console.log(`This is ${version}. When it is tested and committed:
  git tag --annotate v${version} --message "Version ${version}"
  git push origin v${version}`);
