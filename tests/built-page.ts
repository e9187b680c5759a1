// Reads from the build which files the browser loads for a page.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { z } from "zod";
import { readFormerAssets } from "../scripts/built-files.ts";

const build = join(import.meta.dirname, "../build");
const assets = join(build, "client/assets");
/** Files of earlier builds, which are served for tabs opened before a deployment. */
const former = readFormerAssets(build);

const moduleSchema = z.object({ module: z.string(), imports: z.array(z.string()).default([]) });
const routeSchema = moduleSchema.extend({ hasDefaultExport: z.boolean() });
const manifestSchema = z.object({ entry: moduleSchema, routes: z.record(z.string(), routeSchema) });

function readManifest() {
  const manifestFile = builtFiles(".js").find((name) => name.startsWith("manifest-"));
  if (!manifestFile) throw new Error("There is no build: run `npm run build`");
  const window: { __reactRouterManifest?: unknown } = {};
  runInNewContext(readFileSync(join(assets, manifestFile), "utf8"), { window });
  return { manifestFile, ...manifestSchema.parse(window.__reactRouterManifest) };
}

/** Adds the files to `found`, with everything that they import statically. */
function addFiles(found: Set<string>, addresses: readonly string[]): void {
  for (const address of addresses) {
    const name = nameOf(address);
    if (found.has(name)) continue;
    found.add(name);
    const imports = codeOf(name).matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g);
    addFiles(
      found,
      [...imports].map(([, next = ""]) => next),
    );
  }
}

/** The scripts that a first visit needs for hydration. */
export function firstScripts(routeId: string): string[] {
  const { entry, routes, manifestFile } = readManifest();
  const found = new Set([manifestFile]);
  for (const part of [entry, routes.root, routes[routeId]]) {
    if (part) addFiles(found, [part.module, ...part.imports]);
  }
  return [...found];
}

const chunkModulesSchema = z.record(z.string(), z.array(z.string()));

/** The modules of `app/` that each built script contains, by the script's name. */
export function modulesByScript(): Record<string, string[]> {
  return chunkModulesSchema.parse(
    JSON.parse(readFileSync(join(build, "chunk-modules.json"), "utf8")),
  );
}

/** The ids of the routes that are pages. */
export function pageRoutes(): string[] {
  const { routes } = readManifest();
  return Object.keys(routes).filter((id) => id !== "root" && routes[id]?.hasDefaultExport);
}

/** The scripts that are loaded on demand, by an `import()`. */
export function lazyScripts(): string[] {
  const { entry } = readManifest();
  const found = new Set<string>();
  addFiles(found, [entry.module]);
  const parts = new Set<string>();
  // The set grows during the iteration, because a part can have parts.
  for (const name of found) {
    for (const [, part = ""] of codeOf(name).matchAll(/\bimport\(["'`]\.\/([^"'`]+)["'`]\)/g)) {
      parts.add(part);
      addFiles(found, [part]);
    }
  }
  return [...parts].sort();
}

function nameOf(address: string): string {
  return address.split("/").at(-1) ?? "";
}

/** The built files with this extension. */
export function builtFiles(ending: string): string[] {
  return readdirSync(assets).filter((name) => name.endsWith(ending) && !(name in former));
}

/** Transfer size of a built file in bytes: compressed when a compressed copy exists. */
export function travelSize(name: string): number {
  const compressed = statSync(join(assets, `${name}.br`), { throwIfNoEntry: false });
  return (compressed ?? statSync(join(assets, name))).size;
}

export function codeOf(name: string): string {
  return readFileSync(join(assets, name), "utf8");
}
