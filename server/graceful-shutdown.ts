// Ends an HTTP server without cutting a request that it has accepted.
import type { RequestListener, Server, ServerResponse } from "node:http";

export interface OpenRequests {
  /** Counts what `listener` answers. */
  count(listener: RequestListener): RequestListener;
  /**
   * Takes no more connections and waits for the open requests, then closes every connection.
   * @param milliseconds the longest wait. An aborted `impatience` ends it at once.
   * @returns how many requests were cut because they took longer.
   */
  drain(server: Server, milliseconds: number, impatience?: AbortSignal): Promise<number>;
}

/** Milliseconds: for what connections that were already accepted still bring, and for their end. */
const farewell = 500;

export function trackRequests(): OpenRequests {
  /** Each with what resolves at its end. */
  const open = new Map<ServerResponse, Promise<void>>();
  let draining: Server | null = null;

  return { count, drain };

  function count(listener: RequestListener): RequestListener {
    return (request, response) => {
      const ended = new Promise<void>((resolve) => {
        response.once("close", () => {
          open.delete(response);
          // A connection that waits for another request would keep the server from closing.
          draining?.closeIdleConnections();
          resolve();
        });
      });
      open.set(response, ended);
      if (draining) makeLast(response);
      listener(request, response);
    };
  }

  async function drain(
    server: Server,
    milliseconds: number,
    impatience?: AbortSignal,
  ): Promise<number> {
    const over = new Promise<"over">((resolve) => {
      setTimeout(resolve, milliseconds, "over").unref();
      impatience?.addEventListener("abort", () => resolve("over"));
    });
    // One turn for connections that the system has accepted and the server has not seen yet.
    await new Promise((resolve) => setImmediate(resolve));
    draining = server;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const response of open.keys()) makeLast(response);
    do {
      const answered = Promise.all(open.values());
      if ((await Promise.race([answered, over])) === "over") break;
      await Promise.race([closed, pause(farewell)]);
    } while (open.size > 0);
    const cut = open.size;
    server.closeAllConnections();
    await Promise.race([closed, pause(farewell)]);
    return cut;
  }
}

/** Its connection ends with it. */
function makeLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
