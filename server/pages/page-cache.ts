// Renders public pages once and serves them from memory until the data that they show changes. A cached rendering depends
// on the cache key only (page-key.ts), so no visitor can put content on a page that others get. cached-page.ts defines
// which responses are cached.
import {
  type Acquire,
  createQueue,
  createTurn,
  type Turn,
} from "embedded-supabase/rate-limits/shared-work.ts";
import { LRUCache } from "lru-cache";
import { busyResponse } from "../limits/concurrency-limits.ts";
import {
  type CachedPage,
  createCachedPage,
  forbidCaching,
  isCacheable,
  lastDayCacheControl,
  pageCacheControl,
  type RawHeaders,
  staleCacheControl,
} from "./cached-page.ts";
import { pageKey } from "./page-key.ts";
import type { PageRenderer } from "./page-renderer.ts";
import { type CacheHit, toResponse } from "./serve-cached-page.ts";

interface PageCacheOptions {
  /** The address in the requests for cached pages, of which pages use the path and the query alone. */
  siteUrl: string;
  /** Renders a page for everybody, without a limit. */
  renderPage: PageRenderer;
  /** Renders for one visitor what is never cached, within the limits. */
  renderUncached?: PageRenderer;
  /** Slots for the renderings of pages for everybody. */
  acquire?: Acquire;
  /** Tables whose changes are reported with `invalidate`. */
  watchedTables: readonly string[];
  /** Watched tables that every page shows, whatever its rendering read. */
  tablesOfEveryPage?: readonly string[];
  /** The day for which pages are rendered now. A page of another day is outdated. */
  day?: () => SiteDay;
  maxBytes?: number;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
  log?: (line: string) => void;
}

/** A day, and whether pages say something else on the next one; null while that is unknown. */
type SiteDay = { day: string; isLastDay: boolean } | null;

export interface Entry {
  page: CachedPage;
  cacheControl: string;
  /** The tables that the rendering read. */
  tables: ReadonlySet<string>;
  /** Missing for a page of an earlier process. */
  day?: string | undefined;
  renderedAt: number;
  isInvalidated: boolean;
  /** The first change of its data since it was rendered. */
  changedAt?: ChangeTime;
  /** The earliest time of the next background rendering. */
  retryAt: number;
  isRecompressing: boolean;
}

/** When a change was reported; undefined when it may only have been missed. */
type ChangeTime = number | undefined;

/** One rendering of a page. */
interface Job {
  turn: Turn;
  /** The rendering of the same page that must end before this one starts. */
  predecessor: Job | null;
  /** Tables that changed since this rendering started, and when. */
  changedTables: Map<string, ChangeTime>;
  result: Promise<JobResult>;
}

/** A cached page (the previous one after a failure), or a response that is not cached. */
type JobResult = ({ hit: CacheHit } | { uncached: UncachedResponse }) & { failed: boolean };

/** The body is not a stream, because several requests may share it. */
interface UncachedResponse {
  status: number;
  headers: Headers;
  body: Buffer<ArrayBuffer>;
}

const defaultMaxBytes = 64 * 1024 * 1024;
/** While no changes are reported, pages that show data expire after this long. */
const maxAgeWithoutReportsMs = 5_000;
/** Pages that show data are rendered again in the background after this long, in case a report was lost. */
const maxAgeMs = 300_000;
/** After a failure, serve stale pages for this long. */
const outageMs = 10_000;
/** Time between two background renderings of one page. */
const retryMs = 2_000;
/** Waits for further changes, such as a post's image after its row, before rendering in the background. */
const rerenderDelayMs = 100;
/** How many recently used pages are rendered after a change, before they are requested. */
const rerenderCount = 24;
/** The minimum time between renderings of an invalidated page while changes keep coming. */
const renderIntervalMs = 1_000;
/** How far ahead of that interval requests may render a page, so that a few quick changes are each shown at once. */
const maxAheadMs = 4 * renderIntervalMs;
/** How long a page is served after its data was reported as changed, whatever delays its rendering. */
const maxOutdatedMs = 2_000;
/** The maximum number of pages whose renderings are paced. Others are rendered at once. */
const maxPaced = 10_000;

export type PageCache = ReturnType<typeof createPageCache>;

export function createPageCache(options: PageCacheOptions) {
  const { siteUrl, renderPage, renderUncached: renderForOne = renderPage } = options;
  const { acquire = async () => () => {} } = options;
  const { now = () => performance.now(), log = console.error } = options;
  const { maxBytes = defaultMaxBytes, tablesOfEveryPage = [], day = () => null } = options;
  const watched = new Set(options.watchedTables);
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    // Prevents one large page from evicting most others.
    maxEntrySize: Math.floor(maxBytes / 8),
    sizeCalculation: ({ page }, key) => page.bytes + key.length,
  });
  const jobs = new Map<string, Job>();
  /** When the next rendering of a page is due. Each rendering adds one interval. */
  const dueAt = new LRUCache<string, number>({ max: maxPaced });
  /** Renders one page at a time, so that a processor stays free for visitors. */
  const recompressing = createQueue("for the site", 1);
  let isRealtimeConnected = false;
  let isStopped = false;
  let outageUntil = Number.NEGATIVE_INFINITY;
  let rerenderTimer: NodeJS.Timeout | undefined;

  return {
    find,
    fetch,
    /**
     * Called when rows of a table changed: later requests get no page that was rendered from the old rows. While changes keep
     * coming, a page is rendered once a second, and requests in between get that page.
     */
    invalidate: (table: string) => invalidate(table, now()),
    /** Whether changes are reported from now on. Without reports, pages that show data expire after seconds. */
    setRealtimeConnected(connected: boolean): void {
      isRealtimeConnected = connected;
      // Changes were missed while the connection was down.
      if (connected) for (const table of watched) invalidate(table);
    },
    /** The pages that show the current data, the most recently used first; null while that is unknown. */
    currentEntries(): [key: string, Entry][] | null {
      if (!isRealtimeConnected || now() < outageUntil) return null;
      return [...entries.entries()].filter(([, { isInvalidated }]) => !isInvalidated);
    },
    /** Adds a page that an earlier process rendered `age` milliseconds ago. It is served only while the backend fails. */
    addStale(key: string, known: Pick<Entry, "page" | "cacheControl" | "tables">, age: number) {
      const state = { isInvalidated: true, retryAt: 0, isRecompressing: false };
      entries.set(key, { ...known, ...state, renderedAt: now() - age });
    },
    /** Renders no more pages in the background, and waits for those that are being rendered. */
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.allSettled([...jobs.values()].map(({ result }) => result));
    },
  };

  /** The cached page for a GET or HEAD of this target (path and query), when it may be served now. */
  function find(target: string): CacheHit | null {
    // Most targets are keys themselves: parse the query only when it is needed.
    let key: string | null = target;
    let entry = entries.get(target);
    if (!entry && target.includes("?")) {
      key = pageKey(target);
      entry = key === null ? undefined : entries.get(key);
    }
    if (key === null || !entry) return null;
    const state = stateOf(key, entry);
    if (state === "expired") return null;
    if (state !== "fresh") rerenderInBackground(key, entry);
    if (entry.page.canRecompress && !entry.isRecompressing) recompress(key, entry);
    if (state !== "stale") return freshHit(entry);
    return staleHit(entry, now() < outageUntil ? "backend-unavailable" : "changing");
  }

  /**
   * `due`: valid as far as known, but due for a background rendering. `stale`: outdated, and served only because the backend
   * fails or changes keep coming. `expired`: the request has to wait for a rendering.
   */
  function stateOf(key: string, entry: Entry): "fresh" | "due" | "stale" | "expired" {
    if (isOverdue(entry)) return "expired";
    const age = now() - entry.renderedAt;
    const showsData = entry.tables.size > 0;
    const mayBeOutdated = showsData && !isRealtimeConnected && age > maxAgeWithoutReportsMs;
    if (entry.isInvalidated || mayBeOutdated || entry.day !== day()?.day) {
      return now() < outageUntil || !mayRender(key) ? "stale" : "expired";
    }
    return showsData && age > maxAgeMs ? "due" : "fresh";
  }

  /** Whether it may be served no more: the data may be what somebody has deleted. */
  function isOverdue(entry: Entry | undefined): boolean {
    return entry?.changedAt !== undefined && now() - entry.changedAt > maxOutdatedMs;
  }

  /** Whether to render an invalidated page now. Otherwise its last rendering is less than a second old. */
  function mayRender(key: string, aheadMs = maxAheadMs): boolean {
    return now() + aheadMs >= (dueAt.get(key) ?? Number.NEGATIVE_INFINITY);
  }

  /** Responds to any request for a page. */
  async function fetch(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const isRead = request.method === "GET" || request.method === "HEAD";
    const key = isRead ? pageKey(pathname + search) : null;
    if (key === null) return renderUncached(request);
    const cached = find(key);
    if (cached) return toResponse(cached, request);
    const result = await render(key);
    if ("hit" in result) return toResponse(result.hit, request);
    const { body, status, headers } = result.uncached;
    const mayUseQuery = (status > 300 && status < 400) || status === 404;
    // A redirect passes the query on, and the former address of a post may need it: with the parameters that the key leaves out.
    if (mayUseQuery && search !== new URL(key, siteUrl).search) return renderUncached(request);
    const hasBody = request.method !== "HEAD" && body.length > 0;
    return new Response(hasBody ? body : null, { status, headers });
  }

  async function renderUncached(request: Request): Promise<Response> {
    const { response } = await renderForOne(request);
    forbidCaching(response.headers);
    return response;
  }

  /** Renders a page once for all waiting requests. After a change, requests wait for a newer rendering. */
  function render(key: string): Promise<JobResult> {
    const latest = jobs.get(key) ?? null;
    const known = entries.peek(key);
    const isPaced = !mayRender(key) && !isOverdue(known);
    if (latest && (latest.predecessor || latest.changedTables.size === 0 || isPaced)) {
      latest.turn.join();
      return latest.result;
    }
    // Nobody has to wait in a queue of visitors for a page that the site shows already, or after a change during a rendering.
    const turn = createTurn(known || latest ? "for the site" : "in fair turns", acquire);
    turn.join();
    const job: Job = { turn, predecessor: latest, changedTables: new Map(), result: start() };
    jobs.set(key, job);
    job.result
      .catch(() => {})
      .finally(() => {
        if (jobs.get(key) === job) jobs.delete(key);
      });
    return job.result;

    async function start(): Promise<JobResult> {
      const previous = await latest?.result.catch(() => null);
      job.predecessor = null;
      // The backend is failing: another attempt would only make everyone wait longer.
      if (previous?.failed) return previous;
      const result = await turn.run(() => {
        job.changedTables.clear();
        return renderNow(key, job);
      });
      return result ?? rejected(key);
    }
  }

  /** The backend has not failed, so that the next request may try at once. */
  async function rejected(key: string): Promise<JobResult> {
    const previous = entries.peek(key);
    if (previous && !isOverdue(previous)) return { hit: staleHit(previous, "busy"), failed: false };
    const busy = busyResponse();
    const body = Buffer.from(await busy.arrayBuffer());
    return { uncached: { status: busy.status, headers: busy.headers, body }, failed: false };
  }

  async function renderNow(key: string, job: Job): Promise<JobResult> {
    const renderedAt = now();
    const rendered = day();
    dueAt.set(key, Math.max(dueAt.get(key) ?? renderedAt, renderedAt) + renderIntervalMs);
    const previous = entries.get(key);
    try {
      const request = new Request(new URL(key, siteUrl));
      const { response, use } = await renderPage(request);
      const body = Buffer.from(await response.arrayBuffer());
      const { status, headers } = response;
      if (use.failed || status >= 500) {
        if (use.failed) outageUntil = now() + outageMs;
        if (previous && !isOverdue(previous)) return serveStale(previous);
        forbidCaching(headers);
        const reason = use.failed ? "backend-unavailable" : "not-rendered";
        headers.set("cache-status", `site; fwd=uri-miss; detail=${reason}`);
        return { uncached: { status, headers, body }, failed: true };
      }
      if (use.tables.size > 0) outageUntil = Number.NEGATIVE_INFINITY;
      if (!isCacheable(response)) {
        entries.delete(key);
        forbidCaching(headers);
        return { uncached: { status, headers, body }, failed: false };
      }
      const cacheControl =
        headers.get("cache-control") ??
        (rendered?.isLastDay ? lastDayCacheControl : pageCacheControl);
      const tables = new Set([...use.tables, ...tablesOfEveryPage]);
      const entry: Entry = {
        page: await createCachedPage(storedHeaders(headers), body, () => updateSize(key, entry)),
        cacheControl,
        tables,
        day: rendered?.day,
        renderedAt,
        isInvalidated: false,
        retryAt: 0,
        isRecompressing: false,
      };
      for (const [table, changedAt] of job.changedTables) markChanged(entry, table, changedAt);
      const cacheStatus = `site; fwd=${entries.has(key) ? "stale" : "uri-miss"}; stored`;
      entries.set(key, entry);
      return { hit: { page: entry.page, cacheControl, cacheStatus }, failed: false };
    } catch (error) {
      if (!previous || isOverdue(previous)) throw error;
      log(`page cache: rendering ${key} failed: ${error}`);
      return serveStale(previous);
    }
  }

  function serveStale(previous: Entry): JobResult {
    previous.retryAt = now() + retryMs;
    return { hit: staleHit(previous), failed: true };
  }

  /** lru-cache measures an entry only when it is added. */
  function updateSize(key: string, entry: Entry): void {
    if (entries.peek(key) !== entry) return;
    entries.delete(key);
    entries.set(key, entry);
  }

  function invalidate(table: string, changedAt?: ChangeTime): void {
    for (const job of jobs.values()) {
      job.changedTables.set(table, changedAt);
      job.predecessor?.changedTables.set(table, changedAt);
    }
    for (const entry of entries.values()) markChanged(entry, table, changedAt);
    // A backend that reports changes works again, so requests wait for the new page instead of getting a stale one.
    outageUntil = Number.NEGATIVE_INFINITY;
    if (!rerenderTimer) scheduleRerendering(rerenderDelayMs);
  }

  function markChanged(entry: Entry, table: string, changedAt: ChangeTime): void {
    if (!dependsOn(entry.tables, table)) return;
    entry.isInvalidated = true;
    entry.changedAt ??= changedAt;
  }

  /** A page that read an unwatched table is invalidated by every change. */
  function dependsOn(tables: ReadonlySet<string>, table: string): boolean {
    return tables.has(table) || [...tables].some((name) => !watched.has(name));
  }

  function scheduleRerendering(delay: number): void {
    rerenderTimer = setTimeout(rerenderInvalidated, delay).unref();
  }

  async function rerenderInvalidated(): Promise<void> {
    for (const key of recentlyInvalidated()) {
      if (!isStopped && mayRender(key, 0)) await render(key).catch(() => {});
    }
    // Some pages were rendered too recently, or have changed again.
    rerenderTimer = undefined;
    if (recentlyInvalidated().length > 0) scheduleRerendering(renderIntervalMs);
  }

  /** The most recently used pages first, without those whose rendering has just failed. */
  function recentlyInvalidated(): string[] {
    return [...entries.entries()]
      .filter(([, { isInvalidated, retryAt }]) => isInvalidated && now() >= retryAt)
      .slice(0, rerenderCount)
      .map(([key]) => key);
  }

  function rerenderInBackground(key: string, entry: Entry): void {
    if (jobs.has(key) || now() < entry.retryAt || !mayRender(key)) return;
    entry.retryAt = now() + retryMs;
    render(key).catch(() => {});
  }

  function recompress(key: string, entry: Entry): void {
    entry.isRecompressing = true;
    recompressing
      .run(() => entry.page.recompress())
      .catch((error) => log(`page cache: compressing ${key} failed: ${error}`));
  }

  function freshHit({ page, cacheControl }: Entry): CacheHit {
    return { page, cacheControl, cacheStatus: "site; hit" };
  }

  /** The negative time to live is the age in seconds, as RFC 9211 describes for stale responses. */
  function staleHit({ page, renderedAt }: Entry, reason = "backend-unavailable"): CacheHit {
    const seconds = Math.max(1, Math.round((now() - renderedAt) / 1000));
    const cacheStatus = `site; hit; ttl=-${seconds}; detail=${reason}`;
    return { page, cacheControl: staleCacheControl, cacheStatus };
  }
}

/** All headers except those that depend on the encoding or on the age of the cached page. */
function storedHeaders(headers: Headers): RawHeaders {
  const computed = new Set(["cache-control", "content-encoding", "content-length", "etag", "vary"]);
  return [...headers].filter(([name]) => !computed.has(name)).flat();
}
