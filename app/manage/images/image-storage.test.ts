import { expect, test } from "vitest";
import { newUpload, storedPath } from "./image-storage.ts";

test("an upload has the path in the bucket that its reference names, also with a version", () => {
  expect(storedPath("images/public/a%20b.png?t=17")).toBe("public/a b.png");
  const reference = newUpload("png");
  expect(`images/${storedPath(reference)}`).toBe(reference);
});

test.each([
  null,
  "",
  "/images/posts/own.svg",
  "https://elsewhere.example/images/public/abc.png",
  "images/private/abc.png",
  "other/public/abc.png",
  "images/public/%",
])("%j is not an upload", (image) => {
  expect(storedPath(image)).toBeNull();
});
