// A proxy on loopback that can fail or modify what passes through it. It stands between the site
// and a hosted project, or between a browser and the site.
import {
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  request as open,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** The fault: no response, a response after 30 seconds, an error, or half a response. */
export type Fault = "drops" | "delays" | "errors" | "cuts";

interface FaultyProxy {
  url: string;
  /** Sets the fault for requests and open sockets; null removes it. */
  break(fault: Fault | null): void;
  /** Requests received. */
  readonly count: number;
  stop(): Promise<void>;
}

export interface ProxiedResponse {
  /** Path and query of the request. */
  path: string;
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const delayMs = 30_000;

/**
 * @param edit receives every response before it is forwarded and may change it
 * @param socketTarget where WebSockets lead
 */
export async function startFaultyProxy(
  target: string,
  edit: (proxied: ProxiedResponse) => ProxiedResponse = (proxied) => proxied,
  socketTarget = target,
): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new URL(socketTarget);
  const tunnels = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  let fault: Fault | null = null;
  let count = 0;

  const server = createServer((request, response) => {
    count++;
    const { method, url: path, headers } = request;
    if (fault === "drops") return void request.socket.destroy();
    if (fault === "errors") return void response.writeHead(500).end("An error of the way");
    const forward = open({ hostname, port, method, path, headers });
    request.pipe(forward);
    forward.on("error", () => response.destroy());
    if (fault === "delays") {
      timers.add(setTimeout(() => passOn(forward, response, edit), delayMs));
    } else passOn(forward, response, edit, fault === "cuts");
  });
  server.on("upgrade", (request, socket: Socket, head) => {
    if (fault) return void socket.destroy();
    const onward = connect(Number(sockets.port), sockets.hostname, () => {
      const lines = request.rawHeaders.map((text, at) => (at % 2 ? `${text}\r\n` : `${text}: `));
      onward.write(`GET ${request.url} HTTP/1.1\r\n${lines.join("")}\r\n`);
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) {
      tunnels.add(end);
      end.on("error", () => end.destroy());
      end.on("close", () => tunnels.delete(end));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    break(next) {
      fault = next;
      if (fault) for (const tunnel of tunnels) tunnel.destroy();
    },
    get count() {
      return count;
    },
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      for (const tunnel of tunnels) tunnel.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function passOn(
  forward: ClientRequest,
  response: ServerResponse,
  edit: (proxied: ProxiedResponse) => ProxiedResponse,
  cut = false,
): void {
  forward.on("response", async (incoming) => {
    const chunks: Buffer[] = await incoming.toArray();
    const { "transfer-encoding": _, ...received } = incoming.headers;
    const { status, headers, body } = edit({
      path: forward.path,
      status: incoming.statusCode ?? 502,
      headers: received,
      body: Buffer.concat(chunks),
    });
    response.writeHead(status, { ...headers, "content-length": body.byteLength });
    if (!cut) return void response.end(body);
    response.write(body.subarray(0, Math.floor(body.byteLength / 2)), () => response.destroy());
  });
}
