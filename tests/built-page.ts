// What the browser loads for a page, read from the build.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { z } from "zod";
import { readFormerAssets } from "../scripts/former-assets.ts";

const build = join(import.meta.dirname, "../build");
const assets = join(build, "client/assets");
/** Kept for tabs that were opened before a deployment: not of this build. */
const former = readFormerAssets(build);

const moduleSchema = z.object({ module: z.string(), imports: z.array(z.string()).default([]) });
const routeSchema = moduleSchema.extend({
  clientLoaderModule: z.string().optional(),
  /** Routes without one are for machines: no browser asks for their code. */
  hasDefaultExport: z.boolean(),
});
const manifestSchema = z.object({ entry: moduleSchema, routes: z.record(z.string(), routeSchema) });

function readManifest() {
  const manifestFile = builtFiles(".js").find((name) => name.startsWith("manifest-"));
  if (!manifestFile) throw new Error("There is no build: run `npm run build`");
  const window: { __reactRouterManifest?: unknown } = {};
  runInNewContext(readFileSync(join(assets, manifestFile), "utf8"), { window });
  return { manifestFile, ...manifestSchema.parse(window.__reactRouterManifest) };
}

/** Adds the files to those that are found already, with all that they import when they start. */
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

/** Names of the scripts that a first visit needs before React takes the page over. */
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

/** The ids of the routes that are pages: not those for machines. */
export function pageRoutes(): string[] {
  const { routes } = readManifest();
  return Object.keys(routes).filter((id) => routes[id]?.hasDefaultExport && id !== "root");
}

/** Names of the scripts that are loaded later: by React Router for a page, or by an `import()`. */
export function lazyScripts(): { pages: string[]; parts: string[] } {
  const { entry, routes } = readManifest();
  const pages = Object.entries(routes)
    .filter(([id, { hasDefaultExport }]) => hasDefaultExport && id !== "root")
    .flatMap(([, { module, clientLoaderModule }]) => [module, clientLoaderModule ?? module]);
  const found = new Set<string>();
  addFiles(found, [entry.module, ...(routes.root ? [routes.root.module] : []), ...pages]);
  const parts = new Set<string>();
  // Grows while it is walked: a part may have parts of its own.
  for (const name of found) {
    for (const [, part = ""] of codeOf(name).matchAll(/\bimport\(["'`]\.\/([^"'`]+)["'`]\)/g)) {
      parts.add(part);
      addFiles(found, [part]);
    }
  }
  return { pages: [...new Set(pages.map(nameOf))].sort(), parts: [...parts].sort() };
}

function nameOf(address: string): string {
  return address.split("/").at(-1) ?? "";
}

/** Names of the built files of a kind. */
export function builtFiles(ending: string): string[] {
  return readdirSync(assets).filter((name) => name.endsWith(ending) && !(name in former));
}

/** Bytes of a built file as it travels: compressed when there is a compressed one. */
export function travelSize(name: string): number {
  const compressed = statSync(join(assets, `${name}.br`), { throwIfNoEntry: false });
  return (compressed ?? statSync(join(assets, name))).size;
}

export function codeOf(name: string): string {
  return readFileSync(join(assets, name), "utf8");
}
