import { afterEach, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { passesTurnstile, tokenHeader } from "./turnstile.ts";

/** A stub for Cloudflare's service. */
let siteverify: MockInstance<typeof fetch>;
beforeEach(() => {
  siteverify = vi.spyOn(globalThis, "fetch");
});
afterEach(() => vi.restoreAllMocks());

function passes(token: string | null, secretKey: string | undefined = "the-secret") {
  const headers = new Headers(token === null ? {} : { [tokenHeader]: token });
  return passesTurnstile(headers, { secretKey, siteverifyUrl: "https://stub.example/" });
}

test("without a secret every message passes unchecked", async () => {
  expect(await passesTurnstile(new Headers(), { secretKey: undefined })).toBe(true);
  expect(siteverify).not.toHaveBeenCalled();
});

test("the token is sent to Cloudflare with the secret, and the request times out", async () => {
  const limit = vi.spyOn(AbortSignal, "timeout");
  siteverify.mockResolvedValue(Response.json({ success: true }));
  expect(await passes("a-token")).toBe(true);
  const [url, options] = siteverify.mock.calls[0] ?? [];
  expect([url, options?.method]).toEqual(["https://stub.example/", "POST"]);
  expect(JSON.parse(String(options?.body))).toEqual({ secret: "the-secret", response: "a-token" });
  expect(limit).toHaveBeenCalledWith(5000);
  expect(options?.signal).toBe(limit.mock.results[0]?.value);
});

test.each(["invalid-input-response", "timeout-or-duplicate"])(
  "the error %s rejects the message",
  async (code) => {
    siteverify.mockResolvedValue(Response.json({ success: false, "error-codes": [code] }));
    expect(await passes("a-token")).toBe(false);
  },
);

test.each([
  ["no token", null],
  ["an empty token", ""],
  ["a token that is too long", "x".repeat(2049)],
])("%s is rejected without a request to Cloudflare", async (_what, token) => {
  expect(await passes(token)).toBe(false);
  expect(siteverify).not.toHaveBeenCalled();
});

test.each([
  ["responds 500 without JSON", new Response("<html>", { status: 500 })],
  ["responds with other JSON", Response.json({ ok: 1 })],
  ["fails", Response.json({ success: false, "error-codes": ["internal-error"] })],
  [
    "refuses the secret",
    Response.json({ success: false, "error-codes": ["invalid-input-secret"] }),
  ],
  ["is unreachable or too slow", new TypeError("fetch failed")],
])("when Cloudflare %s, the message passes and the error is logged", async (_what, outcome) => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  siteverify.mockImplementation(async () => {
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  expect(await passes("a-token")).toBe(true);
  expect(log).toHaveBeenCalledOnce();
});
