// Finishes a new build: compresses the files, and keeps the hashed files of earlier builds, so that a
// tab opened before a deployment can still load its scripts. scripts/prepare.mjs runs it as
// `built-files.ts PREVIOUS NEXT`.
import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { z } from "zod";

const compressible = new Set(".js .css .svg .html .json .txt .xml .webmanifest".split(" "));
const assetsFolder = "client/assets";
/** The file with the list, in the build folder and outside the served files. */
const listFile = "former-assets.json";
/** Maps a name to the time when a newer build replaced the file. */
const listSchema = z.record(z.string(), z.iso.datetime());
const millisecondsKept = 30 * 24 * 60 * 60 * 1000;
/** The maximum number of bytes, including the compressed copies. */
const largestTotal = 50 * 1024 * 1024;

/** Adds to the build `next` the files of `previous` that it lacks, newest first, within the limits. */
export function keepFormerAssets(previous: string, next: string, now = Date.now()): void {
  const own = new Set(listAssets(next));
  const known = readFormerAssets(previous);
  const candidates = listAssets(previous)
    .filter((name) => !own.has(name))
    .map((name) => ({ name, replaced: Date.parse(known[name] ?? "") || now }))
    .filter(({ replaced }) => now - replaced < millisecondsKept)
    .sort((a, b) => b.replaced - a.replaced);
  const kept: z.infer<typeof listSchema> = {};
  let total = 0;
  for (const { name, replaced } of candidates) {
    const variants = [name, `${name}.br`, `${name}.gz`].filter((file) =>
      existsSync(join(previous, assetsFolder, file)),
    );
    for (const file of variants) total += statSync(join(previous, assetsFolder, file)).size;
    if (total > largestTotal) break;
    for (const file of variants) {
      link(join(previous, assetsFolder, file), join(next, assetsFolder, file));
    }
    kept[name] = new Date(replaced).toISOString();
  }
  writeFileSync(join(next, listFile), `${JSON.stringify(kept, null, 2)}\n`);
}

/** The files of earlier builds in a build, by name, with the time of their replacement. */
export function readFormerAssets(build: string): Record<string, string> {
  try {
    return listSchema.parse(JSON.parse(readFileSync(join(build, listFile), "utf8")));
  } catch {
    // A missing or damaged list must not fail the build.
    return {};
  }
}

/** The names of the files without the compressed copies. */
function listAssets(build: string): string[] {
  const folder = join(build, assetsFolder);
  return existsSync(folder) ? readdirSync(folder).filter((name) => !/\.(br|gz)$/.test(name)) : [];
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // Some file systems have no hard links.
    copyFileSync(from, to);
  }
}

/** Writes .br and .gz copies of a folder's files, so that serving them costs no processor time. */
function compressFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!compressible.has(extname(name))) continue;
    const file = join(folder, name);
    const content = readFileSync(file);
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

if (import.meta.main) {
  const [previous, next] = process.argv.slice(2);
  if (!previous || !next) throw new Error("Usage: built-files.ts PREVIOUS NEXT");
  compressFiles(join(next, "client"));
  keepFormerAssets(previous, next);
}
