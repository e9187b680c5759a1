// Health checks for a supervisor or a load balancer: /live says that the process runs, /ready that the site
// can read from the backend.
import { Hono } from "hono";

/** Requests within this time share one read of the backend. */
const maxAgeMs = 1000;

export function createHealth(options: {
  backendUrl: string;
  anonKey: string;
  fetchBackend: typeof fetch;
  isRealtimeConnected: () => boolean;
  /** Shown by /live, so that a check can tell whether an address leads to this site. */
  siteId: string;
}): Hono {
  const { siteId, backendUrl, anonKey, fetchBackend, isRealtimeConnected } = options;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let canRead = Promise.resolve(false);

  return new Hono()
    .get("/", (context) => context.json({ status: "ok" }))
    .get("/live", (context) => context.json({ status: "ok", site: siteId }))
    .get("/ready", async (context) => {
      const realtime = isRealtimeConnected() ? "connected" : "disconnected";
      if (performance.now() - checkedAt > maxAgeMs) {
        checkedAt = performance.now();
        canRead = readOneRow();
      }
      return (await canRead)
        ? context.json({ status: "ok", realtime })
        : context.json({ status: "unavailable", realtime }, 503);
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
