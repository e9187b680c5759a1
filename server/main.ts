// Starts the website: the one place where the site, its settings and the embedded backend meet.
// `npm start` runs it on the built site; `npm run dev` adds --dev for hot reload.
import "./close-prototypes.ts";
import { realpathSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join, resolve } from "node:path";
import { getRequestListener } from "@hono/node-server";
import type { ViteDevServer } from "vite";
import { readSettings } from "../app/config/read-settings.ts";
import { type Settings, SettingsError } from "../app/config/settings.ts";
import { site } from "../app/config/site.ts";
import { StartError } from "../backend/errors.ts";
import { createConcurrencyLimit } from "../backend/rate-limits/concurrency-limit.ts";
import { visitorKey } from "../backend/rate-limits/visitor-key.ts";
import type { Backend } from "../backend/start.ts";
import { createBackendCalls } from "./backend-calls.ts";
import { assertCanListen, CannotListen, explainListenError } from "./can-listen.ts";
import { createBoundedServer } from "./connection-bounds.ts";
import { createHttp } from "./http.ts";
import { createImageVariants } from "./images/image-variants.ts";
import { limitRequests } from "./limit-requests.ts";
import { type LiveChanges, listenToChanges } from "./live-changes.ts";
import { isLocal, localWebSocket } from "./local-connection.ts";
import { writeConsoleAsLog } from "./log.ts";
import { trackRequests } from "./open-requests.ts";
import { type Acquire, limitRendering } from "./pages/limit-rendering.ts";
import { createPageCache } from "./pages/page-cache.ts";
import { createPageRenderer, type Site } from "./pages/page-renderer.ts";
import { sendKeptPage } from "./pages/send-kept-page.ts";
import { createReadiness } from "./readiness.ts";
import { createSecurityHeaders } from "./security-headers.ts";
import type { SiteOptions } from "./site.ts";
import { currentVisitorAddress, onBehalfOfSite, onBehalfOfVisitor } from "./visitor-address.ts";

type SiteModule = typeof import("./site.ts");

const root = join(import.meta.dirname, "..");
const development = process.argv.includes("--dev");
/** Not the link to it: this process keeps to its build when there is a newer one. */
const buildDir = development ? join(root, "build") : realpathSync(join(root, "build"));
/** What pages show of the backend: a change in one of these makes the pages that show it anew. */
const shownTables = ["posts", "testimonials"];
/** Milliseconds that requests have to end when the site stops. */
const patience = 10_000;
/** What one visitor, and all together, may keep busy at the same time. Cached pages do not count. */
const concurrency = {
  requests: { total: 1000, perVisitor: 100, waitingPerVisitor: 0, waiting: 0, timeout: 0 },
  rendering: { total: 6, perVisitor: 3, waitingPerVisitor: 30, waiting: 300, timeout: 5_000 },
  posts: { total: 32, perVisitor: 4, waitingPerVisitor: 8, waiting: 64, timeout: 5_000 },
};
const startedAt = performance.now();
const requests = trackRequests();
const impatience = new AbortController();
let stopping: Promise<void> | null = null;
let ready = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // PostgreSQL, if it runs already, ends with this process.
    if (!ready) process.exit(1);
    // Who asks twice does not want to wait for slow requests. The database still ends in good order.
    if (stopping) impatience.abort();
    stopping ??= stop();
  });
}

// Whoever read the output may be gone: that must not cut a stop short.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// scripts/start.mjs, which started this process, has ended or wants it to end.
process.on("disconnect", endWithParent);
if (process.connected === false) endWithParent();

const settings = loadSettings();
writeConsoleAsLog({
  json: !process.stdout.isTTY,
  hideAddresses: Boolean(settings.mail.smtpUrl || settings.mail.resendApiKey),
});
await assertCanListen(settings).catch(endWithSentence);
const backend = settings.project
  ? null
  : await startEmbeddedBackend(settings).catch(endWithSentence);
let changes: LiveChanges | null = null;
const server = await listen().catch(endWithSentence);

printReady();
ready = true;

function loadSettings(): Settings {
  try {
    return readSettings(root, (line) => process.stderr.write(`${line}\n`));
  } catch (error) {
    endWithSentence(error);
  }
}

function endWithParent(): void {
  if (!ready) process.exit(1);
  stopping ??= stop();
}

/** What the person who starts the site can mend is told in a sentence; anything else is thrown with its stack. */
function endWithSentence(error: unknown): never {
  const kinds = [SettingsError, CannotListen, StartError];
  if (!(error instanceof Error) || !kinds.some((kind) => error instanceof kind)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

async function startEmbeddedBackend(settings: Settings): Promise<Backend> {
  const { siteUrl, dataDir, owner, mail, rateLimits, turnstile } = settings;
  const { startBackend, surviveLostConnections } = await import("../backend/start.ts");
  surviveLostConnections();
  return startBackend({
    dataDir: resolve(root, dataDir),
    siteUrl,
    ownerEmail: owner.email,
    ownerPassword: owner.password,
    mail: { ...mail, to: mail.to ?? site.email, from: mail.from ?? mail.to ?? site.email },
    rateLimits,
    visitorAddress: currentVisitorAddress,
    turnstile,
    onStep: say,
  });
}

/** Where this process reaches itself. */
function localUrl({ host, port }: Settings): string {
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function listen() {
  const vite = development ? await startVite() : null;
  const { backendPaths } = backend ? await import("../backend/start.ts") : { backendPaths: [] };
  const supabaseUrl = settings.project?.url ?? null;
  const anonKey = settings.project?.anonKey ?? backend?.publishableKey ?? "";
  const fetchBackend: typeof fetch = backend
    ? (input, init) => backend.fetch(new Request(input, init))
    : fetch;
  const calls = createBackendCalls(fetchBackend);
  const options: SiteOptions = {
    siteUrl: settings.siteUrl,
    supabaseUrl,
    anonKey,
    turnstileSiteKey: settings.turnstile.siteKey ?? null,
    fetchBackend: calls.fetch,
  };
  const security = createSecurityHeaders({
    ...options,
    turnstile: options.turnstileSiteKey !== null,
    development,
  });
  const renderUnlimited = createPageRenderer({
    site: vite ? renderWith(vite, options) : await loadBuiltSite(options),
    calls,
    security,
  });
  const renderPage = settings.rateLimits
    ? limitRendering({
        renderPage: renderUnlimited,
        reads: slotsOf(concurrency.rendering),
        posts: slotsOf(concurrency.posts),
        withoutVisitor: onBehalfOfSite,
      })
    : renderUnlimited;
  const pages = createPageCache({
    siteUrl: settings.siteUrl,
    renderPage,
    watchedTables: shownTables,
  });
  backend?.onRowsChanged((table) => {
    if (shownTables.includes(table)) pages.changed(table);
  });
  const clientDir = vite ? join(root, "public") : join(buildDir, "client");
  const http = createHttp({
    clientDir,
    backend: backend && {
      paths: backendPaths,
      fetch: backend.fetch,
    },
    security,
    isReady: createReadiness(() => readBackend(calls.fetch, options)),
    hearsChanges: () => pages.live,
    sendImage: createImageVariants({
      siteFolder: clientDir,
      projectUrl: supabaseUrl ?? settings.siteUrl,
      fetchProject: fetchBackend,
      cacheFolder: join(resolve(root, settings.dataDir), "cache/images"),
    }),
    renderPage: vite ? async (request) => (await renderPage(request)).response : pages.fetch,
  });
  const handle = getRequestListener(http.fetch);
  const answer: RequestListener = vite
    ? (request, response) => vite.middlewares(request, response, () => handle(request, response))
    : handle;
  const answerWithinLimit = settings.rateLimits
    ? limitRequests(answer, slotsOf(concurrency.requests))
    : answer;
  const server = createBoundedServer({
    handle: requests.count((request, response) => {
      if (!vite && sendKeptPage(pages, request, response)) return;
      onBehalfOfVisitor(request, settings.trustedProxies, () =>
        answerWithinLimit(request, response),
      );
    }),
    mayUpgrade: ({ url, headers }) =>
      backend !== null &&
      url?.startsWith("/realtime/v1/") === true &&
      headers.upgrade?.toLowerCase() === "websocket",
    // All connections of a proxy come from one address, which is not the visitor's.
    keyOf: settings.rateLimits && settings.trustedProxies === 0 ? visitorKey : null,
  });
  server.on("upgrade", (request, socket, head) => {
    const upgrade = () => backend?.upgrade(request, socket, head);
    if (isLocal(socket)) upgrade();
    else onBehalfOfVisitor(request, settings.trustedProxies, upgrade);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explainListenError(error, settings)));
    server.listen(settings.port, settings.host, resolve);
  });
  if (!vite) {
    changes = listenToChanges({
      url: supabaseUrl ?? localUrl(settings),
      anonKey,
      tables: shownTables,
      // Not over the network: visitors can't occupy this connection.
      ...(backend && { transport: localWebSocket(server) }),
      onChange: pages.changed,
      onLive: pages.setLive,
    });
  }
  return server;
}

/** Slots for the visitor on whose behalf the code runs. */
function slotsOf(options: Parameters<typeof createConcurrencyLimit>[0]): Acquire {
  const limit = createConcurrencyLimit(options);
  return (signal) => {
    const address = currentVisitorAddress();
    return limit.acquire(address === null ? null : visitorKey(address), signal);
  };
}

/** One row that anyone may read. @throws when it can't be read. */
async function readBackend(
  fetchBackend: typeof fetch,
  { siteUrl, supabaseUrl, anonKey }: SiteOptions,
): Promise<void> {
  const url = `${supabaseUrl ?? siteUrl}/rest/v1/posts?select=id&limit=1`;
  const answer = await fetchBackend(url, { headers: { apikey: anonKey } });
  if (!answer.ok) throw new Error(`The backend answered ${answer.status}`);
}

async function loadBuiltSite(options: SiteOptions): Promise<Site> {
  const { createSite } = (await import(join(buildDir, "server/index.js"))) as SiteModule;
  return createSite(options);
}

async function startVite(): Promise<ViteDevServer> {
  const { createServer } = await import("vite");
  return createServer({ root, appType: "custom", server: { middlewareMode: true } });
}

/** In development each page is rendered by the newest code. */
function renderWith(vite: ViteDevServer, options: SiteOptions): Site {
  return async (request, nonce) => {
    const { createSite } = (await vite.ssrLoadModule("./server/site.ts")) as SiteModule;
    return createSite(options)(request, nonce);
  };
}

/** To whoever starts the site, in words: the log (log.ts) is for what happens later. */
function say(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

function printReady(): void {
  say(`Ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  const lines = [`\nThe site: ${settings.siteUrl}`];
  if (process.argv.includes("--previous-build")) {
    lines.push(
      "The build failed, as told above: this is the build before it. What changed since is not on the site.",
    );
  }
  if (backend) {
    lines.push(`Owner login: ${settings.siteUrl}/login  ${backend.owner.email}`);
    if (backend.owner.generatedPassword) {
      lines.push(`Owner password, shown only now: ${backend.owner.generatedPassword}`);
    }
    if (backend.mailHeld) {
      lines.push(
        "Outgoing mail is held: this site was restored from a backup, and the live site may be another one.",
        "If this is the live site: npm run restore -- --live, then start it again.",
      );
    }
    lines.push("Ctrl-C stops everything.\n");
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Requests first, then what answers them, the database last. */
async function stop(): Promise<void> {
  console.log("Stopping");
  // First, because it would connect again to what follows.
  await changes?.stop();
  const [cut] = await Promise.all([
    requests.drain(server, patience, impatience.signal),
    backend?.closeSockets(),
  ]);
  if (cut > 0) console.warn(`Requests cut because they took too long: ${cut}`);
  await backend?.stop();
  process.exit(0);
}
