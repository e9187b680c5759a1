// The caching rules of pages: which responses the page cache keeps, and what other caches may do.

/**
 * Browsers revalidate on every visit and mostly get a 304. A shared cache in front may serve a page for one
 * minute, and a stale one for ten more minutes while it revalidates.
 */
export const pageCacheControl =
  "public, max-age=0, must-revalidate, s-maxage=60, stale-while-revalidate=600, stale-if-error=86400";
/** For stale pages, which must not stay in a shared cache for long. */
export const staleCacheControl = "public, max-age=0, must-revalidate, s-maxage=5";

/** Whether a response is the same HTML page for every visitor, or its route asks for caching with `s-maxage`. */
export function isCacheable({ status, headers }: Response): boolean {
  if (status !== 200 || headers.has("set-cookie")) return false;
  if (!/^(accept-encoding)?$/i.test(headers.get("vary") ?? "")) return false;
  return headers.has("cache-control")
    ? asksForCaching(headers)
    : (headers.get("content-type") ?? "").startsWith("text/html");
}

/** If a route asked to be cached and could not be, forbid all caching. A route's other Cache-Control stays. */
export function forbidCaching(headers: Headers): void {
  if (asksForCaching(headers) || !headers.has("cache-control")) {
    headers.set("cache-control", "private, no-cache");
  }
}

function asksForCaching(headers: Headers): boolean {
  const cacheControl = headers.get("cache-control") ?? "";
  return (
    /\bs-maxage=[1-9]/.test(cacheControl) && !/\b(private|no-store|no-cache)\b/.test(cacheControl)
  );
}
