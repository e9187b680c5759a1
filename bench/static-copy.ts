// The home page as someone would have written it by hand: the same HTML without a script, as a file, sent
// by the same HTTP server and the same static-file code as the site's own files. The limit to measure against.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { getRequestListener } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";

const clientDir = join(import.meta.dirname, "../build/client");

/** Takes every script out of a page, and what only scripts are for. */
export function withoutScripts(html: string): string {
  return html
    .replace(/<script\b[\s\S]*?<\/script>/g, "")
    .replace(/<link rel="modulepreload"[^>]*>/g, "");
}

/** Writes `html` and serves it at `/` beside the site's files. Ends with the process that runs it. */
async function serve(html: string, port: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-static-"));
  const file = join(folder, "index.html");
  await writeFile(file, html);
  await writeFile(`${file}.br`, brotliCompressSync(html));
  await writeFile(`${file}.gz`, gzipSync(html));
  const app = new Hono().use(serveStatic({ root: folder, precompressed: true })).use(
    serveStatic({
      root: clientDir,
      precompressed: true,
      onFound: (_path, context) =>
        context.header("cache-control", "public, max-age=31536000, immutable"),
    }),
  );
  const server = createServer(getRequestListener(app.fetch));
  server.listen(port, "127.0.0.1", () => process.send?.("listening"));
  process.on("SIGTERM", async () => {
    await rm(folder, { recursive: true });
    process.exit(0);
  });
}

if (process.send) {
  process.once("message", ({ html, port }: { html: string; port: number }) => {
    serve(html, port);
  });
}
