// Limits how many requests and renderings run at the same time, and how often a visitor searches. start-site.ts provides
// the slots and counts the searches.
import type { RequestListener } from "node:http";
import {
  type Acquire,
  runInOwnTurn,
  runInTurn,
} from "embedded-supabase/rate-limits/shared-work.ts";
import type { PageRenderer, Rendering } from "../pages/page-renderer.ts";

/** Responds 429 to a visitor who has too many open requests. */
export function limitRequests(handle: RequestListener, acquire: Acquire): RequestListener {
  return async (request, response) => {
    const release = await acquire();
    if (!release) {
      response.writeHead(429, {
        "content-type": "text/plain; charset=utf-8",
        "retry-after": "2",
      });
      response.end("Too many requests at the same time from your address.\n");
      return;
    }
    // The client may have disconnected in the meantime.
    if (response.closed) release();
    else response.once("close", release);
    handle(request, response);
  };
}

/**
 * Responds 503 when no slot is free in time, and 429 to a visitor who searches too often.
 * @param options.reads slots for GET and HEAD
 * @param options.posts slots for submitted forms, which can take as long as sending an email
 * @param options.countSearch counts a search of the visitor and returns 0, or returns the seconds to wait
 */
export function limitRendering(options: {
  renderPage: PageRenderer;
  reads: Acquire;
  posts: Acquire;
  countSearch: () => number;
}): PageRenderer {
  const { renderPage, reads, posts, countSearch } = options;

  return async function renderWithinLimit(request) {
    if (request.method === "GET" || request.method === "HEAD") {
      // Pages with a search read `q`, under every spelling of their path.
      const wait = URL.parse(request.url)?.searchParams.get("q") ? countSearch() : 0;
      if (wait > 0)
        return unused(rejection(429, "Too many searches came from your connection.", wait));
      const rendering = await runInTurn(reads, () => renderPage(request), request.signal);
      return rendering ?? unused(busyResponse());
    }
    // Read the body first, so that a slow client occupies no slot.
    const body = await request.arrayBuffer();
    const { method, headers, signal } = request;
    // From its parts: without a new body, a request whose body was read cannot be copied.
    const init = { method, headers, signal, body: body.byteLength > 0 ? body : null };
    const received = new Request(request.url, init);
    // For the visitor, whose messages are counted.
    const rendering = await runInOwnTurn(posts, () => renderPage(received), signal);
    return rendering ?? unused(busyResponse());
  };
}

export function busyResponse(): Response {
  return rejection(503, "The site is busy.", 2);
}

function rejection(status: number, reason: string, seconds: number): Response {
  return new Response(`${reason} Please try again in a moment.`, {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      "retry-after": String(seconds),
    },
  });
}

function unused(response: Response): Rendering {
  return { response, use: { tables: new Set(), failed: false } };
}
