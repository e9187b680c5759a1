// The origins whose pages may send messages, and the CORS headers of every response. Programs send no
// Origin; the rate limits hold for them.

/** The allowed origins. Without a list every origin is allowed. */
export function isAllowedOrigin(headers: Headers, allowed: ReadonlySet<string>): boolean {
  const origin = headers.get("origin");
  return origin === null || allowed.size === 0 || allowed.has(origin);
}

/** The headers are also needed on error responses: without them a browser hides the function's own message. */
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

/** A function that answers preflight requests, with these headers on every response. @param handle never rejects */
export function withCors(
  allowed: ReadonlySet<string>,
  handle: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const response = request.method === "OPTIONS" ? new Response("ok") : await handle(request);
    for (const [name, value] of Object.entries(corsHeaders(request.headers, allowed))) {
      response.headers.set(name, value);
    }
    return response;
  };
}

/**
 * @param addresses ALLOWED_ORIGINS: addresses of the site, separated by commas; only their origins count
 * @throws when one is not a web address: skipping it would silently reject messages
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
