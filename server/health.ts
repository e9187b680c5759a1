// Health checks for a supervisor or a load balancer: /live says that the process runs, /ready that the site
// can read from the backend.
import { createSharedWork } from "embedded-supabase/rate-limits/shared-work.ts";
import { Hono } from "hono";
import type { RealtimeReport } from "./realtime/realtime-changes.ts";

/** Requests within this time share one read of the backend. */
const maxAgeMs = 1000;

export function createHealth(options: {
  backendUrl: string;
  anonKey: string;
  fetchBackend: typeof fetch;
  reportRealtime: () => RealtimeReport;
  /** Shown by /live, so that a check can tell whether an address leads to this site. */
  siteId: string;
}): Hono {
  const { siteId, backendUrl, anonKey, fetchBackend, reportRealtime } = options;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const reads = createSharedWork<void>("for the site");
  let canRead = false;

  return new Hono()
    .get("/", (context) => context.json({ status: "ok" }))
    .get("/live", (context) => context.json({ status: "ok", site: siteId }))
    .get("/ready", async (context) => {
      if (performance.now() - checkedAt > maxAgeMs) await reads.share("ready", readOneRow);
      return canRead
        ? context.json({ status: "ok", ...reportRealtime() })
        : context.json({ status: "unavailable", ...reportRealtime() }, 503);
    });

  async function readOneRow(): Promise<void> {
    try {
      const url = `${backendUrl}/rest/v1/posts?select=id&limit=1`;
      canRead = (await fetchBackend(url, { headers: { apikey: anonKey } })).ok;
    } catch {
      canRead = false;
    }
    checkedAt = performance.now();
  }
}
