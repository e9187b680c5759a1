import type { Route } from "./+types/site-version-route";
import { siteContext } from "./request-context.ts";

/** `/site-version`: a number that grows with each publication of settings. */
export function loader({ context }: Route.LoaderArgs): Response {
  return new Response(String(context.get(siteContext).version), {
    // Asks for caching in this process, which ends with a publication, and nowhere else for long.
    headers: { "content-type": "text/plain", "cache-control": "public, max-age=0, s-maxage=1" },
  });
}
