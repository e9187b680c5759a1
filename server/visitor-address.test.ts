import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { currentVisitorAddress, visitorAddress } from "./visitor-address.ts";

function from(peer: string, forwarded?: string) {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  // visitorAddress() reads only the peer's address.
  return { headers, socket: { remoteAddress: peer } as Socket };
}

test("without a trusted proxy the header is ignored", () => {
  expect(visitorAddress(from("203.0.113.7", "198.51.100.1"), 0)).toBe("203.0.113.7");
});

test("one trusted proxy: uses the last entry", () => {
  const request = from("127.0.0.1", "1.1.1.1, 2.2.2.2, 203.0.113.7");
  expect(visitorAddress(request, 1)).toBe("203.0.113.7");
});

test("two trusted proxies: uses the second entry from the right", () => {
  const request = from("127.0.0.1", "1.1.1.1, 203.0.113.7, 10.0.0.2");
  expect(visitorAddress(request, 2)).toBe("203.0.113.7");
});

test("fewer entries than proxies: uses the first entry, or the peer", () => {
  expect(visitorAddress(from("10.0.0.1", "203.0.113.7"), 3)).toBe("203.0.113.7");
  expect(visitorAddress(from("10.0.0.1"), 3)).toBe("10.0.0.1");
});

test("an invalid entry stops at the address to its right", () => {
  expect(visitorAddress(from("10.0.0.1", "203.0.113.7, unknown"), 2)).toBe("10.0.0.1");
  expect(visitorAddress(from("10.0.0.1", "<script>, 203.0.113.7"), 2)).toBe("203.0.113.7");
});

test("removes the port", () => {
  expect(visitorAddress(from("10.0.0.1", "203.0.113.7:4711"), 1)).toBe("203.0.113.7");
  expect(visitorAddress(from("10.0.0.1", "[2001:db8::1]:4711"), 1)).toBe("2001:db8::1");
  expect(visitorAddress(from("10.0.0.1", "2001:db8::1"), 1)).toBe("2001:db8::1");
});

test("code that runs on behalf of no visitor has no address", () => {
  expect(currentVisitorAddress()).toBeNull();
});
