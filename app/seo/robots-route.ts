import { settingsContext } from "../config/request-context.ts";
import type { Route } from "./+types/robots-route";
import { feedCacheControl } from "./xml.ts";

/** Everything may be read. What must not be found says so itself with `noindex`, which has to be read. */
export function loader({ context }: Route.LoaderArgs): Response {
  const { siteUrl } = context.get(settingsContext);
  return new Response(`User-agent: *\nAllow: /\n\nSitemap: ${siteUrl}/sitemap.xml\n`, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": feedCacheControl },
  });
}
