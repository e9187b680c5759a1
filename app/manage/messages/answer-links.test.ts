import { expect, test } from "vitest";
import { mailUrl, phoneUrl } from "./answer-links.ts";

test("a mail goes to the visitor with a subject", () => {
  expect(mailUrl("ada@example.com")).toBe(
    "mailto:ada@example.com?subject=Re%3A%20Your%20message%20to%20Whitfield%20Lane",
  );
});

test("an address brings no recipient, copy or text of its own into the mail", () => {
  const url = mailUrl("a?bcc=eve&body=x,b@example.com");
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
  "%j is no number",
  (phone) => {
    expect(phoneUrl(phone)).toBeNull();
  },
);
