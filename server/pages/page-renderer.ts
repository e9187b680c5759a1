import { randomUUID } from "node:crypto";
import type { BackendFetch, BackendUse } from "../backend-fetch.ts";
import { type SecurityHeaders, setMissingHeaders } from "../security-headers.ts";
import { hashInlineScripts } from "./csp-hashes.ts";

/** The website: React Router's request handler. The nonce marks the inline scripts of one rendering. */
export type RenderSite = (request: Request, nonce: string) => Promise<Response>;

export interface Rendering {
  response: Response;
  use: BackendUse;
}

export type PageRenderer = (request: Request) => Promise<Rendering>;

/** How many seconds browsers and search engines wait before they retry. */
const retryAfter = "30";
/** The timeout in milliseconds of a submitted form, whose message is stored and sent. */
const submitTimeout = 20_000;

/**
 * Renders pages with all their headers: a Content-Security-Policy with the hashes of the page's own scripts,
 * and status 503 instead of 500 when the backend failed.
 */
export function createPageRenderer(options: {
  site: RenderSite;
  backend: BackendFetch;
  security: SecurityHeaders;
}): PageRenderer {
  const { site, backend, security } = options;

  return async function renderPage(request) {
    const nonce = randomUUID();
    const isForm = request.method === "POST";
    const { result: response, use } = await backend.observe(
      () => site(request, nonce),
      isForm ? { timeout: submitTimeout } : { onlyReads: true },
    );
    const isUnavailable = use.failed && response.status >= 500;
    const headers = new Headers(response.headers);
    if (isUnavailable) headers.set("retry-after", retryAfter);
    const init = {
      status: isUnavailable ? 503 : response.status,
      statusText: isUnavailable ? "Service Unavailable" : response.statusText,
      headers,
    };
    const contentType = headers.get("content-type");
    if (!contentType?.startsWith("text/html")) {
      setMissingHeaders(headers, security.file(contentType));
      return { response: new Response(response.body, init), use };
    }
    const { html, hashes } = hashInlineScripts(await response.text(), nonce);
    setMissingHeaders(headers, security.page(hashes));
    return { response: new Response(request.method === "HEAD" ? null : html, init), use };
  };
}
