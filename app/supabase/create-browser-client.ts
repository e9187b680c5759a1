// A file of its own, because it is loaded on demand with supabase-js.
import { createClient } from "@supabase/supabase-js";
import { browserStorage } from "../browser/site-data.ts";
import { followAccount, mayUseLink } from "./account-storage.ts";
import type { Client } from "./client-context.ts";
import { fetchWithTimeout } from "./fetch-with-timeout.ts";

// Exported from here, so that the browser loads one file.
export { signOutAndClear } from "./account-storage.ts";

/**
 * Turns the request of `signOut({ scope: "global" })` into one that ends only this session. supabase-js removes the session
 * after this request, and before that of `local`. With `others`, it ends the other sessions as well.
 */
function endOneSession(input: RequestInfo | URL): RequestInfo | URL {
  return typeof input === "string"
    ? input.replace("/auth/v1/logout?scope=global", "/auth/v1/logout?scope=local")
    : input;
}

/** @param storageKey where `browserStorage` keeps the session */
export function createBrowserClient(url: string, anonKey: string, storageKey: string): Client {
  const client: Client = createClient(url, anonKey, {
    global: { fetch: fetchAsVisitorAfterSession },
    auth: {
      flowType: "implicit",
      autoRefreshToken: true,
      persistSession: true,
      storage: browserStorage,
      detectSessionInUrl: (link, params) => mayUseLink(link, params, storageKey),
      storageKey,
    },
  });
  followAccount(client, storageKey);
  return client;

  /**
   * A session that was ended on another device gets 401 responses, or 403 from the policies of a hosted project.
   * `getUser` makes supabase-js remove such a session; reads are then repeated as a visitor.
   */
  async function fetchAsVisitorAfterSession(
    input: RequestInfo | URL,
    init?: RequestInit,
  ): Promise<Response> {
    const response = await fetchWithTimeout(endOneSession(input), init);
    const isData = /\/(rest|storage)\/v1\//.test(String(input));
    if (![401, 403].includes(response.status) || !isData) return response;
    const { error } = await client.auth.getUser();
    // The account was removed. supabase-js would keep the session.
    if (error?.code === "user_not_found") await client.auth.signOut({ scope: "local" });
    const { data } = await client.auth.getSession();
    if (data.session || init?.method !== "GET") return response;
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${anonKey}`);
    return fetchWithTimeout(input, { ...init, headers });
  }
}

/** A client with a session of its own, which ends with the page and leaves that of the browser alone. */
export function createSeparateClient(url: string, anonKey: string): Client {
  return createClient(url, anonKey, {
    global: { fetch: fetchWithTimeout },
    auth: {
      ...{ flowType: "implicit", persistSession: false, autoRefreshToken: false },
      // supabase-js warns of two clients with one key.
      ...{ detectSessionInUrl: false, storageKey: `separate-session-${performance.now()}` },
    },
  });
}
