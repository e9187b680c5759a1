import { expect, test } from "vitest";
import { reasonOf } from "./log.ts";

test.each([
  [
    {
      message: "550 <ada@example.com> unknown",
      code: "EENVELOPE",
      responseCode: 550,
      command: "RCPT TO",
    },
    "EENVELOPE 550 RCPT TO",
  ],
  [{ message: "x", code: "23514", details: "Failing row contains (Ada)" }, "23514"],
  [new TypeError("fetch failed for ada@example.com"), "TypeError"],
  [{ code: "ada@example.com" }, "unknown"],
  ["ada@example.com", "unknown"],
  [null, "unknown"],
])("%j is logged as %s", (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});
