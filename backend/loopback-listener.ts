// Where the backend's own functions reach the database: a loopback listener beside the site's.
// It is separate so that a function can finish its work while the site stops taking requests, is not counted as a
// visitor, and reaches the backend whatever address the site listens on. Nothing limits it, so every request needs
// a secret, which is part of the address: functions run unchanged with it, and other users of the machine do not know it.
// Covers: REST and Storage over HTTP. Does not cover: the other services, WebSockets.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";

export interface LoopbackListener {
  /** With the secret of this start. */
  url: string;
  stop(): Promise<void>;
}

export async function listenOnLoopback(
  answer: (request: Request) => Promise<Response>,
): Promise<LoopbackListener> {
  const secret = randomBytes(32).toString("base64url");
  const server = createServer(
    getRequestListener(async (request) => {
      const url = new URL(request.url);
      const [, given = "", ...rest] = url.pathname.split("/");
      url.pathname = rest.join("/");
      if (!isEqual(given, secret) || !/^\/(rest|storage)\/v1\//.test(url.pathname)) {
        return new Response("Not found", { status: 404, headers: { connection: "close" } });
      }
      return answer(new Request(url, request));
    }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/${secret}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** In the same time wherever the two differ. */
function isEqual(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
