import { expect, test } from "vitest";
import { corsHeaders, isAllowedOrigin, readAllowedOrigins, withCors } from "./cors.ts";

const site = "https://www.example.com";
const from = (origin?: string) => new Headers(origin ? { origin } : {});
const allowOrigin = (origin: string | undefined, addresses: string | undefined) =>
  corsHeaders(from(origin), readAllowedOrigins(addresses))["Access-Control-Allow-Origin"];

test("without a list every origin is allowed", () => {
  for (const unset of [undefined, "", " , "]) {
    expect(isAllowedOrigin(from("https://evil.example"), readAllowedOrigins(unset))).toBe(true);
    expect(allowOrigin("https://evil.example", unset)).toBe("*");
  }
});

test("with a list its origins are allowed, and programs, which send no origin", () => {
  const allowed = readAllowedOrigins(` ${site}/contact, http://localhost:3000`);
  expect([...allowed]).toEqual([site, "http://localhost:3000"]);
  for (const origin of [site, "http://localhost:3000", undefined]) {
    expect(isAllowedOrigin(from(origin), allowed)).toBe(true);
  }
});

test.each([
  "https://evil.example",
  "https://www.example.com.evil.example",
  "http://www.example.com",
  "https://www.example.com:8443",
  "null",
])("with a list the origin %s is rejected", (origin) => {
  const allowed = readAllowedOrigins(site);
  expect(isAllowedOrigin(from(origin), allowed)).toBe(false);
  expect(corsHeaders(from(origin), allowed)).toEqual({ Vary: "Origin" });
});

test("an allowed origin is named in the response, which varies by origin", () => {
  expect(corsHeaders(from(site), readAllowedOrigins(site))).toMatchObject({
    "Access-Control-Allow-Origin": site,
    "Access-Control-Allow-Headers": expect.stringContaining("idempotency-key, x-turnstile-token"),
    "Access-Control-Allow-Methods": "POST, OPTIONS",
    Vary: "Origin",
  });
});

test("a preflight request is answered, and every response has the headers", async () => {
  const handle = withCors(
    readAllowedOrigins(site),
    async () => new Response(null, { status: 429 }),
  );
  const respond = (method: string) => handle(new Request(site, { method, headers: from(site) }));
  for (const [method, status] of [
    ["OPTIONS", 200],
    ["POST", 429],
  ] as const) {
    const response = await respond(method);
    expect(response.status).toBe(status);
    expect(response.headers.get("access-control-allow-origin")).toBe(site);
  }
});

test("an invalid address is an error and is not skipped", () => {
  for (const address of ["www.example.com", "https://", `${site},javascript:alert(1)`]) {
    expect(() => readAllowedOrigins(address)).toThrow(/^ALLOWED_ORIGINS must be/);
  }
});
