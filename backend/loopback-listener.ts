// Where the backend's own functions reach it: a loopback listener beside the site's.
// Apart from it, so that a function finishes its work while the site stops taking requests, is never counted as a
// visitor, and reaches the backend whatever address the site listens on. Covers: HTTP. Does not cover: WebSockets.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";

export interface LoopbackListener {
  url: string;
  stop(): Promise<void>;
}

export async function listenOnLoopback(
  answer: (request: Request) => Promise<Response>,
): Promise<LoopbackListener> {
  const server = createServer(getRequestListener(answer));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
