import { expect, test } from "vitest";
import { matchesDeclaredType } from "./check-image.ts";

const heads = {
  "image/jpeg": Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46, 0, 1]),
  "image/png": Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\r", "latin1"),
  "image/gif": Buffer.from("GIF89a\x01\0\x01\0\x80\0", "latin1"),
  "image/webp": Buffer.from("RIFF\x0a\0\0\0WEBP", "latin1"),
};

test("detects each image type by its own first bytes", () => {
  for (const declared of Object.keys(heads)) {
    for (const [actual, head] of Object.entries(heads)) {
      expect(matchesDeclaredType(declared, head), `${actual} as ${declared}`).toBe(
        declared === actual,
      );
    }
  }
});

test("an HTML page, a short file and an empty file are not images", () => {
  for (const text of ["<!doctype html>", "GIF", ""]) {
    expect(matchesDeclaredType("image/gif", Buffer.from(text))).toBe(false);
  }
});

test("types without a signature are not checked", () => {
  expect(matchesDeclaredType("application/pdf", Buffer.from("%PDF-1.7"))).toBe(true);
});
