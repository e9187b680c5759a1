import { expect, test } from "vitest";
import { writeReadableCopy } from "./readable-copy.ts";

test("the copy says everything in words, without numbers of the database, and runs no markup of a visitor", () => {
  const copy = writeReadableCopy({
    ...{ email: "ada@example.com", firm: "Marlow & Crane", timeZone: "America/Los_Angeles" },
    entries: [
      {
        ...{ name: "Message", state: "Deleted", at: "2026-11-22T15:10:00+00:00" },
        text: "<img src=x onerror=alert(1)>\nThanks",
        data: {
          ...{ id: "9f1c", name: "Ada", phone: null, answered_at: "2026-11-22T16:00:00.5+00:00" },
          ...{ deep: [{ is_first: true, event: "received" }] },
        },
      },
    ],
  });
  expect(copy).toContain("<h1>What Marlow &amp; Crane stores about ada@example.com</h1>");
  expect(copy).toContain("<h2>Message: Deleted</h2>\n<p>Nov 22, 2026, 7:10 AM</p>");
  expect(copy).toContain("<blockquote>&lt;img src=x onerror=alert(1)&gt;\nThanks</blockquote>");
  expect(copy).toContain("<dt>Name</dt><dd>Ada</dd>");
  expect(copy).toContain("<dt>Answered at</dt><dd>Nov 22, 2026, 8:00 AM</dd>");
  expect(copy).toContain("<dt>Is first</dt><dd>Yes</dd><dt>Event</dt><dd>received</dd>");
  expect(copy).not.toMatch(/9f1c|Phone|<img/);
});
