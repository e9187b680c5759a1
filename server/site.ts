// The built website as one function. Vite bundles this file (vite.config.ts); main.ts loads the bundle.

import * as build from "virtual:react-router/server-build";
import { createClient } from "@supabase/supabase-js";
import { createRequestHandler, RouterContextProvider } from "react-router";
import { nonceContext, settingsContext } from "../app/config/request-context.ts";
import { clientContext } from "../app/supabase/client-context.ts";

export interface SiteOptions {
  siteUrl: string;
  /** Address of the hosted project; null when the backend shares the site's origin. */
  supabaseUrl: string | null;
  anonKey: string;
  turnstileSiteKey: string | null;
  /** How the server reaches the backend; the platform's fetch for a hosted project. */
  fetchBackend: typeof fetch;
}

/** @returns the site; the nonce marks the inline scripts of one rendering. */
export function createSite(
  options: SiteOptions,
): (request: Request, nonce: string) => Promise<Response> {
  const { siteUrl, supabaseUrl, anonKey, turnstileSiteKey, fetchBackend } = options;
  const handle = createRequestHandler(build, import.meta.env.MODE);
  const client = createClient(supabaseUrl ?? siteUrl, anonKey, {
    global: { fetch: fetchBackend },
    // A visitor waits for this: a page without its articles now is better than one that is late.
    db: { retry: false },
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });

  return (request, nonce) => {
    const context = new RouterContextProvider();
    context.set(clientContext, client);
    context.set(nonceContext, nonce);
    context.set(settingsContext, { siteUrl, supabaseUrl, anonKey, turnstileSiteKey });
    return handle(request, context);
  };
}
