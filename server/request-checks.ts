// Middleware that rejects invalid and cross-site requests with a 4xx response.
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";

/** The maximum length of an address in characters. */
const maxUrlLength = 8 * 1024;
/** The maximum size of a body in bytes. The backend has limits of its own. */
const maxPageBody = 64 * 1024;

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Rejects unknown methods, long addresses and paths that cannot be decoded to text. */
export const rejectInvalidRequests: MiddlewareHandler = async (context, next) => {
  const { method, url } = context.req;
  // Parsing fails for some values of the Host header, which the client controls.
  const address = URL.parse(url);
  if (!address) return context.text("The request could not be understood.", 400);
  if (!methods.has(method)) {
    return context.text("This method is not offered.", 405, { allow: [...methods].join(", ") });
  }
  if (url.length > maxUrlLength) return context.text("The address is too long.", 414);
  if (!isReadable(address.pathname)) return context.text("There is no such address.", 404);
  await next();
};

export const limitPageBodies = bodyLimit({
  maxSize: maxPageBody,
  onError: (context) => context.text("That is more than a page can take.", 413),
});

/** Rejects forms that another site submits to a page. */
export const rejectCrossSitePosts: MiddlewareHandler = async (context, next) => {
  const { raw } = context.req;
  if (isCrossSiteWrite(raw)) return context.text("Please use the form on the site itself.", 403);
  if (raw.headers.has("origin")) context.req.raw = withoutOrigin(raw);
  await next();
};

/** Rejects requests from pages of other sites to the embedded backend. */
export const rejectCrossSiteWrites: MiddlewareHandler = async (context, next) => {
  if (isCrossSiteWrite(context.req.raw)) {
    const message = "Please use the site itself.";
    // Each client of supabase-js reads another field.
    return context.json({ code: "cross_site", error: message, message, msg: message }, 403);
  }
  await next();
};

/** React Router compares Origin with the request's URL, which is http:// behind a proxy that terminates TLS. */
function withoutOrigin(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("origin");
  return new Request(request, { headers });
}

/**
 * Prevents another site from using its visitors' browsers to send messages, each within its visitor's rate limit.
 * No session depends on this check: a program that sends neither header passes and is rate limited.
 */
function isCrossSiteWrite({ method, url, headers }: Request): boolean {
  if (method === "GET" || method === "HEAD") return false;
  // Browsers send Sec-Fetch-Site over HTTPS only. Over HTTP the host of the Origin decides.
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin";
  const origin = headers.get("origin");
  return origin !== null && URL.parse(origin)?.host !== new URL(url).host;
}

/** Whether a path decodes to text without control characters. */
function isReadable(path: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}
