import type { Route } from "./+types/site-version-route";
import { siteContext } from "./request-context.ts";

/** The route `/site-version`: responds with a number that grows with each publication of settings. */
export function loader({ context }: Route.LoaderArgs): Response {
  return new Response(String(context.get(siteContext).version), {
    // The page cache of this process evicts it at each publication; other caches may use it for a second.
    headers: { "content-type": "text/plain", "cache-control": "public, max-age=0, s-maxage=1" },
  });
}
