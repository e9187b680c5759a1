import { expect, test } from "vitest";
import { parseImageAddress } from "./image-request.ts";

const parse = (path: string) => parseImageAddress(`http://127.0.0.1${path}`);

test("an address names a width, a picture and its version", () => {
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

test("only the site's own sizes exist", () => {
  for (const size of ["801", "0", "-320", "0320", "320x181", "320x", "1e3", "320.0", "99999"]) {
    expect(parse(`/images/${size}/uploads/a.jpg`), size).toBeNull();
  }
});

test("no name leads out of its folder or to a hidden file", () => {
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

test("another source than the two is nothing", () => {
  expect(parse("/images/320/https://elsewhere.example/a.jpg")).toBeNull();
  expect(parse("/images/320/other/a.jpg")).toBeNull();
});

test("a version is a time, not a way to make a picture anew without end", () => {
  expect(parse("/images/320/uploads/a.jpg?t=abc")?.version).toBeNull();
});
