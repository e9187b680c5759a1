// Who may keep an answer, and for how long.

/**
 * For browsers `must-revalidate`: they come back each time and mostly hear 304. A cache in front may
 * keep a page for a minute and hand it out for ten more while it asks for the next one.
 */
export const pageCacheControl =
  "public, max-age=0, must-revalidate, s-maxage=60, stale-while-revalidate=600, stale-if-error=86400";
/** A page that is out of date must not stay in a cache in front for long. */
export const staleCacheControl = "public, max-age=0, must-revalidate, s-maxage=5";
/** What is not kept here shall not be kept by others either. */
const unkeptCacheControl = "private, no-cache";

/** Whether an answer is a page that shows every visitor the same, or a route asks to keep it. */
export function mayBeKept({ status, headers }: Response): boolean {
  if (status !== 200 || headers.has("set-cookie")) return false;
  if (!/^(accept-encoding)?$/i.test(headers.get("vary") ?? "")) return false;
  return headers.has("cache-control")
    ? asksToBeKept(headers)
    : (headers.get("content-type") ?? "").startsWith("text/html");
}

function asksToBeKept(headers: Headers): boolean {
  const cacheControl = headers.get("cache-control") ?? "";
  return (
    /\bs-maxage=[1-9]/.test(cacheControl) && !/\b(private|no-store|no-cache)\b/.test(cacheControl)
  );
}

/** A route's own word on browsers stands; what was to be kept here, and was not, nobody shall keep. */
export function forbidKeeping(headers: Headers): void {
  if (asksToBeKept(headers) || !headers.has("cache-control")) {
    headers.set("cache-control", unkeptCacheControl);
  }
}
