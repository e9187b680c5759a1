import { expect, test } from "vitest";
import { chooseFormat, parseImageAddress } from "./image-request.ts";

const parse = (path: string) => parseImageAddress(`http://127.0.0.1${path}`);

test("parses the size, the image and its version", () => {
  expect(parse("/images/800/uploads/a%20b.jpg?t=17")).toEqual({
    width: 800,
    height: null,
    from: "uploads",
    segments: ["a b.jpg"],
    version: "17",
  });
  expect(parse("/images/1200x675/site/images/team.webp")).toMatchObject({
    width: 1200,
    height: 675,
    from: "site",
    segments: ["images", "team.webp"],
    version: null,
  });
});

test("rejects sizes that the site does not use", () => {
  for (const size of ["801", "0", "-320", "0320", "320x181", "320x", "1e3", "320.0", "99999"]) {
    expect(parse(`/images/${size}/uploads/a.jpg`), size).toBeNull();
  }
});

test("rejects path traversal and hidden files", () => {
  for (const name of [
    "..%2f..%2fsecrets.jpg",
    "%2e%2e/secrets.jpg",
    "a/..%5c..%5cb.jpg",
    "a//b.jpg",
    ".env",
    "a%00.jpg",
    "%E0%A4%A.jpg",
    "",
    "a/",
    "a".repeat(1025),
  ]) {
    expect(parse(`/images/320/uploads/${name}`), name).toBeNull();
    expect(parse(`/images/320/site/${name}`), name).toBeNull();
  }
});

test("rejects other sources", () => {
  expect(parse("/images/320/https://elsewhere.example/a.jpg")).toBeNull();
  expect(parse("/images/320/other/a.jpg")).toBeNull();
});

test("ignores a version that is not a number", () => {
  expect(parse("/images/320/uploads/a.jpg?t=abc")?.version).toBeNull();
});

test("chooses the smallest format that the client names", () => {
  const chrome = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";
  const safari = "image/webp,image/avif,image/jxl,image/heic,image/heic-sequence,video/*;q=0.8";
  expect(chooseFormat(chrome)).toBe("avif");
  expect(chooseFormat(safari)).toBe("avif");
  expect(chooseFormat("image/WebP , */*")).toBe("webp");
});

test("falls back to JPEG or PNG when the client names neither", () => {
  expect(chooseFormat(null)).toBe("fallback");
  expect(chooseFormat("*/*")).toBe("fallback");
  expect(chooseFormat("image/*")).toBe("fallback");
});

test("ignores formats with weight zero", () => {
  expect(chooseFormat("image/avif;q=0, image/webp;q=0.9")).toBe("webp");
  expect(chooseFormat("image/webp; q=0.0")).toBe("fallback");
});
