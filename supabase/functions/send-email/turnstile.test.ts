import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { passesTurnstile, tokenHeader } from "./turnstile.ts";

const asked: unknown[] = [];
let answer: (response: ServerResponse) => void;
let url: string;

/** Stands in for Cloudflare. */
const server = createServer(async (request, response) => {
  asked.push(JSON.parse(await text(request)));
  answer(response);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`;
});

afterEach(() => {
  asked.length = 0;
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

test("without a secret nobody is checked", async () => {
  expect(await passesTurnstile(new Headers(), { secretKey: undefined, siteverifyUrl: url })).toBe(
    true,
  );
  expect(asked).toEqual([]);
});

test("Cloudflare is asked about the token, with the secret", async () => {
  answer = json({ success: true });
  expect(await passes("a-token")).toBe(true);
  expect(asked).toEqual([{ secret: "the-secret", response: "a-token" }]);
});

test.each([["invalid-input-response"], ["timeout-or-duplicate"]])("%s is a no", async (code) => {
  answer = json({ success: false, "error-codes": [code] });
  expect(await passes("a-token")).toBe(false);
});

test.each([
  ["no token", null],
  ["an empty token", ""],
  ["a token that is too long", "x".repeat(2049)],
])("%s is a no, and nobody is asked", async (_what, token) => {
  expect(await passes(token)).toBe(false);
  expect(asked).toEqual([]);
});

test.each<[string, (response: ServerResponse) => void]>([
  ["answers 500 without JSON", (response) => response.writeHead(500).end("<html>")],
  ["answers something else", json({ ok: 1 })],
  ["has an error of its own", json({ success: false, "error-codes": ["internal-error"] })],
  ["knows no such secret", json({ success: false, "error-codes": ["invalid-input-secret"] })],
  ["breaks off", (response) => response.destroy()],
])("when Cloudflare %s, the message passes and the log says so", async (_what, reaction) => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  answer = reaction;
  expect(await passes("a-token")).toBe(true);
  expect(log).toHaveBeenCalledOnce();
});

test("a Cloudflare that never answers is not waited for", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const abort = new AbortController();
  const limit = vi.spyOn(AbortSignal, "timeout").mockReturnValue(abort.signal);
  answer = () => abort.abort(new DOMException("Too slow", "TimeoutError"));
  expect(await passes("a-token")).toBe(true);
  expect(limit).toHaveBeenCalledWith(5000);
});

test("a Cloudflare that is not there lets the message pass", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await passes("a-token", "http://127.0.0.1:9/")).toBe(true);
});
