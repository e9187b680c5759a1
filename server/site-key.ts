// Calls functions of a hosted project that only the site may call. The site has the public key alone there, which every visitor
// has as well, so these functions also ask for the site key. The owner creates it on /manage/visits.

const timeout = 30_000;

/** The same calls as those of the embedded backend. Their promises reject when a call fails. */
export function createProjectCalls(
  { url, anonKey }: { url: string; anonKey: string },
  siteKey: string,
) {
  return {
    captureSite: (step: string, value: object) =>
      call("capture_site", { step, value: JSON.stringify(value) }),
    storeVisits: (day: string, visits: object) =>
      call("add_visits", { day, visits: JSON.stringify(visits) }),
    /** @param authorization of the owner, whom the database asks for as well */
    confirmAddress: (address: string, authorization: string) =>
      call("confirm_site_address", { address }, { authorization }),
  };

  async function call(
    name: string,
    values: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<unknown> {
    const response = await fetch(`${url}/rest/v1/rpc/${name}`, {
      method: "POST",
      headers: { apikey: anonKey, "content-type": "application/json", ...headers },
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
  }
}
