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
const manifestSchema = z.object({
  entry: moduleSchema,
  routes: z.record(z.string(), moduleSchema.extend({ css: z.array(z.string()).default([]) })),
});

/** Names of the scripts that a first visit needs before React takes the page over. */
export function firstScripts(routeId: string): string[] {
  const manifestFile = builtFiles(".js").find((name) => name.startsWith("manifest-"));
  if (!manifestFile) throw new Error("There is no build: run `npm run build`");
  const window: { __reactRouterManifest?: unknown } = {};
  runInNewContext(readFileSync(join(assets, manifestFile), "utf8"), { window });
  const { entry, routes } = manifestSchema.parse(window.__reactRouterManifest);

  const found = new Set([manifestFile]);
  function add(address: string) {
    const name = address.split("/").at(-1) ?? "";
    if (found.has(name)) return;
    found.add(name);
    const code = readFileSync(join(assets, name), "utf8");
    for (const [, next] of code.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)) {
      if (next) add(next);
    }
  }
  for (const { module, imports } of [entry, routes.root, routes[routeId]].filter(
    (part) => part !== undefined,
  )) {
    for (const address of [module, ...imports]) add(address);
  }
  return [...found];
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
