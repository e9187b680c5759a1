// Starts and stops the website: the one place where the site, its settings and the embedded backend meet.
// `npm start` runs it with the built site; `npm run dev` adds --dev for hot reload.
import "./prevent-prototype-pollution.ts";
import { realpathSync } from "node:fs";
import type { RequestListener, Server } from "node:http";
import { join, resolve } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { createClient } from "@supabase/supabase-js";
import type { ViteDevServer } from "vite";
import type { Check } from "../app/config/checks/check.ts";
import { isLoopbackUrl } from "../app/config/checks/operation-checks.ts";
import { runChecks } from "../app/config/checks/run-checks.ts";
import { readSettings } from "../app/config/read-settings.ts";
import { type Settings, SettingsError } from "../app/config/settings.ts";
import { defaultSettings } from "../app/config/site.ts";
import { StartError } from "../backend/errors.ts";
import {
  type ConcurrencyOptions,
  createConcurrencyLimit,
} from "../backend/rate-limits/concurrency-limit.ts";
import { rateLimits } from "../backend/rate-limits/limits.ts";
import { createRateLimit } from "../backend/rate-limits/rate-limit.ts";
import { visitorKey } from "../backend/rate-limits/visitor-key.ts";
import type { Backend } from "../backend/start.ts";
import { createBackendFetch } from "./backend-fetch.ts";
import { assertCanListen, CannotListen, explainListenError } from "./can-listen.ts";
import { createChecksRoute } from "./checks/checks-route.ts";
import { describeErrors } from "./checks/describe-checks.ts";
import { observeForwarded } from "./checks/forwarded-requests.ts";
import { gatherFacts } from "./checks/gather-facts.ts";
import { siteId } from "./checks/site-identity.ts";
import { readStoredContent } from "./checks/stored-content.ts";
import { type Acquire, limitRendering, limitRequests } from "./concurrency-limits.ts";
import { createLimitedServer } from "./connection-limits.ts";
import { trackRequests } from "./graceful-shutdown.ts";
import { createHealth } from "./health.ts";
import { createHttp } from "./http.ts";
import { createImageVariants } from "./images/image-variants.ts";
import { writeConsoleAsLog } from "./log.ts";
import { createPageCache } from "./pages/page-cache.ts";
import { createPageRenderer, type Site } from "./pages/page-renderer.ts";
import { serveCachedPage } from "./pages/serve-cached-page.ts";
import {
  inProcessWebSocket,
  isInProcess,
  listenToChanges,
  type RealtimeChanges,
} from "./realtime-changes.ts";
import { createSecurityHeaders } from "./security-headers.ts";
import type { SiteOptions } from "./site.ts";
import {
  createSiteSettingsStore,
  readPublishedSettings,
  type SiteSettingsStore,
} from "./site-settings.ts";
import {
  currentVisitorAddress,
  onBehalfOfSite,
  onBehalfOfVisitor,
  visitorAddress,
} from "./visitor-address.ts";
import { storeInProject } from "./visits/store-in-project.ts";
import { createVisitCounter, type VisitCounter } from "./visits/visit-counter.ts";

type SiteModule = typeof import("./site.ts");

const root = join(import.meta.dirname, "..");
const development = process.argv.includes("--dev");
/** The folder behind the symbolic link: a newer build must not change what this process serves. */
const buildDir = development ? join(root, "build") : realpathSync(join(root, "build"));
/** The tables that pages show. A change in one of them invalidates the cached pages that show it. */
const shownTables = ["posts", "testimonials"];
/** Every page shows the settings of the site. */
const settingsTable = "public_site_settings";
/** Milliseconds for open requests when the site stops. */
const shutdownTimeout = 10_000;
/** Cached pages do not count. */
const concurrency = {
  requests: { total: 1000, perVisitor: 100, waitingPerVisitor: 0, waiting: 0, timeout: 0 },
  rendering: { total: 6, perVisitor: 3, waitingPerVisitor: 30, waiting: 300, timeout: 5_000 },
  posts: { total: 32, perVisitor: 4, waitingPerVisitor: 8, waiting: 64, timeout: 5_000 },
};
const startedAt = performance.now();
const requests = trackRequests();
const secondSignal = new AbortController();
let stopping: Promise<void> | null = null;
let isReady = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // PostgreSQL, if it runs already, ends with this process.
    if (!isReady) process.exit(1);
    // A second signal skips waiting for slow requests. The database still shuts down cleanly.
    if (stopping) secondSignal.abort();
    stopping ??= stop();
  });
}

// The reader of the output may have ended. That must not interrupt the shutdown.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// The parent process, scripts/start.mjs, has ended or wants this process to end.
process.on("disconnect", stopWithParent);
if (process.connected === false) stopWithParent();

const settings = loadSettings();
writeConsoleAsLog({
  json: !process.stdout.isTTY,
  hideAddresses: Boolean(settings.mail.smtpUrl || settings.mail.resendApiKey),
});
await assertCanListen(settings).catch(exitWithMessage);
const backend = settings.project
  ? null
  : await startEmbeddedBackend(settings).catch(exitWithMessage);
let changes: RealtimeChanges | null = null;
let siteSettings: SiteSettingsStore | null = null;
const visits = createVisits(settings);
let findProblems: ((online: boolean) => Promise<Check[]>) | null = null;
const server = await startServer().catch(exitWithMessage);

printReady();
isReady = true;
if (settings.isSiteUrlSet && !isLoopbackUrl(settings.siteUrl)) void printErrors();

function loadSettings(): Settings {
  try {
    return readSettings(root, (line) => process.stderr.write(`${line}\n`));
  } catch (error) {
    exitWithMessage(error);
  }
}

function stopWithParent(): void {
  if (!isReady) process.exit(1);
  stopping ??= stop();
}

/** Prints errors that the settings can fix without a stack. Throws all others. */
function exitWithMessage(error: unknown): never {
  const kinds = [SettingsError, CannotListen, StartError];
  if (!(error instanceof Error) || !kinds.some((kind) => error instanceof kind)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

async function startEmbeddedBackend(settings: Settings): Promise<Backend> {
  const { siteUrl, dataDir, owner, sampleContent, mail, rateLimits, turnstile } = settings;
  const { startBackend, surviveLostConnections } = await import("../backend/start.ts");
  surviveLostConnections();
  return startBackend({
    dataDir: resolve(root, dataDir),
    siteUrl,
    ownerEmail: owner.email,
    ownerPassword: owner.password,
    sampleContent,
    mail: {
      ...mail,
      environment: { to: mail.to, from: mail.from, fallback: defaultSettings.contact.email },
    },
    rateLimits,
    visitorAddress: currentVisitorAddress,
    turnstile,
    onStep: print,
  });
}

async function startServer(): Promise<Server> {
  const vite = development ? await startVite() : null;
  const supabaseUrl = settings.project?.url ?? null;
  const backendUrl = supabaseUrl ?? settings.siteUrl;
  const anonKey = settings.project?.anonKey ?? backend?.publishableKey ?? "";
  const fetchBackend: typeof fetch = backend
    ? (input, init) => backend.fetch(new Request(input, init))
    : fetch;
  const backendFetch = createBackendFetch(fetchBackend);
  // With a fetch of its own: what these reads use must not be recorded as part of a page.
  const visitorClient = createClient(backendUrl, anonKey, {
    global: { fetch: createBackendFetch(fetchBackend).fetch },
    db: { retry: false },
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
  const store = createSiteSettingsStore({
    read: readPublishedSettings(visitorClient),
    cacheFile: join(resolve(root, settings.dataDir), "cache/site-settings.json"),
    sampleContent: settings.sampleContent,
  });
  siteSettings = store;
  await store.refresh();
  const siteOptions: SiteOptions = {
    siteUrl: settings.siteUrl,
    supabaseUrl,
    anonKey,
    turnstileSiteKey: settings.turnstile.siteKey ?? null,
    currentSite: store.current,
    fetchBackend: backendFetch.fetch,
  };
  const security = createSecurityHeaders({
    ...siteOptions,
    turnstile: siteOptions.turnstileSiteKey !== null,
    development,
  });
  const renderUnlimited = createPageRenderer({
    site: vite ? renderWith(vite, siteOptions) : await loadBuiltSite(siteOptions),
    backend: backendFetch,
    security,
  });
  const renderPage = settings.rateLimits
    ? limitRendering({
        renderPage: renderUnlimited,
        reads: createSlots(concurrency.rendering),
        posts: createSlots(concurrency.posts),
        countSearch: countSearches(),
        withoutVisitor: onBehalfOfSite,
      })
    : renderUnlimited;
  const pages = createPageCache({
    siteUrl: settings.siteUrl,
    renderPage,
    watchedTables: [...shownTables, settingsTable],
    tablesOfEveryPage: [settingsTable],
  });
  function onChange(table: string): void {
    if (table === settingsTable) void store.refresh();
    if ([...shownTables, settingsTable].includes(table)) pages.invalidate(table);
  }
  backend?.onRowsChanged(onChange);

  const clientDir = vite ? join(root, "public") : join(buildDir, "client");
  const forwarded = observeForwarded();
  findProblems = async (online) =>
    runChecks(
      await gatherFacts({
        ...{ settings, anonKey, clientDir, online },
        readContent: () => readStoredContent(visitorClient),
        readBackendFacts: backend?.readLiveFacts ?? null,
        forwarded: forwarded.summary(),
      }),
    );
  const http = createHttp({
    clientDir,
    backend: backend && {
      paths: (await import("../backend/start.ts")).backendPaths,
      fetch: backend.fetch,
    },
    security,
    health: createHealth({
      backendUrl,
      anonKey,
      fetchBackend: backendFetch.fetch,
      isRealtimeConnected: () => pages.isRealtimeConnected,
      siteId: siteId(anonKey),
    }),
    checks: createChecksRoute({
      ...{ backendUrl, anonKey },
      fetchBackend: backendFetch.fetch,
      runChecks: async () => onBehalfOfSite(async () => (await findProblems?.(true)) ?? []),
      visitor: currentVisitorAddress,
    }),
    sendImage: createImageVariants({
      siteFolder: clientDir,
      projectUrl: backendUrl,
      fetchProject: fetchBackend,
      cacheFolder: join(resolve(root, settings.dataDir), "cache/images"),
      onUploadsChanged: backend?.onFilesChanged,
    }),
    renderPage: vite ? async (request) => (await renderPage(request)).response : pages.fetch,
  });
  const handle = getRequestListener(http.fetch);
  const handleUnlimited: RequestListener = vite
    ? (request, response) => vite.middlewares(request, response, () => handle(request, response))
    : handle;
  const handleWithinLimit = settings.rateLimits
    ? limitRequests(handleUnlimited, createSlots(concurrency.requests))
    : handleUnlimited;

  const server = createLimitedServer({
    handle: requests.track((request, response) => {
      forwarded.note(request);
      const visitor = () => visitorKey(visitorAddress(request, settings.trustedProxies));
      if (!vite && serveCachedPage(pages, request, response)) {
        visits?.countCached(request, visitor);
        return;
      }
      visits?.countWhenSent(request, response, visitor);
      onBehalfOfVisitor(request, settings.trustedProxies, () =>
        handleWithinLimit(request, response),
      );
    }),
    mayUpgrade: ({ url, headers }) =>
      backend !== null &&
      url?.startsWith("/realtime/v1/") === true &&
      headers.upgrade?.toLowerCase() === "websocket",
    // Behind a proxy, all connections come from the proxy's address.
    keyOf: settings.rateLimits && settings.trustedProxies === 0 ? visitorKey : null,
  });
  server.on("upgrade", (request, socket, head) => {
    const upgrade = () => backend?.upgrade(request, socket, head);
    if (isInProcess(socket)) upgrade();
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
      tables: [...shownTables, settingsTable],
      ...(backend && { transport: inProcessWebSocket(server) }),
      onChange,
      onConnected(connected) {
        store.setRealtimeConnected(connected);
        pages.setRealtimeConnected(connected);
      },
    });
  }
  return server;
}

/** @returns null when counts can be stored nowhere: on a hosted project without a visits key. */
function createVisits({ siteUrl, project, visitsKey }: Settings): VisitCounter | null {
  if (development) return null;
  const store = backend?.storeVisits ?? (project && storeInProject(project, visitsKey));
  if (!store) return null;
  return createVisitCounter({
    isEnabled: () => siteSettings?.known()?.site.countsVisits ?? false,
    siteUrl,
    timeZone: () => siteSettings?.known()?.site.contact.timeZone ?? "UTC",
    store,
  });
}

/** Slots for the visitor on whose behalf the code runs. */
function createSlots(options: ConcurrencyOptions): Acquire {
  const limit = createConcurrencyLimit(options);
  return (signal) => {
    const address = currentVisitorAddress();
    return limit.acquire(address === null ? null : visitorKey(address), signal);
  };
}

/** Counts the searches of the visitor on whose behalf the code runs. */
function countSearches(): () => number {
  const limit = createRateLimit(rateLimits.search[0]);
  return () => {
    const key = visitorKey(currentVisitorAddress() ?? "");
    const now = performance.now();
    const wait = limit.wait(key, now);
    if (wait === 0) limit.take(key, now);
    return Math.ceil(wait / 1000);
  };
}

/** The address at which this process reaches itself. */
function localUrl({ host, port }: Settings): string {
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function loadBuiltSite(options: SiteOptions): Promise<Site> {
  // The path is known only at runtime. Vite builds this file from site.ts.
  const { createSite } = (await import(join(buildDir, "server/index.js"))) as SiteModule;
  return createSite(options);
}

async function startVite(): Promise<ViteDevServer> {
  const { createServer } = await import("vite");
  return createServer({ root, appType: "custom", server: { middlewareMode: true } });
}

/** Loads the site again for each page, so that changed code takes effect. */
function renderWith(vite: ViteDevServer, options: SiteOptions): Site {
  return async (request, nonce) => {
    // Vite types every loaded module as a record of `any`.
    const { createSite } = (await vite.ssrLoadModule("./server/site.ts")) as SiteModule;
    return createSite(options)(request, nonce);
  };
}

/** For the person who starts the site. Later events go to the log (log.ts). */
function print(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

function printReady(): void {
  print(`Ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  const lines = [`\nThe site: ${settings.siteUrl}`];
  if (process.argv.includes("--previous-build")) {
    lines.push(
      "The build failed, as told above: this is the build before it. What changed since is not on the site.",
    );
  }
  if (backend) {
    lines.push(`Owner login: ${settings.siteUrl}/login  ${backend.owner.email}`);
    const { others } = backend.owner;
    if (others.length > 0) {
      lines.push(
        `Other owners, who may do everything, too: ${others.join(", ")}`,
        `To remove one: npm run owner -- remove ${others[0]}`,
      );
    }
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

/** What keeps the site from being ready for visitors. Asks no other machine. */
async function printErrors(): Promise<void> {
  try {
    for (const line of describeErrors((await findProblems?.(false)) ?? [])) console.warn(line);
  } catch (error) {
    console.error("The checks failed", error);
  }
}

/** Stops accepting requests, finishes the open ones, then stops the backend. */
async function stop(): Promise<void> {
  console.log("Stopping");
  // Otherwise it would reconnect while the server closes.
  await changes?.stop();
  const [cut] = await Promise.all([
    requests.drain(server, shutdownTimeout, secondSignal.signal),
    backend?.closeSockets(),
  ]);
  if (cut > 0) console.warn(`Requests cut because they took too long: ${cut}`);
  await visits?.stop();
  await backend?.stop();
  process.exit(0);
}
