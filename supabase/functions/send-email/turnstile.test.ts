import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { passesTurnstile, tokenHeader } from "./turnstile.ts";

const requests: unknown[] = [];
let respond: (response: ServerResponse) => void;
let url: string;

/** A stub for Cloudflare's service. */
const server = createServer(async (request, response) => {
  requests.push(JSON.parse(await text(request)));
  respond(response);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`;
});

afterEach(() => {
  requests.length = 0;
  vi.restoreAllMocks();
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function passes(token: string | null, siteverifyUrl = url): Promise<boolean> {
  const headers = new Headers(token === null ? {} : { [tokenHeader]: token });
  return passesTurnstile(headers, { secretKey: "the-secret", siteverifyUrl });
}

function json(body: unknown, status = 200) {
  return (response: ServerResponse) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
}

test("without a secret every message passes unchecked", async () => {
  expect(await passesTurnstile(new Headers(), { secretKey: undefined, siteverifyUrl: url })).toBe(
    true,
  );
  expect(requests).toEqual([]);
});

test("the token is sent to Cloudflare with the secret", async () => {
  respond = json({ success: true });
  expect(await passes("a-token")).toBe(true);
  expect(requests).toEqual([{ secret: "the-secret", response: "a-token" }]);
});

test.each([["invalid-input-response"], ["timeout-or-duplicate"]])(
  "the error %s rejects the message",
  async (code) => {
    respond = json({ success: false, "error-codes": [code] });
    expect(await passes("a-token")).toBe(false);
  },
);

test.each([
  ["no token", null],
  ["an empty token", ""],
  ["a token that is too long", "x".repeat(2049)],
])("%s is rejected without a request to Cloudflare", async (_what, token) => {
  expect(await passes(token)).toBe(false);
  expect(requests).toEqual([]);
});

test.each<[string, (response: ServerResponse) => void]>([
  ["responds 500 without JSON", (response) => response.writeHead(500).end("<html>")],
  ["responds with other JSON", json({ ok: 1 })],
  ["reports an internal error", json({ success: false, "error-codes": ["internal-error"] })],
  ["does not know the secret", json({ success: false, "error-codes": ["invalid-input-secret"] })],
  ["closes the connection", (response) => response.destroy()],
])("when Cloudflare %s, the message passes and the error is logged", async (_what, reaction) => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  respond = reaction;
  expect(await passes("a-token")).toBe(true);
  expect(log).toHaveBeenCalledOnce();
});

test("the request to Cloudflare times out, and the message passes", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const abort = new AbortController();
  const limit = vi.spyOn(AbortSignal, "timeout").mockReturnValue(abort.signal);
  respond = () => abort.abort(new DOMException("Too slow", "TimeoutError"));
  expect(await passes("a-token")).toBe(true);
  expect(limit).toHaveBeenCalledWith(5000);
});

test("when Cloudflare is unreachable, the message passes", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await passes("a-token", "http://127.0.0.1:9/")).toBe(true);
});
