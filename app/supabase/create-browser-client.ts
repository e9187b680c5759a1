// Loaded with the library, which a first visit does not need.
import { createClient } from "@supabase/supabase-js";
import type { Client } from "./client-context.ts";
import { projectUrl, readPublicSettings } from "./public-settings.ts";

/** Milliseconds until a request that is not answered counts as failed. */
const timeout = 30_000;

export function createBrowserClient(storageKey: string): Client {
  const { anonKey } = readPublicSettings();
  const client: Client = createClient(projectUrl(), anonKey, {
    global: { fetch: fetchAsVisitorAfterSession },
    auth: {
      flowType: "implicit",
      autoRefreshToken: true,
      persistSession: true,
      detectSessionInUrl: true,
      storageKey,
    },
  });
  return client;

  /**
   * A session that was ended on another device is refused from then on. Checking it makes the library
   * drop it; what was to be read is then read as a visitor.
   */
  async function fetchAsVisitorAfterSession(
    input: RequestInfo | URL,
    init?: RequestInit,
  ): Promise<Response> {
    const response = await fetchInTime(input, init);
    const isData = /\/(rest|storage)\/v1\//.test(String(input));
    if (response.status !== 401 || !isData) return response;
    await client.auth.getUser();
    const { data } = await client.auth.getSession();
    if (data.session || init?.method !== "GET") return response;
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${anonKey}`);
    return fetchInTime(input, { ...init, headers });
  }
}

/** No wait lasts for ever. */
function fetchInTime(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const signal = init?.signal ?? AbortSignal.timeout(timeout);
  return fetch(input, { ...init, signal });
}
