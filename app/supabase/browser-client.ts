import { loadModule } from "../loading/load-module.ts";
import type { Client } from "./client-context.ts";

/** Where this browser keeps the session of the signed-in owner. */
export const sessionStorageKey = "owner-session";

let client: Promise<Client> | undefined;

/**
 * The one client of this browser tab. The library is loaded when it is first asked for.
 * @throws an Error with a message for the visitor when it can't be loaded; the next call tries again.
 */
export function getBrowserClient(): Promise<Client> {
  client ??= create().catch((error) => {
    client = undefined;
    throw error;
  });
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
  const { createBrowserClient } = await loadModule(() => import("./create-browser-client.ts"));
  return createBrowserClient(sessionStorageKey);
}
