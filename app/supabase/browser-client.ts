import { browserStorage } from "../browser/site-data.ts";
import type { PageSettings } from "../config/request-context.ts";
import { loadModule } from "../loading/load-module.ts";
import type { Client, VisitorClient } from "./client-context.ts";

/** Key of the session in `browserStorage`. */
export const sessionStorageKey = "owner-session";

let client: Promise<Client> | undefined;
let visitorClient: Promise<VisitorClient> | undefined;

/**
 * The client for accounts. The first call loads supabase-js, and ends the channels of the client for visitors: those who listen
 * then join with this one.
 * @throws an Error with a message for the visitor if loading fails; the next call tries again
 */
export function getBrowserClient(): Promise<Client> {
  client ??= create().catch((error) => {
    client = undefined;
    throw error;
  });
  return client;
}

/** The client for reading and for forms: with the session, if there may be one. @throws as above */
export function getVisitorClient(): Promise<VisitorClient> {
  if (client || mayHaveSession()) return getBrowserClient();
  visitorClient ??= createForVisitor().catch((error) => {
    visitorClient = undefined;
    throw error;
  });
  return visitorClient;
}

/** Whether a session is stored, or in the URL after a sign-in link. */
export function mayHaveSession(): boolean {
  return (
    browserStorage.getItem(sessionStorageKey) !== null ||
    new URLSearchParams(window.location.hash.slice(1)).has("access_token")
  );
}

async function create(): Promise<Client> {
  const { createBrowserClient } = await loadModule(() => import("./create-browser-client.ts"));
  visitorClient?.then(({ realtime }) => realtime.removeAllChannels()).catch(() => {});
  return createBrowserClient(projectUrl(), readPublicSettings().anonKey, sessionStorageKey);
}

/** A client to sign in again with, as a proof. @throws as above */
export async function getSeparateClient(): Promise<Client> {
  const { createSeparateClient } = await loadModule(() => import("./create-browser-client.ts"));
  return createSeparateClient(projectUrl(), readPublicSettings().anonKey);
}

async function createForVisitor(): Promise<VisitorClient> {
  const { createVisitorClient } = await loadModule(() => import("./create-visitor-client.ts"));
  return createVisitorClient(projectUrl(), readPublicSettings().anonKey);
}

/** Reads the settings from the meta tags that root.tsx renders. */
export function readPublicSettings(): Omit<PageSettings, "siteUrl" | "sendsMail"> & {
  hasSampleTestimonials: boolean;
  timeZone: string;
} {
  const content = (name: string) =>
    document.head.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
  return {
    supabaseUrl: content("supabase-url") || null,
    anonKey: content("supabase-anon-key") ?? "",
    turnstileSiteKey: content("turnstile-site-key") || null,
    hasSampleTestimonials: content("sample-testimonials") === "on",
    timeZone: content("time-zone") || "UTC",
  };
}

/** URL of the backend: the hosted project, or this site. */
export function projectUrl(): string {
  return readPublicSettings().supabaseUrl ?? window.location.origin;
}
