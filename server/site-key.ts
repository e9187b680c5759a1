// Calls functions of a hosted project that only the site may call. The site has the public key alone there, which every visitor
// has as well, so these functions also ask for the site key. The owner creates it on /manage/visits.

const timeout = 30_000;

export type CallProject = (name: string, values: Record<string, unknown>) => Promise<unknown>;

/** The values are sent as JSON; the key is added. The promise rejects when the call fails. */
export function createCallProject(
  { url, anonKey }: { url: string; anonKey: string },
  siteKey: string,
): CallProject {
  return async (name, values) => {
    const response = await fetch(`${url}/rest/v1/rpc/${name}`, {
      method: "POST",
      headers: { apikey: anonKey, "content-type": "application/json" },
      body: JSON.stringify({ site_key: siteKey, ...values }),
      signal: AbortSignal.timeout(timeout),
    });
    if (response.status === 401 || response.status === 403) {
      await response.body?.cancel();
      throw new Error("SITE_KEY is wrong. The owner can create another one on /manage/visits.");
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`the project responded with ${response.status}`);
    return text === "" ? null : JSON.parse(text);
  };
}
