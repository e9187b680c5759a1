import { expect, test } from "vitest";
import { messageOf } from "./message-of.ts";

test("an error's message is found on errors and on error objects", () => {
  expect(messageOf(new Error("Offline"))).toBe("Offline");
  expect(messageOf({ message: "Closed today", code: "P0001" })).toBe("Closed today");
  expect(messageOf("Offline")).toBe("Offline");
});
