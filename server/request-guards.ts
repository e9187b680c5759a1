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

/** Whether a path decodes to text without control characters. */
export function isReadable(path: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}
