import { expect, test } from "vitest";
import { detectImageType } from "./image-file.ts";

test.each([
  ["image/jpeg", [0xff, 0xd8, 0xff, 0xe0, 0, 16]],
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/gif", [...Buffer.from("GIF89a")]],
  ["image/webp", [...Buffer.from("RIFF"), 0, 13, 10, 0, ...Buffer.from("WEBPVP8 ")]],
])("%s is detected by its bytes", async (type, bytes) => {
  expect(await detectImageType(new Blob([new Uint8Array(bytes)]))).toBe(type);
});

test("any other file is not an image, whatever its declared type", async () => {
  for (const text of [
    "",
    "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "<script>",
    "RIFF1234WAVE",
  ]) {
    expect(await detectImageType(new Blob([text], { type: "image/png" }))).toBeNull();
  }
});
