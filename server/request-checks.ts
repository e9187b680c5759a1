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

/** Refuses what another site's page makes its visitor send to a page. */
export const guardPagePosts: MiddlewareHandler = async (context, next) => {
  const { raw } = context.req;
  if (isCrossSiteWrite(raw)) return context.text("Please use the form on the site itself.", 403);
  if (raw.headers.has("origin")) context.req.raw = withoutOrigin(raw);
  await next();
};

/** Refuses what another site's page makes its visitor send to the embedded backend. */
export const guardBackendWrites: MiddlewareHandler = async (context, next) => {
  if (isCrossSiteWrite(context.req.raw)) {
    const message = "Please use the site itself.";
    // Each of supabase-js' clients reads another field.
    return context.json({ code: "cross_site", error: message, message, msg: message }, 403);
  }
  await next();
};

/** React Router compares the Origin with an address that knows nothing of the TLS in front of us. */
function withoutOrigin(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("origin");
  return new Request(request, { headers });
}

/**
 * Otherwise a page elsewhere could write to the adviser in its visitors' names, each within the limits. No session
 * depends on this, so a program that sends neither header may pass; its requests are counted.
 */
function isCrossSiteWrite({ method, url, headers }: Request): boolean {
  return method !== "GET" && method !== "HEAD" && !isFromHere(headers, new URL(url).host);
}

/** Browsers send Sec-Fetch-Site over HTTPS only; over HTTP the host of the Origin decides, whatever its scheme. */
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
