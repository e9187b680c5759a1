import { expect, test } from "vitest";
import { replyUrl, shortDate } from "./format-message.ts";

const timeZone = "America/Los_Angeles";
const sent = {
  name: "Ada Hill",
  email: "ada@example.com",
  message: "Dear adviser,\r\n\r\nIs 50% enough?\nI & Bob = 2 people.\n",
  created_at: "2026-11-23T07:30:00Z",
};

/** What the mail program reads from the link to reply to a message. */
function reply(changes: Partial<typeof sent>) {
  const url = replyUrl({ ...sent, ...changes }, "Hill & Dale", timeZone);
  const [, to = "", subject = "", body = "", ...rest] = url.split(
    /^mailto:|\?subject=|&body=|[&?]/,
  );
  expect(rest).toEqual([]);
  expect(url.length).toBeLessThanOrEqual(1900);
  expect(url).not.toMatch(/[\s"<>]/);
  return { to, subject: decodeURIComponent(subject), body: decodeURIComponent(body) };
}

test("a reply has the visitor's address, a subject and the quoted message", () => {
  expect(reply({})).toEqual({
    to: "ada@example.com",
    subject: "Re: your message to Hill & Dale",
    body: [
      ...["", "", "On November 22, 2026, Ada Hill wrote:", "> Dear adviser,"],
      ...["> ", "> Is 50% enough?", "> I & Bob = 2 people."],
    ].join("\r\n"),
  });
});

test("what a visitor wrote cannot add a recipient, a header or words of the adviser to the reply", () => {
  const { to, subject, body } = reply({
    email: "a?bcc=eve&body=x,b@example.com",
    name: "Eve\r\nBcc: eve@example.com",
    message: "One\u2028Two\rThree&cc=eve@example.com",
  });
  expect(to).toBe("a%3Fbcc%3Deve%26body%3Dx%2Cb@example.com");
  expect(subject).toBe("Re: your message to Hill & Dale");
  expect(body.split("\r\n").slice(2)).toEqual([
    "On November 22, 2026, Eve Bcc: eve@example.com wrote:",
    ...["> One", "> Two", "> Three&cc=eve@example.com"],
  ]);
});

test.each([
  ["words", "several words ".repeat(700), /several \r\n> \(The rest|words ?\r\n> \(The rest/],
  ["one long word", "x".repeat(10_000), /x\r\n> \(The rest/],
  ["many lines", "a\n".repeat(5000), /> a\r\n(> \r\n)?> \(The rest/],
  ["emoji", "👩🏽‍💻".repeat(500), /\r\n> \(The rest/],
])("a long message of %s is cut to what mail programs accept, and says so", (_of, message, end) => {
  const { body } = reply({
    message,
    name: "名".repeat(200),
    email: `${"a".repeat(300)}@b.example`,
  });
  expect(body).toMatch(end);
  expect(body).toMatch(/left out here\.\)$/);
});

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
