import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Identity } from "../database.ts";
import { openConnection } from "./connection.ts";

const owner: Identity = {
  role: "authenticated",
  claims: {
    sub: "6e1d4b52-0a6f-4a5e-9a3f-5f1f0c8f1a11",
    session_id: "0c9c1f0e-7f0e-4f0b-8b1c-2d7f4f6a9b22",
  },
};

/** The members of a WebSocket that a connection uses. Collects what is sent. */
class FakeSocket extends EventEmitter {
  readonly readyState = WebSocket.OPEN;
  readonly bufferedAmount = 0;
  readonly sent: unknown[] = [];

  pause(): void {}
  resume(): void {}
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
}

/** Joins a channel. Each check of the token returns the next of `identities`. */
async function join(identities: (Identity | null)[]) {
  const socket = new FakeSocket();
  const connection = openConnection({
    // The fake has every member that a connection uses.
    socket: socket as unknown as WebSocket,
    apiKey: "key",
    authenticate: async () => identities.shift() ?? null,
    mayJoin: async () => true,
    findRefusal: async () => null,
    log: () => {},
  });
  const message = ["1", "1", "realtime:room", "phx_join", { access_token: "token" }];
  socket.emit("message", Buffer.from(JSON.stringify(message)), false);
  await expect.poll(() => identities).toEqual([]);
  await new Promise(setImmediate);
  return { events: socket.sent, channels: [...connection.channels()].length };
}

test("a channel is open while its session exists", async () => {
  const { events, channels } = await join([owner, owner]);
  expect(events).toMatchObject([["1", "1", "realtime:room", "phx_reply", { status: "ok" }]]);
  expect(channels).toBe(1);
});

test("a session that ends during the join closes the channel", async () => {
  const { events, channels } = await join([owner, null]);
  expect(events.at(-1)).toEqual(["1", null, "realtime:room", "phx_close", {}]);
  expect(channels).toBe(0);
});
