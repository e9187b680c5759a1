// Counts page loads, referring hosts and used calculators in memory, and stores the sums at most once a minute.
// A crash loses at most that minute. See docs/decisions/2026-11-22-visit-counts.md.
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { loadedPage, referringHost, usedCalculator, type VisitRequest } from "./visit-request.ts";

export interface VisitCount {
  /** `2026-11-22` in the time zone of the site. */
  day: string;
  kind: VisitKind;
  key: string;
  count: number;
}

/** Counts that are stored together, once. */
export interface VisitBatch {
  id: string;
  visits: VisitCount[];
}

type VisitKind = "page" | "referrer" | "calculator";

export interface VisitCounterOptions {
  /** Whether the owner has switched counting on. */
  isEnabled(): boolean;
  siteUrl: string;
  /** Decides when a day begins. */
  timeZone(): string;
  /** Stores a batch, or nothing when a batch with this id is stored already. Rejects when it is not certain. */
  store(batch: VisitBatch, signal: AbortSignal): Promise<void>;
  /** Milliseconds since 1970. */
  now?: () => number;
  log?: (line: string) => void;
}

export interface VisitCounter {
  /** Counts a page that is sent from the cache. */
  countCached(request: VisitRequest, visitor: Visitor): void;
  /** Counts any other response when it is sent, if it is a page. */
  countWhenSent(request: VisitRequest, response: ServerResponse, visitor: Visitor): void;
  /** Stores what was counted. After a failure, the counts stay and are stored with a later call. */
  flush(): Promise<void>;
  /** Stores the last counts. */
  stop(): Promise<void>;
}

/** Returns what stands for the visitor's address in the rate limits. It is never stored. */
type Visitor = () => string;

/** The counts of one day. A key stays after its count is stored, so that the limits hold for the whole day. */
interface DayCounts extends Record<VisitKind, Map<string, number>> {
  /** How many of the referrers each visitor was the first to come from. */
  referrersOf: Map<string, number>;
}

/** Keys per day. Further keys are counted together. */
const maxKeys: Record<VisitKind, number> = { page: 2000, referrer: 500, calculator: 10 };
/** Referrers per day that one visitor can add. Anyone can invent them. */
const maxReferrersPerVisitor = 10;
const otherKey = "other";
/** Days in memory while nothing can be stored. */
const maxDays = 3;
/** Milliseconds between two flushes. */
const flushInterval = 60_000;
/** After a quiet minute, so that the owner of a new site soon sees the first visit. */
const firstFlushDelay = 5_000;
const storeTimeout = 5_000;

export function createVisitCounter(options: VisitCounterOptions): VisitCounter {
  const { isEnabled, timeZone, store, now = Date.now, log = console.warn } = options;
  const siteOrigin = `${new URL(options.siteUrl).origin}/`;
  const days = new Map<string, DayCounts>();
  /** Not known to be stored. It is sent again with the same id and without later counts. */
  let pending: VisitBatch | null = null;
  let flushing: Promise<void> | null = null;
  let hasFailed = false;
  let flushedAt = 0;
  let flushTimer: NodeJS.Timeout | undefined;
  let currentMinute = -1;
  let current = emptyDay();

  return {
    countCached: count,
    countWhenSent(request, response, visitor) {
      if (loadedPage(request) === null && usedCalculator(request) === null) return;
      response.once("finish", () => {
        const { statusCode } = response;
        if (statusCode === 200 || statusCode === 304) count(request, visitor);
      });
    },
    flush,
    async stop() {
      await flushing;
      await flush();
      clearTimeout(flushTimer);
    },
  };

  function count(request: VisitRequest, visitor: Visitor): void {
    if (!isEnabled()) return;
    const page = loadedPage(request);
    if (page !== null) {
      const counts = today();
      add(counts, "page", page);
      const host = referringHost(request.headers, siteOrigin);
      if (host !== null) addReferrer(counts, host, visitor);
      scheduleFlush();
      return;
    }
    const calculator = usedCalculator(request);
    if (calculator === null) return;
    add(today(), "calculator", calculator);
    scheduleFlush();
  }

  /** Looks at the calendar once a minute, because formatting a date is slow. Every day begins with a full minute. */
  function today(): DayCounts {
    const minute = Math.floor(now() / 60_000);
    if (minute !== currentMinute) {
      currentMinute = minute;
      const day = dayOf(now(), timeZone());
      current = days.get(day) ?? emptyDay();
      days.set(day, current);
      const [oldest] = days.keys();
      if (days.size > maxDays && oldest !== undefined) days.delete(oldest);
    }
    return current;
  }

  function scheduleFlush(): void {
    if (flushTimer) return;
    const delay = Math.min(flushInterval, flushedAt + flushInterval - now());
    flushTimer = setTimeout(flush, Math.max(firstFlushDelay, delay)).unref();
  }

  function flush(): Promise<void> {
    clearTimeout(flushTimer);
    flushTimer = undefined;
    flushedAt = now();
    flushing ??= storeAll().finally(() => {
      flushing = null;
    });
    return flushing;
  }

  async function storeAll(): Promise<void> {
    try {
      if (pending) await storePending(pending);
      const visits = takeCounts();
      if (visits.length === 0) return;
      pending = { id: randomUUID(), visits };
      await storePending(pending);
    } catch (error) {
      // Once per outage.
      if (!hasFailed) log(`Visit counts could not be stored. They are kept for now: ${error}`);
      hasFailed = true;
      scheduleFlush();
    }
  }

  async function storePending(batch: VisitBatch): Promise<void> {
    const signal = AbortSignal.timeout(storeTimeout);
    // A late success does no harm: the batch is sent again with the same id.
    await Promise.race([store(batch, signal), rejectWhenAborted(signal)]);
    pending = null;
    hasFailed = false;
  }

  function takeCounts(): VisitCount[] {
    const visits: VisitCount[] = [];
    for (const [day, counts] of days) {
      for (const kind of ["page", "referrer", "calculator"] as const) {
        for (const [key, count] of counts[kind]) {
          if (count === 0) continue;
          visits.push({ day, kind, key, count });
          counts[kind].set(key, 0);
        }
      }
      if (counts !== current) days.delete(day);
    }
    return visits;
  }
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function emptyDay(): DayCounts {
  return { page: new Map(), referrer: new Map(), calculator: new Map(), referrersOf: new Map() };
}

function add(counts: DayCounts, kind: VisitKind, key: string): void {
  const counted = counts[kind];
  const count = counted.get(key);
  if (count !== undefined) counted.set(key, count + 1);
  else if (counted.size < maxKeys[kind]) counted.set(key, 1);
  else counted.set(otherKey, (counted.get(otherKey) ?? 0) + 1);
}

function addReferrer(counts: DayCounts, host: string, visitor: Visitor): void {
  let key = host;
  if (!counts.referrer.has(host) && counts.referrer.size < maxKeys.referrer) {
    const address = visitor();
    const added = counts.referrersOf.get(address) ?? 0;
    if (added < maxReferrersPerVisitor) counts.referrersOf.set(address, added + 1);
    else key = otherKey;
  }
  add(counts, "referrer", key);
}

/** The calendar day, as `2026-11-22`. */
function dayOf(time: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", { dateStyle: "short", timeZone }).format(time);
}
