import { expect, test } from "vitest";
import { isoTime, mailUrl, phoneUrl, shortDate } from "./format-message.ts";

test("the email link has the visitor's address and a subject", () => {
  expect(mailUrl("ada@example.com", "Hill & Dale")).toBe(
    "mailto:ada@example.com?subject=Re%3A%20Your%20message%20to%20Hill%20%26%20Dale",
  );
});

test("an address cannot add a recipient, a copy or a text to the email", () => {
  const url = mailUrl("a?bcc=eve&body=x,b@example.com", "A firm");
  expect(url.split("?")).toHaveLength(2);
  expect(url).not.toMatch(/[,&]/);
});

test.each([
  ["(503) 555-0142", "tel:5035550142"],
  ["+1 503 555 0142", "tel:+15035550142"],
  ["+49 (0)89 / 123–456", "tel:+49089123456"],
  ["503.555.0142 ext. 12", "tel:5035550142"],
  ["mobile: 503 555 0142, after six", "tel:5035550142"],
  ["555 0142", "tel:5550142"],
])("%j is dialled as %s", (phone, url) => {
  expect(phoneUrl(phone)).toBe(url);
});

test.each(["", "call me, maybe", "12345", "ext. 12", "javascript:alert(1)"])(
  "%j contains no phone number",
  (phone) => {
    expect(phoneUrl(phone)).toBeNull();
  },
);

const timeZone = "America/Los_Angeles";
// 10:30 PM on December 31 in the site's time zone, already the next year in UTC.
const now = new Date("2027-01-01T06:30:00Z");

test.each([
  ["today", "2026-12-31T20:05:00Z", "12:05 PM"],
  ["yesterday in the site's time zone", "2026-12-31T07:59:00Z", "Dec 30"],
  ["earlier in the year", "2026-03-02T18:00:00Z", "Mar 2"],
  ["in another year", "2025-12-31T20:05:00Z", "Dec 31, 2025"],
])("a message from %s has a short, unambiguous date", (_when, iso, text) => {
  expect(shortDate(iso, timeZone, now)).toBe(text);
});

test.each([
  ["2026-11-21T09:06:07.47+00:00", "2026-11-21T01:06:07-08:00"],
  ["2026-07-01T07:00:00Z", "2026-07-01T00:00:00-07:00"],
])("%s is %s in the site's time zone", (iso, text) => {
  expect(isoTime(iso, timeZone)).toBe(text);
});
