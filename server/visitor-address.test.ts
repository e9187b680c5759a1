import type { Socket } from "node:net";
import { currentVisitorAddress } from "embedded-supabase/rate-limits/shared-work.ts";
import { expect, test } from "vitest";
import { visitorAddress } from "./visitor-address.ts";

test.each<[rule: string, proxies: number, peer: string, header: string | undefined, is: string]>([
  ["ignores the header without a proxy", 0, "203.0.113.7", "198.51.100.1", "203.0.113.7"],
  ["takes the last entry", 1, "127.0.0.1", "1.1.1.1, 2.2.2.2, 203.0.113.7", "203.0.113.7"],
  ["takes the second entry from the right", 2, "127.0.0.1", "1.1.1.1, ::1, 10.0.0.2", "::1"],
  ["takes the first of too few entries", 3, "10.0.0.1", "203.0.113.7", "203.0.113.7"],
  ["takes the peer without entries", 3, "10.0.0.1", undefined, "10.0.0.1"],
  ["stops at an invalid last entry", 2, "10.0.0.1", "203.0.113.7, unknown", "10.0.0.1"],
  ["stops before an invalid entry", 2, "10.0.0.1", "<script>, 203.0.113.7", "203.0.113.7"],
  ["removes the port", 1, "10.0.0.1", "203.0.113.7:4711", "203.0.113.7"],
  ["removes the port of IPv6", 1, "10.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"],
  ["leaves IPv6 without a port", 1, "10.0.0.1", "2001:db8::1", "2001:db8::1"],
])("%s", (_rule, proxies, peer, header, address) => {
  const headers = header === undefined ? {} : { "x-forwarded-for": header };
  // visitorAddress() reads only the peer's address.
  const socket = { remoteAddress: peer } as Socket;
  expect(visitorAddress({ headers, socket }, proxies)).toBe(address);
});

test("code that runs on behalf of no visitor has no address", () => {
  expect(currentVisitorAddress()).toBeNull();
});
