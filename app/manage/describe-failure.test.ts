import { expect, test, vi } from "vitest";
import { describeFailure } from "./describe-failure.ts";

test.each(["PGRST301", "PGRST303"])(
  "a session that has ended, which PostgREST reports with %s, is named",
  (code) => {
    vi.stubGlobal("navigator", { onLine: true });
    const error = Object.assign(new Error("JWT expired"), { code });
    expect(describeFailure(error, "posts", "Try again.")).toBe(
      "you are signed out. Sign in again in another window.",
    );
  },
);

test.each([
  ["57014", "canceling statement due to statement timeout", "the server took too long. Try again."],
  ["", "TypeError: Failed to fetch", "there is no connection. Try again."],
  ["23001", "This version needs approval. Ask for it", "this version needs approval. Ask for it."],
  // A DOMException has a number.
  [23, "The operation timed out.", "there is no connection. Try again."],
])("the code %j counts before the words '%s'", (code, message, expected) => {
  vi.stubGlobal("navigator", { onLine: true });
  expect(describeFailure({ code, message }, "posts", "Try again.")).toBe(expected);
});
