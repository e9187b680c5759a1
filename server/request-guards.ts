// Turns away what no page, file or service here could answer, with a 4xx instead of an exception.
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";

/** Characters of path and query. */
const longestAddress = 8 * 1024;
/** Bytes that may be sent to a page. The backend has bounds of its own. */
const largestPageBody = 64 * 1024;

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Refuses unknown methods, endless addresses, and paths that can't be read as text. */
export const guardRequests: MiddlewareHandler = async (context, next) => {
  const { method, url } = context.req;
  const address = URL.parse(url);
  // The Host header is anyone's to set, and no address comes of some.
  if (!address) return context.text("The request could not be understood.", 400);
  if (!methods.has(method)) {
    return context.text("This method is not offered.", 405, { allow: [...methods].join(", ") });
  }
  if (url.length > longestAddress) return context.text("The address is too long.", 414);
  if (!isReadable(address.pathname)) return context.text("There is no such address.", 404);
  await next();
};

/** Bounds what is sent to a page. */
export const guardPageBodies = bodyLimit({
  maxSize: largestPageBody,
  onError: (context) => context.text("That is more than a page can take.", 413),
});

/**
 * Refuses what another site's page lets its visitor send: no form there can write to the adviser in
 * someone's name. No session hangs on it, so a program that sends no Origin may pass; it is counted.
 */
export const guardPagePosts: MiddlewareHandler = async (context, next) => {
  const { method, url, raw } = context.req;
  if (method !== "GET" && method !== "HEAD" && !isFromHere(raw.headers, new URL(url).host)) {
    return context.text("Please use the form on the site itself.", 403);
  }
  if (raw.headers.has("origin")) context.req.raw = withoutOrigin(raw);
  await next();
};

/** React Router compares the Origin with an address that knows nothing of the TLS in front of us. */
function withoutOrigin(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("origin");
  return new Request(request, { headers });
}

/** A browser says where a request comes from; by plain HTTP only the Origin does, whatever its scheme. */
function isFromHere(headers: Headers, host: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("origin");
  return origin === null || URL.parse(origin)?.host === host;
}

/** Whether a path decodes to text without control characters. */
export function isReadable(path: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}
