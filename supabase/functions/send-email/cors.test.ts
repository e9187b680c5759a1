import { expect, test } from "vitest";
import { corsHeaders, isAllowedOrigin, readAllowedOrigins } from "./cors.ts";

const site = "https://www.example.com";
const from = (origin?: string) => new Headers(origin ? { origin } : {});
const allowOrigin = (origin: string | undefined, addresses: string | undefined) =>
  corsHeaders(from(origin), readAllowedOrigins(addresses))["Access-Control-Allow-Origin"];

test("without a list every page may send messages", () => {
  for (const unset of [undefined, "", " , "]) {
    expect(isAllowedOrigin(from("https://evil.example"), readAllowedOrigins(unset))).toBe(true);
    expect(allowOrigin("https://evil.example", unset)).toBe("*");
  }
});

test("with a list its origins may, and programs, which send none", () => {
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
])("with a list a page of %s may not", (origin) => {
  const allowed = readAllowedOrigins(site);
  expect(isAllowedOrigin(from(origin), allowed)).toBe(false);
  expect(corsHeaders(from(origin), allowed)).toEqual({ Vary: "Origin" });
});

test("an allowed origin is named in the answer, which caches keep apart", () => {
  expect(corsHeaders(from(site), readAllowedOrigins(site))).toMatchObject({
    "Access-Control-Allow-Origin": site,
    "Access-Control-Allow-Headers": expect.stringContaining("idempotency-key, x-turnstile-token"),
    "Access-Control-Allow-Methods": "POST, OPTIONS",
    Vary: "Origin",
  });
});

test("an address that cannot be read is an error, not a shorter list", () => {
  for (const address of ["www.example.com", "https://", `${site},javascript:alert(1)`]) {
    expect(() => readAllowedOrigins(address)).toThrow(/^ALLOWED_ORIGINS must be/);
  }
});
