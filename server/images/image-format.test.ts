import { expect, test } from "vitest";
import { chooseFormat } from "./image-format.ts";

test("the smallest format that is named wins", () => {
  const chrome = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";
  const safari = "image/webp,image/avif,image/jxl,image/heic,image/heic-sequence,video/*;q=0.8";
  expect(chooseFormat(chrome)).toBe("avif");
  expect(chooseFormat(safari)).toBe("avif");
  expect(chooseFormat("image/WebP , */*")).toBe("webp");
});

test("who names none gets what everyone can show", () => {
  expect(chooseFormat(null)).toBe("fallback");
  expect(chooseFormat("*/*")).toBe("fallback");
  expect(chooseFormat("image/*")).toBe("fallback");
});

test("a weight of zero is a refusal", () => {
  expect(chooseFormat("image/avif;q=0, image/webp;q=0.9")).toBe("webp");
  expect(chooseFormat("image/webp; q=0.0")).toBe("fallback");
});
