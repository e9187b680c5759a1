import { expect, test } from "vitest";
import { roleInfo } from "../../supabase/functions/_shared/roles.ts";
import { landingPath } from "./landing-path.ts";

test("signing in leads back to the page that asked for it, else to the blog, and an assistant to the messages", () => {
  const { owner, editor, assistant } = roleInfo;
  expect(landingPath({ from: "/messages?page=2" }, owner.tasks)).toBe("/messages?page=2");
  expect(landingPath(null, owner.tasks)).toBe("/blog");
  expect(landingPath(null, editor.tasks)).toBe("/blog");
  expect(landingPath(null, assistant.tasks)).toBe("/messages");
  expect(landingPath(null, [])).toBe("/blog");
});

test.each(["//example.com", "https://example.com", 1, undefined])(
  "%j is no page of this site",
  (from) => {
    expect(landingPath({ from }, [])).toBe("/blog");
  },
);
