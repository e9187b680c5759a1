import { expect, test } from "vitest";
import { describeErasure, type EntryKind } from "./erasure.ts";

const entries = (...kinds: EntryKind[]) => kinds.map((kind) => ({ kind }));

test("an erasure says what is gone, and claims nothing where all was kept", () => {
  const before = entries("message", "message", "calls", "testimonial", "request");
  expect(describeErasure(before, entries("calls", "testimonial"))).toBe(
    "Erased: 2 messages, 1 link for a testimonial.",
  );
  expect(describeErasure(before, before)).toBe("Nothing could be erased now.");
});
