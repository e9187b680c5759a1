import { escapeMarkup } from "../../supabase/functions/_shared/escape-markup.ts";

// Characters that posts may contain but XML documents may not.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters.
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** Escapes text for XML and HTML elements and attributes; removes characters that XML forbids. */
export function escapeXml(text: string): string {
  return escapeMarkup(text.replace(forbidden, ""));
}

export function xmlResponse(body: string, type: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`, {
    headers: { "content-type": `${type}; charset=utf-8`, "cache-control": feedCacheControl },
  });
}

/** Browsers revalidate each time; a shared cache may serve a response for a minute, and stale ones after a failure. */
export const feedCacheControl =
  "public, max-age=0, s-maxage=60, stale-while-revalidate=86400, stale-if-error=86400";
