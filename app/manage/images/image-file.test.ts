import { expect, test } from "vitest";
import { describeRefusal } from "./image-dropzone.tsx";
import { checkImage, detectImageType, heicHelp } from "./image-file.ts";

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

test.each([
  ["heic", heicHelp],
  ["heix", heicHelp],
  ["mif1", heicHelp],
  ["avif", "This file is not a JPEG, PNG, GIF or WebP image."],
  ["isom", "This file is not a JPEG, PNG, GIF or WebP image."],
])("a file of the brand %s is rejected: %s", async (brand, problem) => {
  const file = new Blob([`\0\0\0\x18ftyp${brand}\0\0\0\0`], { type: "image/jpeg" });
  await expect(checkImage(file)).rejects.toThrow(problem);
});

test("an AVIF image whose first brand is that of HEIF is no HEIC photo", async () => {
  const file = new Blob(["\0\0\0\x20ftypmif1\0\0\0\0mif1avifmiaf"]);
  await expect(checkImage(file)).rejects.toThrow(/is not a JPEG/);
});

test("the drop zone says what to do with a HEIC photo, and the true limits", () => {
  const type = { code: "file-invalid-type", message: "File type must be image/jpeg,.jpg" };
  const types = "File type must be JPEG, PNG, WebP or GIF. Choose another file.";
  const refusal = (error: { code: string; message: string }, name: string, type = "") =>
    describeRefusal(error, { name, type });
  expect(refusal(type, "IMG_1.HEIC")).toBe(heicHelp);
  expect(refusal(type, "photo", "image/heif")).toBe(heicHelp);
  expect(refusal(type, "notes.txt", "text/plain")).toBe(types);
  expect(refusal({ code: "file-too-large", message: "" }, "a.png")).toBe(
    "File is larger than 52428800 bytes. Choose an image of at most 50 MB.",
  );
});
