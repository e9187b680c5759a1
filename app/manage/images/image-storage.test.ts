import fc from "fast-check";
import { expect, test } from "vitest";
import { withVersion } from "../../posts/image-url.ts";
import { imagePathOf, newImagePath } from "./image-storage.ts";

const project = "https://abc.supabase.co";
const address = `${project}/storage/v1/object/public/images/public/abc.png`;

test("the path follows the bucket's whole prefix and excludes the query", () => {
  expect(imagePathOf(`${address}?t=17`, project)).toBe("public/abc.png");
  expect(imagePathOf(`${project}/storage/v1/object/public/images/public/a%20b.png`, project)).toBe(
    "public/a b.png",
  );
});

test.each([
  null,
  "",
  "/images/posts/own.svg",
  "https://elsewhere.example/storage/v1/object/public/images/public/abc.png",
  `${project}/storage/v1/object/public/other/public/abc.png`,
  `${project}/storage/v1/object/public/images/private/abc.png`,
  `${project}/storage/v1/object/public/images/public/%2e%2e%2fabc.png`,
  `${project}/storage/v1/object/public/images/public/%`,
])("%j is not an image of the bucket", (url) => {
  expect(imagePathOf(url, project)).toBeNull();
});

test("every path of an upload is found in its address, with or without a version", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("jpg", "png", "gif", "webp"),
      fc.date({ min: new Date(0), noInvalidDate: true }),
      (extension, date) => {
        const path = newImagePath(extension);
        const url = `${project}/storage/v1/object/public/images/${path}`;
        expect(imagePathOf(url, project)).toBe(path);
        expect(imagePathOf(withVersion(url, date.toISOString()), project)).toBe(path);
      },
    ),
  );
});
