// Which pages may send messages, and the headers that let their browsers read the answer.
// Covers: a list of origins. Does not cover: programs, which send no Origin; the rate limits hold them.

/** Whether a request may be answered: without a list every origin, else those on it. */
export function isAllowedOrigin(headers: Headers, allowed: ReadonlySet<string>): boolean {
  const origin = headers.get("origin");
  return origin === null || allowed.size === 0 || allowed.has(origin);
}

/** For every answer, errors too: without them a browser hides the function's own message. */
export function corsHeaders(
  headers: Headers,
  allowed: ReadonlySet<string>,
): Record<string, string> {
  const origin = headers.get("origin");
  if (allowed.size > 0 && (origin === null || !allowed.has(origin))) return { Vary: "Origin" };
  return {
    "Access-Control-Allow-Origin": allowed.size > 0 && origin ? origin : "*",
    "Access-Control-Allow-Headers":
      "authorization, x-client-info, apikey, content-type, idempotency-key, x-turnstile-token",
    "Access-Control-Allow-Methods": "POST, OPTIONS",
    ...(allowed.size > 0 && { Vary: "Origin" }),
  };
}

/**
 * @param addresses ALLOWED_ORIGINS: addresses of the site, separated by commas; only their origins count.
 * @throws when one is no web address: a list that is silently shorter would turn messages away.
 */
export function readAllowedOrigins(addresses: string | undefined): ReadonlySet<string> {
  const list = (addresses ?? "").split(",").map((address) => address.trim());
  return new Set(list.filter((address) => address !== "").map(originOf));
}

function originOf(address: string): string {
  const url = URL.parse(address);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new Error(
      "ALLOWED_ORIGINS must be addresses that begin with https://, separated by commas",
    );
  }
  return url.origin;
}
