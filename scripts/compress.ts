// Writes .br and .gz copies of a folder's files, so that serving them costs no processor time.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const folder = process.argv[2];
if (!folder) throw new Error("Usage: compress.ts FOLDER");
const compressible = new Set([
  ".js",
  ".css",
  ".svg",
  ".html",
  ".json",
  ".txt",
  ".xml",
  ".webmanifest",
]);

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
