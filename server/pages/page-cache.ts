// Public pages, rendered once and kept compressed until something that they show has changed.
// A page is what its address makes it: nothing else of a request reaches a rendering that is kept, so
// that no visitor can put a word on the next one's page. What a route answers is kept when it is a
// whole page without a Cache-Control of its own, or when it asks for it with `s-maxage`.
import { chooseEncoding } from "./accept-encoding.ts";
import { forbidKeeping, mayBeKept, pageCacheControl, staleCacheControl } from "./cache-control.ts";
import { pageKey } from "./page-key.ts";
import type { PageRenderer } from "./page-renderer.ts";
import { createPageStore } from "./page-store.ts";
import { matchesEtag, type RawHeaders, type StoredPage, storePage } from "./cached-page.ts";

export interface PageCacheOptions {
  /** The public address: the only one that a kept page may know. */
  siteUrl: string;
  renderPage: PageRenderer;
  /** Tables whose changes are reported with `changed`. */
  watchedTables: readonly string[];
  maxBytes?: number;
  /** Milliseconds, from any start. */
  now?: () => number;
  log?: (line: string) => void;
}

/** What is sent without waiting. */
export interface KeptAnswer {
  page: StoredPage;
  cacheControl: string;
  cacheStatus: string;
}

export interface PageCache {
  /** What is kept for a GET or HEAD of this target (path and query) and may be sent at once. */
  find(target: string): KeptAnswer | null;
  /** Answers any request for a page. */
  fetch(request: Request): Promise<Response>;
  /** Rows of a table were changed: no request from now on is answered with what was read before. */
  changed(table: string): void;
  /** Whether changes are reported from now on. While they are not, what is kept soon ages. */
  setLive(live: boolean): void;
  readonly live: boolean;
}

interface Entry {
  readonly bytes: number;
  page: StoredPage;
  cacheControl: string;
  tables: ReadonlySet<string>;
  renderedAt: number;
  /** Something that it shows was changed since. */
  outdated: boolean;
  /** Before this moment nobody tries again to render it in the background. */
  retryAt: number;
  /** Whether it waits for its turn to be compressed more tightly. */
  tightening: boolean;
}

interface Job {
  /** The one that runs while this one waits. */
  before: Job | null;
  /** Tables that were changed since it began to read. */
  changed: Set<string>;
  outcome: Promise<Outcome>;
}

/** A page that is kept (the old one, when a new one could not be had), or an answer to pass on. */
type Outcome = ({ entry: Entry; status: string } | { answer: PassingAnswer }) & {
  failed: boolean;
};

interface PassingAnswer {
  status: number;
  headers: Headers;
  body: Buffer<ArrayBuffer>;
}

const maxBytesByDefault = 64 * 1024 * 1024;
/** How long a page is kept while nobody reports changes. */
const blindLifeMs = 5_000;
/** A report can get lost without anyone noticing: after this long a page is renewed all the same. */
const lifeMs = 300_000;
/** How long after a failure nobody waits for the backend who can be given an older page. */
const outageMs = 10_000;
const retryMs = 2_000;
/** Changes often come in twos and threes: the row, then its picture. */
const renewDelayMs = 100;
/** Pages that are rendered anew after a change before someone asks for them. */
const renewCount = 24;

export function createPageCache(options: PageCacheOptions): PageCache {
  const { siteUrl, renderPage, now = () => performance.now(), log = console.error } = options;
  const watched = new Set(options.watchedTables);
  const store = createPageStore<Entry>(options.maxBytes ?? maxBytesByDefault);
  const jobs = new Map<string, Job>();
  let live = false;
  let outageUntil = Number.NEGATIVE_INFINITY;
  let tightening: Promise<unknown> = Promise.resolve();
  let renewal: NodeJS.Timeout | undefined;

  return {
    find,
    fetch,
    changed,
    setLive,
    get live() {
      return live;
    },
  };

  function find(target: string): KeptAnswer | null {
    let key: string | null = target;
    let entry = store.get(target);
    if (!entry) {
      if (!target.includes("?")) return null;
      key = pageKey(target);
      entry = key === null ? undefined : store.get(key);
      if (!entry || key === null) return null;
    }
    const age = ageOf(entry);
    if (age === "unusable") return null;
    if (age !== "fresh") renewSoonEnough(key, entry);
    if (entry.page.loose && !entry.tightening) tighten(key, entry);
    return answerOf(entry, age === "stale" ? staleStatus(entry) : "site; hit");
  }

  /**
   * "aging": to be renewed, but still right as far as anyone knows. "stale": known or feared to be
   * wrong, and the backend does not answer. "unusable": the next one has to wait for a rendering.
   */
  function ageOf(entry: Entry): "fresh" | "aging" | "stale" | "unusable" {
    const age = now() - entry.renderedAt;
    const isWrong = entry.outdated || (!live && age > blindLifeMs && entry.tables.size > 0);
    if (isWrong) return now() < outageUntil ? "stale" : "unusable";
    return age > lifeMs && entry.tables.size > 0 ? "aging" : "fresh";
  }

  async function fetch(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const isRead = request.method === "GET" || request.method === "HEAD";
    const key = isRead ? pageKey(pathname + search) : null;
    if (key === null) return renderUnkept(request);
    const kept = find(key);
    if (kept) return toResponse(kept, request);
    const outcome = await render(key);
    if ("entry" in outcome) return toResponse(answerOf(outcome.entry, outcome.status), request);
    const { body, ...rest } = outcome.answer;
    // A redirect takes along what the page itself does not read, such as where the visitor came from.
    if (rest.status > 300 && rest.status < 400 && search !== new URL(key, siteUrl).search) {
      return renderUnkept(request);
    }
    return new Response(request.method === "HEAD" || body.length === 0 ? null : body, rest);
  }

  async function renderUnkept(request: Request): Promise<Response> {
    const { response } = await renderPage(request);
    forbidKeeping(response.headers);
    return response;
  }

  /** One rendering of a page at a time; whoever asks after a change waits for one that knows of it. */
  function render(key: string): Promise<Outcome> {
    const latest = jobs.get(key) ?? null;
    if (latest && (latest.before || latest.changed.size === 0)) return latest.outcome;
    const job: Job = { before: latest, changed: new Set(), outcome: start() };
    jobs.set(key, job);
    job.outcome
      .catch(() => {})
      .finally(() => {
        if (jobs.get(key) === job) jobs.delete(key);
      });
    return job.outcome;

    async function start(): Promise<Outcome> {
      const earlier = await latest?.outcome.catch(() => null);
      job.before = null;
      // The backend fails at the moment: asking again would only make everyone wait longer.
      if (earlier?.failed) return earlier;
      job.changed.clear();
      return renderNow(key, job);
    }
  }

  async function renderNow(key: string, job: Job): Promise<Outcome> {
    const renderedAt = now();
    const previous = store.get(key);
    try {
      const { response, use } = await renderPage(new Request(new URL(key, siteUrl)));
      const content = Buffer.from(await response.arrayBuffer());
      if (!use.failed && response.status < 500) {
        if (use.tables.size > 0) outageUntil = Number.NEGATIVE_INFINITY;
        return await keep(key, job, { response, content, tables: use.tables, renderedAt });
      }
      if (use.failed) outageUntil = now() + outageMs;
      if (previous) return fallBack(previous);
      forbidKeeping(response.headers);
      const reason = use.failed ? "backend-unavailable" : "not-rendered";
      response.headers.set("cache-status", `site; fwd=uri-miss; detail=${reason}`);
      return { answer: passOn(response, content), failed: true };
    } catch (error) {
      if (!previous) throw error;
      log(`page cache: rendering ${key} failed: ${error}`);
      return fallBack(previous);
    }
  }

  async function keep(
    key: string,
    job: Job,
    rendered: {
      response: Response;
      content: Buffer<ArrayBuffer>;
      tables: ReadonlySet<string>;
      renderedAt: number;
    },
  ): Promise<Outcome> {
    const { response, content, tables, renderedAt } = rendered;
    if (!mayBeKept(response)) {
      store.delete(key);
      forbidKeeping(response.headers);
      return { answer: passOn(response, content), failed: false };
    }
    const page = await storePage(rawHeaders(response.headers), content, () =>
      store.resized(key, entry),
    );
    const entry: Entry = {
      get bytes() {
        return page.bytes;
      },
      page,
      cacheControl: response.headers.get("cache-control") ?? pageCacheControl,
      tables,
      renderedAt,
      outdated: [...job.changed].some((table) => dependsOn(tables, table)),
      retryAt: 0,
      tightening: false,
    };
    const reason = store.get(key) ? "stale" : "uri-miss";
    store.set(key, entry);
    return { entry, status: `site; fwd=${reason}; stored`, failed: false };
  }

  function fallBack(previous: Entry): Outcome {
    previous.retryAt = now() + retryMs;
    return { entry: previous, status: staleStatus(previous), failed: true };
  }

  function changed(table: string): void {
    for (const job of jobs.values()) {
      job.changed.add(table);
      job.before?.changed.add(table);
    }
    for (const [, entry] of store.newestFirst()) {
      if (dependsOn(entry.tables, table)) entry.outdated = true;
    }
    // Who reports a change is alive: the next visitor waits for the new page rather than see the old.
    outageUntil = Number.NEGATIVE_INFINITY;
    renewLater();
  }

  /** Whoever read more than the watched tables depends on whatever happens. */
  function dependsOn(tables: ReadonlySet<string>, table: string): boolean {
    return tables.has(table) || [...tables].some((name) => !watched.has(name));
  }

  function setLive(isLive: boolean): void {
    live = isLive;
    // What changed while nobody listened was not reported.
    if (live) for (const table of watched) changed(table);
  }

  function renewLater(): void {
    if (renewal) return;
    renewal = setTimeout(async () => {
      renewal = undefined;
      const outdated = store.newestFirst().filter(([, entry]) => entry.outdated);
      for (const [key] of outdated.slice(0, renewCount)) await render(key).catch(() => {});
    }, renewDelayMs);
    renewal.unref();
  }

  function renewSoonEnough(key: string, entry: Entry): void {
    if (jobs.has(key) || now() < entry.retryAt) return;
    entry.retryAt = now() + retryMs;
    render(key).catch(() => {});
  }

  /** One page after the other, so that a processor stays free for visitors. */
  function tighten(key: string, entry: Entry): void {
    entry.tightening = true;
    tightening = tightening
      .then(() => entry.page.tighten())
      .catch((error) => log(`page cache: compressing ${key} failed: ${error}`));
  }

  function answerOf(entry: Entry, cacheStatus: string): KeptAnswer {
    const { page, cacheControl } = entry;
    const isStale = cacheStatus.includes("ttl=-");
    return { page, cacheStatus, cacheControl: isStale ? staleCacheControl : cacheControl };
  }

  /** As RFC 9211 puts it: kept, and so many seconds beyond its life. */
  function staleStatus(entry: Entry): string {
    const seconds = Math.max(1, Math.round((now() - entry.renderedAt) / 1000));
    return `site; hit; ttl=-${seconds}; detail=backend-unavailable`;
  }
}

function toResponse({ page, cacheControl, cacheStatus }: KeptAnswer, request: Request): Response {
  const headers = new Headers({ "cache-control": cacheControl, "cache-status": cacheStatus });
  const append = (raw: RawHeaders) => {
    for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? "", raw[at + 1] ?? "");
  };
  if (matchesEtag(request.headers.get("if-none-match") ?? undefined, page.etag)) {
    append(page.validators);
    return new Response(null, { status: 304, headers });
  }
  const encoding = chooseEncoding(request.headers.get("accept-encoding") ?? undefined);
  append(page.headers(encoding));
  return new Response(request.method === "HEAD" ? null : page.body(encoding), { headers });
}

function passOn({ status, headers }: Response, body: Buffer<ArrayBuffer>): PassingAnswer {
  return { status, headers, body };
}

/** All but what is worked out anew for each encoding and each answer. */
function rawHeaders(headers: Headers): RawHeaders {
  const apart = new Set(["cache-control", "content-encoding", "content-length", "etag", "vary"]);
  return [...headers].filter(([name]) => !apart.has(name)).flat();
}
