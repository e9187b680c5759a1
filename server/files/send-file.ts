// Serves the PDFs to which posts and pages link, as downloads: /files/{name}.pdf.

const address = /^\/files\/([a-z0-9-]+)\.pdf$/;
const timeout = 10_000;

/** @returns a function that responds to GET and HEAD; null when there is no such PDF */
export function createSendFile(projectUrl: string, fetchProject: typeof fetch) {
  return async ({ url, method }: Request): Promise<Response | null> => {
    const [, name] = address.exec(new URL(url).pathname) ?? [];
    if (!name) return null;
    const stored = await read(`${projectUrl}/storage/v1/object/public/files/files/${name}.pdf`);
    if (!stored) return unavailable();
    if (!stored.ok || !stored.body) {
      await stored.body?.cancel();
      // A hosted project responds 400 when the object does not exist.
      return stored.status < 500 && stored.status !== 429 ? null : unavailable();
    }
    const [start, body] = stored.body.tee();
    // A hosted project stores what the browser declares to be a PDF.
    const isPdf = await startsAsPdf(start);
    if (!isPdf || method === "HEAD") await body.cancel();
    if (!isPdf) return null;
    // Uploads have a random number, so that none replaces another.
    const fileName = `${name.replace(/-[0-9a-f]{16}$/, "")}.pdf`;
    return new Response(method === "HEAD" ? null : body, {
      headers: {
        "cache-control": "public, max-age=3600",
        "content-disposition": `attachment; filename="${fileName}"`,
        // Where a browser shows it all the same, nothing in it runs.
        "content-security-policy": "default-src 'none'; sandbox",
        "content-type": "application/pdf",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
      },
    });
  };

  /** @returns null when the backend cannot be reached */
  async function read(url: string): Promise<Response | null> {
    const late = new AbortController();
    // Only until the response begins: a slow visitor may take longer to read it.
    const timer = setTimeout(() => late.abort(), timeout);
    try {
      return await fetchProject(url, { redirect: "error", signal: late.signal });
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  }
}

async function startsAsPdf(stream: ReadableStream<Uint8Array>): Promise<boolean> {
  const reader = stream.getReader();
  let start = "";
  for (let end = false; start.length < 5 && !end; ) {
    const { value, done } = await reader.read();
    start += Buffer.from(value ?? []).toString("latin1");
    end = done;
  }
  // Ends when the other half of the stream does.
  void reader.cancel();
  return start.startsWith("%PDF-");
}

function unavailable(): Response {
  return new Response("This file cannot be loaded right now. Please try again in a moment.", {
    status: 503,
    headers: { "content-type": "text/plain; charset=utf-8", "retry-after": "5" },
  });
}
