// Counts shown pages, referring hosts and used calculators in memory, and adds the sums to the database a few seconds
// later. See docs/decisions/2026-11-22-visit-counts.md.
import type { ServerResponse } from "node:http";
import { createQueue } from "embedded-supabase/rate-limits/shared-work.ts";
import { LRUCache } from "lru-cache";
import { dayIn } from "../../supabase/functions/_shared/licenses.ts";
import { reportedVisit, type VisitKey, type VisitRequest } from "./visit-request.ts";

export interface VisitCount extends VisitKey {
  count: number;
}

interface VisitCounterOptions {
  /** Whether the owner has switched counting on. */
  isEnabled(): boolean;
  /** The public address. */
  siteUrl(): string;
  /** The time zone, which decides when a day begins. */
  timeZone(): string;
  /** Adds counts to a day such as `2026-11-22`. */
  store: (day: string, visits: VisitCount[]) => Promise<unknown>;
  log?: (line: string) => void;
}

/** Returns the visitor's key in the rate limits, in place of the address. It is never stored. */
type Visitor = () => string;

/** Milliseconds from a visit until it is stored together with those that followed. */
const flushDelay = 10_000;
const storeTimeout = 5_000;
/** The maximum number of counted reports per visitor and day. Anyone can send them and invent referring hosts. */
const maxPerVisitor = 200;
/** The maximum number of keys in memory until the next flush. The database also limits the keys of a day. */
const maxPending = 1000;

export type VisitCounter = ReturnType<typeof createVisitCounter>;

export function createVisitCounter(options: VisitCounterOptions) {
  const { isEnabled, timeZone, store, log = console.warn } = options;
  /** The number of counted visits of each visitor on this day. */
  const visitors = new LRUCache<string, number>({ max: 10_000 });
  let day = "";
  let pending = new Map<string, VisitCount>();
  let timer: NodeJS.Timeout | undefined;
  const storing = createQueue("for the site", 1);
  let hasFailed = false;
  // Counting has begun, even if nobody visits.
  setTimeout(() => isEnabled() && add("start", "site"), flushDelay).unref();

  /** Counts a request that was answered, if it reports a visit. */
  function count(request: VisitRequest, visitor: Visitor): void {
    const keys = reportedVisit(request, `${options.siteUrl()}/`);
    if (keys.length === 0 || !isEnabled()) return;
    const visitorKey = visitor();
    const counted = visitors.get(visitorKey) ?? 0;
    if (counted >= maxPerVisitor) return;
    visitors.set(visitorKey, counted + 1);
    for (const { kind, key } of keys) add(kind, key);
  }

  /** Counts a request once it is answered, which shows whether its page exists. */
  function countWhenSent(request: VisitRequest, response: ServerResponse, visitor: Visitor): void {
    response.once("finish", () => {
      const { statusCode } = response;
      if (statusCode === 200 || statusCode === 304) count(request, visitor);
    });
  }

  function add(kind: VisitCount["kind"], key: string, times = 1): void {
    const id = `${kind} ${key}`;
    const known = pending.get(id);
    if (known) known.count += times;
    else if (pending.size < maxPending) pending.set(id, { kind, key, count: times });
    timer ??= setTimeout(flush, flushDelay).unref();
  }

  /** Stores what was counted. After a failure, the counts stay and are stored with a later call. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return storing.run(storePending);
  }

  async function storePending(): Promise<void> {
    if (pending.size === 0) return;
    const visits = [...pending.values()];
    pending = new Map();
    const now = dayIn(timeZone(), Date.now());
    if (now !== day) visitors.clear();
    day = now;
    try {
      // Limits the time of a store that hangs, which would also delay the stop of the site.
      await Promise.race([store(day, visits), rejectAfter(storeTimeout)]);
      hasFailed = false;
    } catch (error) {
      for (const { kind, key, count } of visits) add(kind, key, count);
      // Logs the failure once per outage.
      if (!hasFailed) log(`Visit counts could not be stored. They are kept for now: ${error}`);
      hasFailed = true;
    }
  }

  return { count, countWhenSent, flush };
}

function rejectAfter(milliseconds: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error("timed out")), milliseconds).unref();
  });
}
