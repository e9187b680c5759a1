// The website as one function. Vite bundles this file (vite.config.ts), and start-site.ts loads the bundle.

import * as build from "virtual:react-router/server-build";
import { createClient } from "@supabase/supabase-js";
import { createRequestHandler, RouterContextProvider } from "react-router";
import {
  type CurrentSite,
  nonceContext,
  pageSettingsContext,
  siteContext,
} from "../app/config/request-context.ts";
import { isClosed } from "../app/config/use-site.ts";
import { clientContext } from "../app/supabase/client-context.ts";
import { toEmptyResult } from "../app/supabase/empty-result.ts";
import { withoutSession } from "../supabase/functions/_shared/without-session.ts";

export interface SiteOptions {
  backendUrl: string;
  /** The hosted project; null when the backend shares the site's origin. */
  supabaseUrl: string | null;
  anonKey: string;
  turnstileSiteKey: string | null;
  /** Whether mails leave the machine now. Never rejects. */
  sendsMail(): Promise<boolean>;
  /** The published settings, and the public address. */
  currentSite(): Promise<CurrentSite & { address: { url: string } }>;
  /** Used for all requests to the backend. */
  fetchBackend: typeof fetch;
}

/** @returns a request handler. The nonce marks the inline scripts of one rendering. */
export function createSite(
  options: SiteOptions,
): (request: Request, nonce: string) => Promise<Response> {
  const { backendUrl, currentSite, fetchBackend, sendsMail, ...settings } = options;
  const handle = createRequestHandler(build, import.meta.env.MODE);
  const client = createClient(backendUrl, settings.anonKey, {
    global: {
      fetch: async (input, init) => toEmptyResult(await fetchBackend(input, init), init),
    },
    // A visitor is waiting, so a page without its posts is better than a late one.
    db: { retry: false },
    auth: withoutSession,
  });

  return async (request, nonce) => {
    const context = new RouterContextProvider();
    context.set(clientContext, client);
    context.set(nonceContext, nonce);
    const site = await currentSite().catch(() => null);
    if (!site) return unavailable();
    context.set(pageSettingsContext, {
      ...settings,
      siteUrl: site.address.url,
      sendsMail: await sendsMail(),
    });
    // Decoded, as the router matches it. Nothing that cannot be decoded gets here (request-checks.ts).
    const pathname = decodeURIComponent(new URL(request.url).pathname);
    // React Router's data requests are answered: the browser redirects by itself (root.tsx).
    if (isClosed(site.site, pathname) && !pathname.endsWith(".data")) return toHomePage();
    context.set(siteContext, site);
    return handle(request, context);
  };
}

/** Temporary, because the page may be switched on again. */
function toHomePage(): Response {
  return new Response(null, { status: 302, headers: { location: "/" } });
}

/** Without the settings no page can be shown: not even the firm's name is known. */
function unavailable(): Response {
  return new Response("This site cannot be shown right now. Please try again in a moment.", {
    status: 503,
    headers: { "content-type": "text/plain; charset=utf-8", "retry-after": "5" },
  });
}
