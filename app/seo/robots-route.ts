import { settingsContext } from "../config/request-context.ts";
import type { Route } from "./+types/robots-route";
import { feedCacheControl } from "./xml.ts";

/** Allows everything: private pages have `noindex`, which crawlers only see when they may load the page. */
export function loader({ context }: Route.LoaderArgs): Response {
  const { siteUrl } = context.get(settingsContext);
  return new Response(`User-agent: *\nAllow: /\n\nSitemap: ${siteUrl}/sitemap.xml\n`, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": feedCacheControl },
  });
}
