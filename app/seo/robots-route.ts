import { pageSettingsContext, siteContext } from "../config/request-context.ts";
import type { Route } from "./+types/robots-route";
import { feedCacheControl } from "./xml.ts";

/**
 * Allows everything: private pages, and all pages of a site that is not visible to search engines, have `noindex`,
 * which crawlers only see when they may load the page.
 */
export function loader({ context }: Route.LoaderArgs): Response {
  const { siteUrl } = context.get(pageSettingsContext);
  const { site } = context.get(siteContext);
  const sitemap = site.visible ? `\nSitemap: ${siteUrl}/sitemap.xml\n` : "";
  return new Response(`User-agent: *\nAllow: /\n${sitemap}`, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": feedCacheControl },
  });
}
