import { expect, test } from "vitest";
import { withoutVersion, withVersion } from "./image-url.ts";

const time = "2026-03-01T12:00:00.000Z";
const t = Date.parse(time);

test("an image gets the time of its last change as t", () => {
  expect(withVersion("https://x.example/a.png", time)).toBe(`https://x.example/a.png?t=${t}`);
});

test("an older t is replaced; other parameters and the hash stay", () => {
  expect(withVersion("https://x.example/a.png?w=2&t=1#top", time)).toBe(
    `https://x.example/a.png?w=2&t=${t}#top`,
  );
});

test("relative addresses and missing images are left in shape", () => {
  expect(withVersion("/images/a.svg", time)).toBe(`/images/a.svg?t=${t}`);
  expect(withVersion(null, time)).toBeNull();
  expect(withVersion("", time)).toBeNull();
});

test("t is taken away before an address is stored", () => {
  expect(withoutVersion(withVersion("https://x.example/a.png", time))).toBe(
    "https://x.example/a.png",
  );
  expect(withoutVersion("/a.svg?w=2&t=5#x")).toBe("/a.svg?w=2#x");
  expect(withoutVersion("/a.svg?title=t")).toBe("/a.svg?title=t");
  expect(withoutVersion(null)).toBeNull();
});
