import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { currentVisitorAddress, visitorAddress } from "./visitor-address.ts";

function from(peer: string, forwarded?: string) {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  return { headers, socket: { remoteAddress: peer } as Socket };
}

test("without a trusted proxy the header says nothing", () => {
  expect(visitorAddress(from("203.0.113.7", "198.51.100.1"), 0)).toBe("203.0.113.7");
});

test("one trusted proxy: the entry that it appended, whatever the visitor wrote before it", () => {
  const request = from("127.0.0.1", "1.1.1.1, 2.2.2.2, 203.0.113.7");
  expect(visitorAddress(request, 1)).toBe("203.0.113.7");
});

test("two trusted proxies: the second from the right", () => {
  const request = from("127.0.0.1", "1.1.1.1, 203.0.113.7, 10.0.0.2");
  expect(visitorAddress(request, 2)).toBe("203.0.113.7");
});

test("fewer entries than proxies: no further left than there are entries", () => {
  expect(visitorAddress(from("10.0.0.1", "203.0.113.7"), 3)).toBe("203.0.113.7");
  expect(visitorAddress(from("10.0.0.1"), 3)).toBe("10.0.0.1");
});

test("an entry that is no address ends the walk at the last one that was", () => {
  expect(visitorAddress(from("10.0.0.1", "203.0.113.7, unknown"), 2)).toBe("10.0.0.1");
  expect(visitorAddress(from("10.0.0.1", "<script>, 203.0.113.7"), 2)).toBe("203.0.113.7");
});

test("a port is dropped", () => {
  expect(visitorAddress(from("10.0.0.1", "203.0.113.7:4711"), 1)).toBe("203.0.113.7");
  expect(visitorAddress(from("10.0.0.1", "[2001:db8::1]:4711"), 1)).toBe("2001:db8::1");
  expect(visitorAddress(from("10.0.0.1", "2001:db8::1"), 1)).toBe("2001:db8::1");
});

test("code that runs for no visitor has no address", () => {
  expect(currentVisitorAddress()).toBeNull();
});
