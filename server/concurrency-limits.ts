import type { PageRenderer, Rendering } from "./pages/page-renderer.ts";

/** Waits for a slot. @returns what frees it, or null when there are too many requests. */
export type Acquire = (signal?: AbortSignal) => Promise<(() => void) | null>;

const retryAfter = "2";

/**
 * Bounds how many pages are rendered at the same time; what gets no slot in time is answered with 503.
 * @param options.reads slots for pages that are only read
 * @param options.posts slots for submitted forms: one may take as long as the mail that it sends
 * @param options.withoutVisitor runs a rendering that only reads. It is the site's own, since its page may be
 * cached for everyone: a limit on one visitor's reads must not make it fail.
 */
export function limitRendering(options: {
  renderPage: PageRenderer;
  reads: Acquire;
  posts: Acquire;
  withoutVisitor: <Result>(work: () => Result) => Result;
}): PageRenderer {
  const { renderPage, reads, posts, withoutVisitor } = options;

  return async function renderWithinLimit(request) {
    if (request.method === "GET" || request.method === "HEAD") {
      return inSlot(reads, request, () => withoutVisitor(() => renderPage(request)));
    }
    // First the body, so that a slow sender occupies no slot.
    const body = await request.arrayBuffer();
    const whole = new Request(request, { body: body.byteLength > 0 ? body : null });
    return inSlot(posts, request, () => renderPage(whole));
  };
}

async function inSlot(
  acquire: Acquire,
  { signal }: Request,
  render: () => Promise<Rendering>,
): Promise<Rendering> {
  const release = await acquire(signal);
  if (!release) return busy();
  try {
    return await render();
  } finally {
    release();
  }
}

function busy(): Rendering {
  const response = new Response("The site is busy. Please try again in a moment.", {
    status: 503,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      "retry-after": retryAfter,
    },
  });
  return { response, use: { tables: new Set(), failed: false } };
}
