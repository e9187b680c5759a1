// Health checks for a supervisor or a load balancer: /live says that the process runs, /ready that the site
// can read from the backend.
import { Hono } from "hono";
import type { RealtimeReport } from "./realtime/realtime-changes.ts";
import { onBehalfOfSite } from "./visitor-address.ts";

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
  let canRead = Promise.resolve(false);

  return new Hono()
    .get("/", (context) => context.json({ status: "ok" }))
    .get("/live", (context) => context.json({ status: "ok", site: siteId }))
    .get("/ready", async (context) => {
      if (performance.now() - checkedAt > maxAgeMs) {
        checkedAt = performance.now();
        // All checks share it, so it counts against no visitor.
        canRead = onBehalfOfSite(readOneRow);
      }
      return (await canRead)
        ? context.json({ status: "ok", ...reportRealtime() })
        : context.json({ status: "unavailable", ...reportRealtime() }, 503);
    });

  async function readOneRow(): Promise<boolean> {
    try {
      const url = `${backendUrl}/rest/v1/posts?select=id&limit=1`;
      const { ok } = await fetchBackend(url, { headers: { apikey: anonKey } });
      return ok;
    } catch {
      return false;
    }
  }
}
