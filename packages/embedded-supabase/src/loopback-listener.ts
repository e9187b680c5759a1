// A loopback listener through which Edge Functions reach the backend. It is separate from the site's listener, so that a
// function can finish while the site drains its requests, is not rate limited as a visitor, and reaches the backend on
// whatever address the site listens. Each request must carry a secret, which is part of the URL: functions run unchanged,
// and other users of the machine cannot use the listener. Covers: REST, Storage and the invitations of Auth over HTTP. Does
// not cover: all other services.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";

const served = /^\/((rest|storage)\/v1\/|auth\/v1\/(invite|admin\/generate_link)$)/;

export async function listenOnLoopback(handle: (request: Request) => Promise<Response>) {
  const secret = randomBytes(32).toString("base64url");
  const server = createServer(
    getRequestListener(async (request) => {
      const url = new URL(request.url);
      const [, given = "", ...rest] = url.pathname.split("/");
      url.pathname = rest.join("/");
      if (!isEqual(given, secret) || !served.test(url.pathname)) {
        return new Response("Not found", { status: 404, headers: { connection: "close" } });
      }
      return handle(new Request(url, request));
    }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  // A TCP server that listens has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    /** Contains the secret, which is new at each start. */
    url: `http://127.0.0.1:${port}/${secret}`,
    async stop(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Compares in constant time. */
function isEqual(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
