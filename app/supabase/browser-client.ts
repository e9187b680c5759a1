import type { Client } from "./client-context.ts";
import { projectUrl, readPublicSettings } from "./public-settings.ts";

/** Where this browser keeps the session of the signed-in owner. */
export const sessionStorageKey = "owner-session";

let client: Promise<Client> | undefined;

/** The one client of this browser tab. The library is loaded when it is first asked for. */
export function getBrowserClient(): Promise<Client> {
  client ??= create();
  return client;
}

/** Whether someone may be signed in here: a session is stored, or a sign-in link brings one. */
export function mayHaveSession(): boolean {
  return (
    localStorage.getItem(sessionStorageKey) !== null ||
    new URLSearchParams(window.location.hash.slice(1)).has("access_token")
  );
}

async function create(): Promise<Client> {
  const { createClient } = await import("@supabase/supabase-js");
  return createClient(projectUrl(), readPublicSettings().anonKey, {
    global: { fetch: fetchAsVisitorAfterSession },
    auth: {
      flowType: "implicit",
      autoRefreshToken: true,
      persistSession: true,
      detectSessionInUrl: true,
      storageKey: sessionStorageKey,
    },
  });
}

/**
 * A session that was ended on another device is refused from then on. Checking it makes the library
 * drop it; what was to be read is then read as a visitor.
 */
async function fetchAsVisitorAfterSession(
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> {
  const response = await fetch(input, init);
  if (response.status !== 401 || !/\/(rest|storage)\/v1\//.test(String(input))) return response;
  const { auth } = await getBrowserClient();
  await auth.getUser();
  const { data } = await auth.getSession();
  if (data.session || init?.method !== "GET") return response;
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${readPublicSettings().anonKey}`);
  return fetch(input, { ...init, headers });
}
