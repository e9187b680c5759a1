import { expect, test } from "vitest";
import { visitorKey } from "./visitor-key.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::ffff:cb00:7107", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:db8::", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["1:2:3:4:5:6:1.2.3.4", "1:2:3:4::/64"],
  ["unknown", "unknown"],
])("%s counts as %s", (address, key) => {
  expect(visitorKey(address)).toBe(key);
});

test("addresses of one /64 network are one visitor, of two networks two", () => {
  expect(visitorKey("2001:db8:0:1::a")).toBe(visitorKey("2001:db8:0:1:ffff::b"));
  expect(visitorKey("2001:db8:0:1::a")).not.toBe(visitorKey("2001:db8:0:2::a"));
});
