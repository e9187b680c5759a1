import { expect, test } from "vitest";
import { imageSource } from "./image.tsx";

test("an upload is served in every width, with its version", () => {
  const { src, srcSet } = imageSource("images/public/a.jpg?t=17");
  expect(src).toBe("/images/800/uploads/a.jpg?t=17");
  expect(srcSet?.split(", ")).toEqual([
    "/images/320/uploads/a.jpg?t=17 320w",
    "/images/480/uploads/a.jpg?t=17 480w",
    "/images/640/uploads/a.jpg?t=17 640w",
    "/images/800/uploads/a.jpg?t=17 800w",
    "/images/1000/uploads/a.jpg?t=17 1000w",
    "/images/1200/uploads/a.jpg?t=17 1200w",
    "/images/1600/uploads/a.jpg?t=17 1600w",
  ]);
});

test("a wide image is cropped to 16:9 and limited to the maximum width", () => {
  expect(imageSource("images/public/a.png", { wide: true, maxWidth: 480 })).toEqual({
    src: "/images/480x270/uploads/a.png",
    srcSet: "/images/320x180/uploads/a.png 320w, /images/480x270/uploads/a.png 480w",
  });
});

test("a photograph of the site itself is served in several widths", () => {
  expect(imageSource("/images/portrait.jpg", { maxWidth: 320 }).src).toBe(
    "/images/320/site/images/portrait.jpg",
  );
});

test("SVG files, local previews and images of other hosts stay as they are", () => {
  for (const url of [
    "/images/neutral/hero.svg",
    "/images/posts/old-oak.svg?w=2&t=1",
    "blob:http://127.0.0.1/8f2c",
    "https://elsewhere.example/a.jpg",
    "//elsewhere.example/a.jpg",
  ]) {
    expect(imageSource(url)).toEqual({ src: url });
  }
});
