// A static copy of the home page: the same HTML without scripts, as a file, sent by the same HTTP
// server and the same static-file code as the site's files. The lower bound for the site's figures.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { getRequestListener } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { freePort } from "../tests/free-port.ts";
import { usageOf } from "./process-usage.ts";

const clientDir = join(import.meta.dirname, "../build/client");

/** A static copy of a page, served by a separate process. */
export async function startStaticCopy(pageUrl: string) {
  const html = withoutScripts(await (await fetch(pageUrl)).text());
  const icon = await (await fetch(new URL("/favicon.svg", pageUrl))).text();
  const port = await freePort();
  const copy = fork(import.meta.filename);
  copy.send({ html, icon, port });
  await once(copy, "message");
  return {
    url: `http://127.0.0.1:${port}`,
    ...usageOf(copy),
    async stop() {
      const ended = once(copy, "exit");
      copy.kill("SIGTERM");
      await ended;
    },
  };
}

/** Removes all scripts from a page, and what only scripts need. */
function withoutScripts(html: string): string {
  return html
    .replace(/<script\b[\s\S]*?<\/script>/g, "")
    .replace(/<link rel="modulepreload"[^>]*>/g, "");
}

interface Copy {
  html: string;
  /** Without it, the browser would report an error. */
  icon: string;
  port: number;
}

/** Writes the page and serves it at `/` beside the site's files. Ends with its parent process. */
async function serve({ html, icon, port }: Copy): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-static-"));
  const file = join(folder, "index.html");
  await writeFile(file, html);
  await writeFile(join(folder, "favicon.svg"), icon);
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
  process.on("disconnect", end);
  process.on("SIGTERM", end);

  async function end() {
    await rm(folder, { recursive: true });
    process.exit(0);
  }
}

if (import.meta.main) {
  process.once("message", serve);
}
