import { expect, test } from "vitest";
import { describeFailure, newUpload, storedPath } from "./image-storage.ts";

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

test.each([
  [403, "new row violates row-level security policy", "This account may not upload pictures."],
  [403, '"exp" claim timestamp check failed', "Your session has ended. Please log in again."],
  [413, "The object exceeded the maximum allowed size", "The picture is too large: at most 50 MB."],
  [409, "The resource already exists", "The resource already exists"],
])("a rejection with %i in its body, %j, is shown as %j", (code, message, shown) => {
  const responseText = JSON.stringify({ statusCode: String(code), error: "Any", message });
  expect(describeFailure({ status: 400, responseText })).toBe(shown);
});
