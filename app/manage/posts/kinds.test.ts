import { expect, test } from "vitest";
import { textFor } from "./kinds.ts";

test("the editor of a page speaks of the page", () => {
  const text = "This post was changed. A post can be split into several posts; postpone it.";
  expect(textFor(false, text)).toBe(text);
  expect(textFor(true, text)).toBe(
    "This page was changed. A page can be split into several pages; postpone it.",
  );
});
