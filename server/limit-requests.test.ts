import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { limitRequests } from "./limit-requests.ts";
import type { Acquire } from "./concurrency-limits.ts";

const hello: RequestListener = (_request, response) => response.end("hello");

async function start(acquire: Acquire): Promise<string> {
  const server = createServer(limitRequests(hello, acquire)).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a visitor with too many open requests is answered with 429 and a time to try again", async () => {
  const url = await start(async () => null);
  const answer = await fetch(url, { method: "POST", body: "not read" });
  expect(answer.status).toBe(429);
  expect(answer.headers.get("retry-after")).toBe("2");
});

test("a request no longer counts once it is answered", async () => {
  let open = 0;
  const url = await start(async () => {
    open += 1;
    return () => {
      open -= 1;
    };
  });
  expect(await (await fetch(url)).text()).toBe("hello");
  await expect.poll(() => open).toBe(0);
});
