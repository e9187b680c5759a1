import { randomUUID } from "node:crypto";
import type { BackendCalls, BackendUse } from "../backend-fetch.ts";
import type { SecurityHeaders } from "../security-headers.ts";
import { sealInlineScripts } from "./csp-hashes.ts";

/** The website: React Router's handler with a nonce for the scripts of this one rendering. */
export type Site = (request: Request, nonce: string) => Promise<Response>;

export interface Rendering {
  response: Response;
  use: BackendUse;
}

export type PageRenderer = (request: Request) => Promise<Rendering>;

/** Seconds after which a visitor, or a search engine, may try again. */
const retryAfter = "30";
/** Milliseconds for what was posted: it is to be stored and sent, not only read. */
const sendingPatience = 20_000;

/**
 * Renders pages that may be sent as they are: with a content security policy that knows their own
 * scripts, and with 503 instead of 500 where it was the backend that failed.
 */
export function createPageRenderer(options: {
  site: Site;
  calls: BackendCalls;
  security: SecurityHeaders;
}): PageRenderer {
  const { site, calls, security } = options;

  return async function renderPage(request) {
    const nonce = randomUUID();
    const { result: response, use } = await calls.observe(
      () => site(request, nonce),
      request.method === "POST" ? sendingPatience : undefined,
    );
    const unavailable = use.failed && response.status >= 500;
    const headers = new Headers(response.headers);
    if (unavailable) headers.set("retry-after", retryAfter);
    const init = {
      status: unavailable ? 503 : response.status,
      statusText: unavailable ? "Service Unavailable" : response.statusText,
      headers,
    };
    if (!headers.get("content-type")?.startsWith("text/html")) {
      setAbsent(headers, security.file(headers.get("content-type")));
      return { response: new Response(response.body, init), use };
    }
    const { html, hashes } = sealInlineScripts(await response.text(), nonce);
    setAbsent(headers, security.page(hashes));
    return { response: new Response(request.method === "HEAD" ? null : html, init), use };
  };
}

function setAbsent(headers: Headers, pairs: Iterable<readonly [string, string]>): void {
  for (const [name, value] of pairs) if (!headers.has(name)) headers.set(name, value);
}
