// Starts and stops the website. Only this file connects the site, its settings and the embedded backend.
import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import type { RequestListener, Server } from "node:http";
import { basename, join, resolve } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { createClient } from "@supabase/supabase-js";
import type { Limit } from "embedded-supabase/rate-limits/limits.ts";
import { createRateLimit, visitorKey } from "embedded-supabase/rate-limits/rate-limit.ts";
import {
  createQueue,
  createSharedWork,
  currentVisitorAddress,
} from "embedded-supabase/rate-limits/shared-work.ts";
import type { Hono } from "hono";
import {
  type Check,
  describeErrors,
  isLoopbackUrl,
  runChecks,
} from "../app/config/checks/checks.ts";
import type { SiteFacts } from "../app/config/checks/facts.ts";
import { isLoopback, type ServerSettings } from "../app/config/server-settings.ts";
import { defaultSettings } from "../app/config/site.ts";
import { postedForms, thanksPaths } from "../app/config/site-pages.ts";
import { watchedTables } from "../app/supabase/watched-tables.ts";
import packageFile from "../package.json" with { type: "json" };
import { confirmLink } from "../supabase/functions/_shared/confirm-link.ts";
import { withoutSession } from "../supabase/functions/_shared/without-session.ts";
import { createAddressRoute, createChallengeRoute } from "./address/address-route.ts";
import { createChallenges } from "./address/challenges.ts";
import type { SiteAddress } from "./address/site-address.ts";
import { type Capture, createCapture } from "./archive/capture.ts";
import { createBackendFetch } from "./backend-fetch.ts";
import { createBackupsRoute } from "./backups/backups-route.ts";
import { assertCanListen, explainListenError } from "./can-listen.ts";
import { createChecksRoute } from "./checks/checks-route.ts";
import { gatherFacts, type OwnersRequest } from "./checks/gather-facts.ts";
import { siteId } from "./checks/site-identity.ts";
import type { Backend } from "./embedded/start.ts";
import { createSendFile } from "./files/send-file.ts";
import { trackRequests } from "./graceful-shutdown.ts";
import { createHealth } from "./health.ts";
import { createFiles, createHttp } from "./http.ts";
import { createImageVariants } from "./images/image-variants.ts";
import { limitRendering, limitRequests } from "./limits/concurrency-limits.ts";
import { createLimitedServer } from "./limits/connection-limits.ts";
import { requestLimits } from "./limits/request-limits.ts";
import { createPageCache, type PageCache } from "./pages/page-cache.ts";
import { createPageRenderer, type RenderSite } from "./pages/page-renderer.ts";
import { serveCachedPage } from "./pages/serve-cached-page.ts";
import { createStoredPages } from "./pages/stored-pages.ts";
import { readTableStates, type TableStates } from "./realtime/compare-states.ts";
import {
  inProcessWebSocket,
  listenToChanges,
  notListening,
  type RealtimeChanges,
} from "./realtime/realtime-changes.ts";
import { createReleaseCheck, type ReleaseCheck } from "./releases/release-check.ts";
import { createSecurityHeaders } from "./security-headers.ts";
import type { SiteOptions } from "./site.ts";
import { createProjectCalls } from "./site-key.ts";
import {
  createSiteSettingsStore,
  readPublishedSettings,
  type SiteSettingsStore,
} from "./site-settings.ts";
import { onBehalfOfVisitor, visitorAddress } from "./visitor-address.ts";
import { createVisitCounter, type VisitCounter } from "./visits/visit-counter.ts";

type SiteModule = typeof import("./site.ts");

export const root = join(import.meta.dirname, "..");
/** Every page shows the settings of the site. */
const settingsTable = "public_site_settings";
/** How many milliseconds open requests get when the site stops. */
const shutdownTimeout = 10_000;
/**
 * How many connections may wait to be accepted; the system may allow fewer. When one address opens thousands at once, those of
 * others must find room, because they try again only after one second, then three.
 */
const backlog = 4096;
/** The limits of concurrent work. Cached pages do not count. */
const concurrency = {
  requests: { total: 1000, perVisitor: 100, waitingPerVisitor: 0, waiting: 0, timeout: 0 },
  rendering: { total: 6, perVisitor: 3, waitingPerVisitor: 30, waiting: 300, timeout: 5_000 },
  /** One for each of two visitors and the site, which leaves threads for files and the database. */
  images: { total: 3, perVisitor: 1, waitingPerVisitor: 100, waiting: 400, timeout: 60_000 },
  posts: { total: 32, perVisitor: 4, waitingPerVisitor: 8, waiting: 64, timeout: 5_000 },
};

interface StartOptions {
  /** Serves the sources with hot reload in place of the built site. */
  development: boolean;
  /** Whether the last build failed, so that the one before it is served. */
  isPreviousBuild: boolean;
  /** Receives lines for the person who starts the site. */
  print(line: string): void;
  /** Called when it is known whether there is a mail service, which an owner may enter at any time. */
  onMailChoice(hasService: boolean): void;
}

/** @throws {CannotListen | StartError} when a setting must be changed */
export async function startSite(settings: ServerSettings, options: StartOptions) {
  const { development, isPreviousBuild, print } = options;
  const startedAt = performance.now();
  await assertCanListen(settings);
  const backend = settings.project ? null : await startEmbeddedBackend(settings, options);
  const { stop, findProblems, address } = await serve(settings, backend, development).catch(
    async (error) => {
      await backend?.stop();
      throw error;
    },
  );
  print(`  Ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  for (const line of describeStart(address, backend, isPreviousBuild)) print(line);
  if (address.source && !isLoopbackUrl(address.url)) {
    // These checks contact no other machine.
    findProblems(false).then(
      (checks) => {
        for (const line of describeErrors(checks)) console.warn(line);
      },
      (error) => console.error("The checks failed", error),
    );
  }
  return { stop };
}

async function startEmbeddedBackend(
  settings: ServerSettings,
  { print, onMailChoice }: StartOptions,
) {
  const { siteUrl, isSiteUrlSet, owner, sampleContent, mail, rateLimits, turnstile } = settings;
  const { startBackend, surviveLostConnections } = await import("./embedded/start.ts");
  surviveLostConnections();
  return startBackend({
    ...{ siteUrl, isSiteUrlSet, sampleContent, rateLimits, turnstile },
    dataDir: resolve(root, settings.dataDir),
    ownerEmail: owner.email,
    ownerPassword: owner.password,
    mail: {
      ...mail,
      environment: { to: mail.to, from: mail.from, fallback: defaultSettings.contact.email },
    },
    visitorAddress: currentVisitorAddress,
    onMailChoice,
    onStep: (line) => print(`  ${line}`),
  });
}

/** Starts to serve the site. Each part is made from those before it. */
async function serve(settings: ServerSettings, backend: Backend | null, development: boolean) {
  const base = await prepare(settings, backend, development);
  const settingsStore = createSiteSettingsStore({
    read: readPublishedSettings(base.visitorClient),
    cacheFile: join(base.dataDir, "cache/site-settings.json"),
    settings,
  });
  await settingsStore.refresh();
  const content = await createContent(base, settingsStore);
  const { pages, storedPages } = content;
  await storedPages?.load();
  const capture = createSiteCapture(base, settingsStore, content);
  const onChange = reportToParts(settingsStore, content, capture);
  const changes = listenForSite(base, settingsStore, content, capture, onChange);
  const findProblems = createFindProblems(base, capture);
  const releases = createSiteReleaseCheck(base, settingsStore);
  const addressRoutes = createAddressRoutes(base, settingsStore, onChange);
  const parts = { ...content, ...addressRoutes, changes, findProblems, releases };
  const http = await createSiteHttp(base, settingsStore, parts);
  const visits = createVisits(base, settingsStore);
  const { server, requests } = createServer(base, pages, visits, http);
  await listen(server, settings);

  /** Finishes the open requests, or cuts them off when the signal aborts, then stops the backend. */
  async function stop(signal: AbortSignal): Promise<void> {
    releases?.stop();
    await capture?.stop();
    await storedPages?.stop();
    // The listener would reconnect while the server closes, so it stops first.
    await changes?.stop();
    const [cut] = await Promise.all([
      requests.drain(server, shutdownTimeout, signal),
      backend?.closeSockets(),
    ]);
    if (cut > 0) console.warn(`Requests cut because they took too long: ${cut}`);
    // Pages that are rendered without the database would each log a failure.
    await pages.stop();
    await visits?.flush();
    await backend?.stop();
  }
  return { stop, findProblems, address: settingsStore.address() };
}

/** What the parts of the site are made with. */
type Base = Awaited<ReturnType<typeof prepare>>;

async function prepare(settings: ServerSettings, backend: Backend | null, development: boolean) {
  const { project, siteUrl, siteKey } = settings;
  const vite = development ? await startVite() : null;
  // The folder behind the symbolic link: a newer build must not change what this process serves.
  const buildDir = vite ? null : realpathSync(join(root, "build"));
  const backendUrl = project?.url ?? siteUrl;
  const anonKey = project?.anonKey ?? backend?.publishableKey ?? "";
  const fetchBackend: typeof fetch = backend
    ? (input, init) => backend.fetch(new Request(input, init))
    : fetch;
  // A separate fetch: the requests of these reads must not be recorded as part of a page.
  const visitorClient = createClient(backendUrl, anonKey, {
    global: { fetch: createBackendFetch(fetchBackend).fetch },
    db: { retry: false },
    auth: withoutSession,
  });
  return {
    ...{ settings, backend, vite, buildDir, backendUrl, anonKey, fetchBackend, visitorClient },
    dataDir: resolve(root, settings.dataDir),
    /** What only the site may call; null without a site key. */
    calls: backend ?? (project && siteKey ? createProjectCalls(project, siteKey) : null),
  };
}

/** The pages, and the files that they show. */
type Content = Awaited<ReturnType<typeof createContent>>;

async function createContent(base: Base, { current, known, address }: SiteSettingsStore) {
  const { settings, backend, vite, buildDir, dataDir, backendUrl, anonKey, fetchBackend } = base;
  const { siteUrl, project, rateLimits } = settings;
  const backendFetch = createBackendFetch(fetchBackend);
  const siteOptions: SiteOptions = {
    ...{ backendUrl, anonKey, supabaseUrl: project?.url ?? null },
    turnstileSiteKey: settings.turnstile.siteKey ?? null,
    sendsMail: backend?.sendsMail ?? (async () => true),
    currentSite: current,
    fetchBackend: backendFetch.fetch,
  };
  const turnstile = siteOptions.turnstileSiteKey !== null;
  const security = createSecurityHeaders({
    siteUrl: () => address().url,
    ...{ supabaseUrl: siteOptions.supabaseUrl, turnstile, development: vite !== null },
  });
  const renderPage = createPageRenderer({
    site: await loadSite(siteOptions, base),
    backend: backendFetch,
    security,
  });
  const reads = rateLimits ? createQueue("in fair turns", concurrency.rendering) : null;
  const posts = createQueue("in fair turns", concurrency.posts);
  const countSearch = limitVisitor(requestLimits.search[0]);
  const renderForVisitor = reads
    ? limitRendering({ renderPage, reads, posts, countSearch })
    : renderPage;
  const pages = createPageCache({
    ...{ siteUrl, renderPage, ...(reads && { acquire: reads }) },
    renderUncached: renderForVisitor,
    watchedTables: Object.keys(watchedTables),
    tablesOfEveryPage: [settingsTable],
    day: known,
  });
  const clientDir = buildDir ? join(buildDir, "client") : join(root, "public");
  const files = createFiles({
    ...{ clientDir, security },
    sendImage: createImageVariants({
      siteFolder: clientDir,
      projectUrl: backendUrl,
      fetchProject: fetchBackend,
      cacheFolder: join(dataDir, "cache/images"),
      acquire: createQueue("in fair turns", concurrency.images),
      onUploadsChanged: backend?.onFilesChanged,
    }),
    sendFile: createSendFile(backendUrl, fetchBackend),
  });
  // The embedded backend starts and stops with the site.
  const siteIdentity = () => [buildDir, address().url, backendUrl, anonKey].join(" ");
  const storedPages =
    backend || vite
      ? null
      : createStoredPages(pages, join(dataDir, "cache/pages.json"), siteIdentity);
  return { backendFetch, security, renderPage, renderForVisitor, pages, storedPages, files };
}

/** @returns null when nothing is captured, as in development */
function createSiteCapture(
  { settings, buildDir, calls }: Base,
  { known, address }: SiteSettingsStore,
  { renderPage, files }: Content,
): Capture | null {
  const { port, archiveInterval } = settings;
  if (!buildDir || !calls || archiveInterval === null) return null;
  return createCapture({
    ...{ port, thanksPaths, postedForms, renderPage, step: calls.captureSite },
    siteUrl: () => address().url,
    interval: archiveInterval * 1000,
    release: `${packageFile.version} ${basename(buildDir)}`,
    day: () => known()?.day,
    menu: () => known()?.site.menu.map(({ path }) => path) ?? [],
    fetchFile: async (request) => files.fetch(request),
  });
}

/** @returns a function that tells the parts that rows of a table changed */
function reportToParts(
  settingsStore: SiteSettingsStore,
  { backendFetch, pages }: Content,
  capture: Capture | null,
) {
  return (table: string): void => {
    if (table === settingsTable) void settingsStore.refresh();
    if (!(table in watchedTables)) return;
    backendFetch.separateReads();
    pages.invalidate(table);
    capture?.changed();
  };
}

/** Listens to changes of rows. @returns null in development, where other processes' changes are not reported */
function listenForSite(
  { settings, backend, vite, anonKey, visitorClient }: Base,
  settingsStore: SiteSettingsStore,
  { backendFetch, pages }: Content,
  capture: Capture | null,
  onChange: ReturnType<typeof reportToParts>,
): RealtimeChanges | null {
  backend?.onRowsChanged(onChange);
  if (vite) return null;
  const states = createSharedWork<TableStates>("for the site");
  return listenToChanges({
    // The socket within the process ignores the address.
    url: settings.project?.url ?? "http://localhost",
    ...{ anonKey, tables: watchedTables, onChange },
    ...(backend && { transport: inProcessWebSocket(backend.upgrade) }),
    readStates: () => states.share("states", () => readTableStates(visitorClient)),
    onConnected(connected) {
      settingsStore.setRealtimeConnected(connected);
      backendFetch.separateReads();
      pages.setRealtimeConnected(connected);
      // Changes were missed while the connection was down.
      if (connected) capture?.changed();
    },
  });
}

/** @returns a function that runs the checks; other machines may take seconds to answer, and are asked once a minute */
function createFindProblems({ settings, anonKey, backend }: Base, capture: Capture | null) {
  let asked: SiteFacts | null = null;
  return async (online: boolean, request: OwnersRequest = { origin: null, proxies: null }) => {
    const readBackend = backend?.readLiveFacts ?? null;
    const former = online && asked && Date.now() - asked.now.getTime() < 60_000 ? asked : null;
    const sources = { settings, anonKey, readBackend, online, request, former };
    const facts = await gatherFacts({ ...sources, isCaptureFailing: capture?.isFailing() });
    if (online && !former) asked = facts;
    return runChecks(facts);
  };
}

/** @returns null when nobody is asked, as in development */
function createSiteReleaseCheck(
  { settings, vite, dataDir }: Base,
  { known }: SiteSettingsStore,
): ReleaseCheck | null {
  if (vite || !settings.checksReleases) return null;
  return createReleaseCheck({
    ...{ root, cacheFolder: join(dataDir, "cache"), version: packageFile.version },
    isOn: () => known()?.settings.site.findReleases ?? false,
  });
}

/** The page on which an owner confirms the address, and the answer of this site to its check. */
function createAddressRoutes(
  { settings, calls, backendUrl, anonKey, fetchBackend }: Base,
  settingsStore: SiteSettingsStore,
  onChange: ReturnType<typeof reportToParts>,
) {
  // With the embedded backend, one process serves the site.
  const challenges = createChallenges(settings.siteKey ?? randomBytes(32));
  return {
    challenge: createChallengeRoute(challenges),
    address: createAddressRoute({
      ...{ backendUrl, anonKey, fetchBackend, challenges, currentAddress: settingsStore.address },
      localPort: isLoopback(settings.host) ? settings.port : null,
      store:
        calls &&
        (async (url, authorization) => {
          await calls.confirmAddress(url, authorization);
          // Realtime reports it to the other processes.
          onChange(settingsTable);
          await settingsStore.refresh();
        }),
      secondsToWait: limitVisitor({ count: 60, seconds: 60 }),
      // A record of DNS is tried again and again until it is known.
      secondsToCheck: limitVisitor({ count: 20, seconds: 300 }),
    }),
  };
}

interface SiteParts extends Content, ReturnType<typeof createAddressRoutes> {
  changes: RealtimeChanges | null;
  findProblems: ReturnType<typeof createFindProblems>;
  releases: ReleaseCheck | null;
}

async function createSiteHttp(
  { backend, vite, backendUrl, anonKey }: Base,
  settingsStore: SiteSettingsStore,
  parts: SiteParts,
): Promise<Hono> {
  const { backendFetch, security, renderForVisitor, pages, files } = parts;
  const { changes, findProblems, releases } = parts;
  const checks = createSharedWork<Check[]>("for the site");
  const fetchBackend = backendFetch.fetch;
  return createHttp({
    ...{ security, files, address: parts.address, challenge: parts.challenge },
    backend: backend && {
      paths: (await import("./embedded/start.ts")).backendPaths,
      fetch: backend.fetch,
    },
    health: createHealth({
      ...{ backendUrl, anonKey, fetchBackend, siteId: siteId(anonKey) },
      reportRealtime: changes?.report ?? (() => notListening),
    }),
    checks: createChecksRoute({
      ...{ backendUrl, anonKey, fetchBackend, siteUrl: () => settingsStore.address().url },
      runChecks: (request) =>
        checks.share(JSON.stringify(request), () => findProblems(true, request)),
      newerRelease: () => releases?.newer() ?? null,
      // Home asks after each change.
      secondsToWait: limitVisitor({ count: 60, seconds: 60 }),
    }),
    backups: createBackupsRoute({
      ...{ backendUrl, anonKey, fetchBackend, backups: backend?.backups ?? null },
      secondsToWait: limitVisitor({ count: 60, seconds: 60 }),
    }),
    renderPage: vite ? async (request) => (await renderForVisitor(request)).response : pages.fetch,
  });
}

/** Serves cached pages at once, and everything else within the limits of its visitor. */
function createServer(base: Base, pages: PageCache, visits: VisitCounter | null, http: Hono) {
  const { backend, vite } = base;
  const { rateLimits, trustedProxies } = base.settings;
  const handle = getRequestListener(http.fetch);
  const handleUnlimited: RequestListener = vite
    ? (request, response) => vite.middlewares(request, response, () => handle(request, response))
    : handle;
  const handleWithinLimit = rateLimits
    ? limitRequests(handleUnlimited, createQueue("in fair turns", concurrency.requests))
    : handleUnlimited;
  const requests = trackRequests();
  const server = createLimitedServer({
    handle: requests.track((request, response) => {
      const visitor = () => visitorKey(visitorAddress(request, trustedProxies));
      if (!vite && serveCachedPage(pages, request, response)) {
        visits?.count(request, visitor);
        return;
      }
      visits?.countWhenSent(request, response, visitor);
      onBehalfOfVisitor(request, trustedProxies, () => handleWithinLimit(request, response));
    }),
    mayUpgrade: ({ url, headers }) =>
      backend !== null &&
      url?.startsWith("/realtime/v1/") === true &&
      headers.upgrade?.toLowerCase() === "websocket",
    // Behind a proxy, all connections come from the proxy's address.
    keyOf: rateLimits && trustedProxies === 0 ? visitorKey : null,
  });
  server.on("upgrade", (request, socket, head) => {
    onBehalfOfVisitor(request, trustedProxies, () => backend?.upgrade(request, socket, head));
  });
  return { server, requests };
}

async function startVite() {
  const { createServer } = await import("vite");
  return createServer({ root, appType: "custom", server: { middlewareMode: true } });
}

async function loadSite(options: SiteOptions, { vite, buildDir }: Base): Promise<RenderSite> {
  // The path is known only at runtime, and Vite types every loaded module as a record of `any`.
  const load = async (): Promise<SiteModule> =>
    (await (vite
      ? vite.ssrLoadModule("./server/site.ts")
      : import(`${buildDir}/server/index.js`))) as SiteModule;
  if (!vite) return (await load()).createSite(options);
  // Loaded again for each page, so that changed code takes effect.
  return async (request, nonce) => (await load()).createSite(options)(request, nonce);
}

/** @returns null when nothing may be stored, and in development */
function createVisits({ vite, calls }: Base, { known, address }: SiteSettingsStore) {
  if (vite || !calls) return null;
  return createVisitCounter({
    isEnabled: () => known()?.site.countsVisits ?? false,
    siteUrl: () => address().url,
    timeZone: () => known()?.site.contact.timeZone ?? "UTC",
    store: calls.storeVisits,
  });
}

function listen(server: Server, settings: ServerSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(explainListenError(error, settings)));
    server.listen({ port: settings.port, host: settings.host, backlog }, resolve);
  });
}

/** Counts requests of the visitor for whom the code runs. @returns the seconds to wait; 0 when it is allowed */
function limitVisitor(options: Omit<Limit, "per">): () => number {
  const limit = createRateLimit(options);
  return () => Math.ceil(limit.take(visitorKey(currentVisitorAddress() ?? "")) / 1000);
}

function describeStart(
  { url: siteUrl }: SiteAddress,
  backend: Backend | null,
  isPreviousBuild: boolean,
): string[] {
  const lines = ["", `The site: ${siteUrl}`];
  if (isPreviousBuild) {
    lines.push(
      "The build failed, as told above: this is the build before it. What changed since is not on the site.",
    );
  }
  if (!backend) return lines;
  const { email, others, setupToken, invitationToken, generatedPassword, passwordProblem } =
    backend.owner;
  if (email) lines.push(`Owner login: ${siteUrl}/login  ${email}`);
  if (invitationToken) {
    lines.push(
      "With this link, which works once and for a day, the new owner chooses a password:",
      confirmLink(siteUrl, "invite", invitationToken).href,
    );
  }
  if (others.length > 0) {
    lines.push(
      `Other owners, who may do everything, too: ${others.join(", ")}`,
      `To remove one: npm run owner -- remove ${others[0]}`,
    );
  }
  if (generatedPassword) lines.push(`Owner password, shown only now: ${generatedPassword}`);
  if (setupToken) {
    lines.push(
      email
        ? "Or choose your own address and password with this link, good once, for 24 hours:"
        : "Nobody owns this site yet. Choose your address and password with this link, good once, for 24 hours:",
      confirmLink(siteUrl, "setup", setupToken).href,
      "Another one: npm run owner -- setup-link",
    );
  }
  if (passwordProblem) {
    lines.push(
      `OWNER_PASSWORD is weak, which is accepted as long as only this machine reaches the site. ${passwordProblem}`,
    );
  }
  if (backend.mailHeld) {
    lines.push(
      "Outgoing mail is held: this site was restored from a backup, and the live site may be another one.",
      "If this is the live site: npm run restore -- --live, then start it again.",
    );
  }
  return [...lines, "Ctrl-C stops everything.", ""];
}
