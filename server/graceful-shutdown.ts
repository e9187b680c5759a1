// Stops an HTTP server without cutting off requests that it has accepted.
// 2026-11-22: `http-terminator` is not used because it depends on a logger, does not count the requests that it cuts,
// and cannot be ended early by a second signal.
import type { RequestListener, Server, ServerResponse } from "node:http";

/** How many milliseconds to wait for requests that arrive on accepted connections, and for connections to close. */
const gracePeriod = 500;

export function trackRequests() {
  /** The open responses, each with a promise that resolves when it is closed. */
  const open = new Map<ServerResponse, Promise<void>>();
  let draining: Server | null = null;

  return { track, drain };

  /** Wraps the listener whose requests are waited for. */
  function track(listener: RequestListener): RequestListener {
    return (request, response) => {
      const closed = new Promise<void>((resolve) => {
        response.once("close", () => {
          open.delete(response);
          // A kept-alive connection would keep the server from closing.
          draining?.closeIdleConnections();
          resolve();
        });
      });
      open.set(response, closed);
      if (draining) disableKeepAlive(response);
      listener(request, response);
    };
  }

  /**
   * Accepts no more connections, waits for the open requests, then closes every connection.
   * @param timeout in milliseconds
   * @param signal ends the wait at once
   * @returns the number of requests that were cut off
   */
  async function drain(server: Server, timeout: number, signal?: AbortSignal): Promise<number> {
    const expired = new Promise<"expired">((resolve) => {
      setTimeout(resolve, timeout, "expired").unref();
      signal?.addEventListener("abort", () => resolve("expired"));
    });
    // Lets the server receive connections that the system has already accepted.
    await new Promise((resolve) => setImmediate(resolve));
    draining = server;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const response of open.keys()) disableKeepAlive(response);
    do {
      const answered = Promise.all(open.values());
      if ((await Promise.race([answered, expired])) === "expired") break;
      await Promise.race([closed, pause(gracePeriod)]);
    } while (open.size > 0);
    const cut = open.size;
    server.closeAllConnections();
    await Promise.race([closed, pause(gracePeriod)]);
    return cut;
  }
}

function disableKeepAlive(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
