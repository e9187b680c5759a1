// Stores visit counts in a hosted project. The site has only the public key there, so the project also asks for the
// visits key, which the owner creates on /manage/visits.
import type { VisitBatch } from "./visit-counter.ts";

/** @returns null without a visits key */
export function storeInProject(
  { url, anonKey }: { url: string; anonKey: string },
  visitsKey: string | undefined,
) {
  if (!visitsKey) return null;
  return async ({ id, visits }: VisitBatch, signal: AbortSignal): Promise<void> => {
    const response = await fetch(`${url}/rest/v1/rpc/add_visits`, {
      method: "POST",
      headers: { apikey: anonKey, "content-type": "application/json" },
      body: JSON.stringify({ visits_key: visitsKey, batch: id, visits: JSON.stringify(visits) }),
      signal,
    });
    await response.body?.cancel();
    if (response.status === 401 || response.status === 403) {
      throw new Error("VISITS_KEY is wrong. The owner can create another one on /manage/visits.");
    }
    if (!response.ok) throw new Error(`the project responded with ${response.status}`);
  };
}
