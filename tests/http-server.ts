import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on a free port of this machine. */
export async function startHttpServer(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // A server that listens on TCP has such an address.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
