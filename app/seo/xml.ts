const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// A post may hold them, an XML document may not: it would not be well-formed.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the point.
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** Text for an element or an attribute, in XML and in HTML. What XML forbids is left out. */
export function escapeXml(text: string): string {
  return text.replace(forbidden, "").replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/**
 * An XML document as an answer. A cache in front of the site may keep it for a minute, and longer while
 * it asks for a newer one.
 */
export function xmlResponse(body: string, type: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`, {
    headers: { "content-type": `${type}; charset=utf-8`, "cache-control": feedCacheControl },
  });
}

/** For what machines read: browsers ask each time, shared caches may help out. */
export const feedCacheControl =
  "public, max-age=0, s-maxage=60, stale-while-revalidate=86400, stale-if-error=86400";
