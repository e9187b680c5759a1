import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type ConnectionLimits, createLimitedServer } from "./connection-limits.ts";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Client {
  socket: Socket;
  received: () => string;
  isClosed: () => boolean;
}

/** A server that assigns each client the address that the test chooses. */
async function start(limits: Partial<ConnectionLimits>, handle: RequestListener) {
  let address = "a";
  const keyOf = () => address;
  const server = createLimitedServer({ handle, mayUpgrade: () => false, keyOf, limits });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address is never a string, because the server listens on a port.
  const { port } = server.address() as AddressInfo;

  return async function connectFrom(from: string, sent = ""): Promise<Client> {
    address = from;
    const accepted = once(server, "connection");
    const socket = connect(port, "127.0.0.1");
    let text = "";
    let closed = false;
    socket.on("data", (data) => {
      text += data;
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      closed = true;
    });
    await accepted;
    socket.write(sent);
    return { socket, received: () => text, isClosed: () => closed };
  };
}

const get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\na";
const chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n";
const answer: RequestListener = (_request, response) => response.end("hello");
const never: RequestListener = (request) => request.resume();
const large = Buffer.alloc(32 * 1024 * 1024);

test("a new connection of an address with too many closes an idle one", async () => {
  const connectFrom = await start({ connectionsPerAddress: 2 }, answer);
  const [first, second] = [await connectFrom("a"), await connectFrom("a")];
  const third = await connectFrom("a", get);
  await expect.poll(third.received).toContain("hello");
  expect([first.isClosed(), second.isClosed()]).toEqual([true, false]);
});

test("without an idle one the new connection is rejected, but not those of other addresses", async () => {
  let open = 0;
  const connectFrom = await start({ connectionsPerAddress: 2 }, () => {
    open += 1;
  });
  for (const count of [1, 2]) {
    await connectFrom("a", get);
    await expect.poll(() => open).toBe(count);
  }
  const refused = await connectFrom("a");
  await expect.poll(refused.received).toContain("HTTP/1.1 429 ");
  await connectFrom("b", get);
  await expect.poll(() => open).toBe(3);
});

test("at the total limit a connection of the address with most is closed", async () => {
  const connectFrom = await start({ connections: 4, connectionsPerAddress: 4 }, answer);
  const many = [];
  for (let count = 0; count < 3; count++) many.push(await connectFrom("a"));
  const few = await connectFrom("b");
  const visitor = await connectFrom("c", get);
  await expect.poll(visitor.received).toContain("hello");
  expect(many.map(({ isClosed }) => isClosed())).toEqual([true, false, false]);
  expect(few.isClosed()).toBe(false);
});

test.each([
  ["with a length", post],
  ["chunked", chunked],
])("a body (%s) that arrives too slowly ends with 408", async (_kind, start_) => {
  const connectFrom = await start({ bodyGrace: 0 }, never);
  const client = await connectFrom("a", start_);
  await expect.poll(client.isClosed, { timeout: 10_000 }).toBe(true);
  expect(client.received()).toContain("HTTP/1.1 408 ");
});

test("a body that arrives steadily is received", async () => {
  const connectFrom = await start({ bodyGrace: 0, minBytesPerSecond: 1 }, (request, response) => {
    request.resume().on("end", () => response.end("complete"));
  });
  const client = await connectFrom("a", post);
  let left = 999;
  const sending = setInterval(() => {
    const size = Math.min(left, 50);
    client.socket.write("x".repeat(size));
    left -= size;
  }, 100);
  await expect.poll(client.received, { timeout: 10_000 }).toContain("complete");
  clearInterval(sending);
});

test("a client that does not read its response is disconnected", async () => {
  const connectFrom = await start(
    { readGrace: 0, minBytesPerSecond: large.length, unreadPerAddress: 2 * large.length },
    (_request, response) => response.end(large),
  );
  const client = await connectFrom("a");
  client.socket.pause();
  client.socket.write(get);
  const server = servers.at(-1);
  const countConnections = () =>
    new Promise<number>((resolve) => server?.getConnections((_error, count) => resolve(count)));
  expect(await countConnections()).toBe(1);
  await expect.poll(countConnections, { timeout: 10_000 }).toBe(0);
});

test("limits the unread bytes of one address", async () => {
  const connectFrom = await start({ unreadPerAddress: 1.5 * large.length }, (_request, response) =>
    response.end(large),
  );
  const clients = [];
  for (let count = 0; count < 3; count++) {
    const client = await connectFrom("a");
    client.socket.pause();
    client.socket.write(get);
    clients.push(client);
  }
  const server = servers.at(-1);
  const countConnections = () =>
    new Promise<number>((resolve) => server?.getConnections((_error, count) => resolve(count)));
  await expect.poll(countConnections, { timeout: 10_000 }).toBe(1);
});

test("a connection with too many pipelined requests is closed", async () => {
  let requests = 0;
  const connectFrom = await start({ pipelined: 8 }, () => {
    requests += 1;
  });
  const client = await connectFrom("a", get.repeat(50));
  await expect.poll(client.isClosed).toBe(true);
  expect(requests).toBe(8);
});
