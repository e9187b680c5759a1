import fc from "fast-check";
import { expect, test } from "vitest";
import { isReference, publicImageAddress, withVersion } from "./image-address.ts";

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

test("references stay references, and a missing image stays missing", () => {
  expect(withVersion("images/public/a%20b.png", time)).toBe(`images/public/a%20b.png?t=${t}`);
  expect(withVersion("/images/a.svg", time)).toBe(`/images/a.svg?t=${t}`);
  expect(withVersion(null, time)).toBeNull();
  expect(withVersion("", time)).toBeNull();
});

test("what is no reference is dropped: another kind of address, or another spelling of an upload", () => {
  for (const url of [
    "javascript:alert(1)",
    " javascript:alert(1)",
    "data:image/svg+xml,<svg onload=alert(1)>",
    "//evil.example/a.png",
    "/\\evil.example/a.png",
    "a.png",
    "file:///etc/passwd",
    "/images/800/uploads/a.png",
    "images/public/./a.png",
    "https://x.example/storage/v1/object/public/images/public/a.png",
  ]) {
    expect(withVersion(url, time)).toBeNull();
  }
});

test("with any address, t is set once", () => {
  const parameter = fc.tuple(
    fc.constantFrom("a", "b", "width"),
    fc.stringMatching(/^[a-z0-9]{1,5}$/),
  );
  fc.assert(
    fc.property(
      fc.array(parameter),
      fc.constantFrom("", "#top"),
      fc.webPath(),
      (parameters, hash, path) => {
        const query = new URLSearchParams(parameters).toString();
        const url = `https://x.example${path}${query && `?${query}`}${hash}`;
        fc.pre(isReference(url));
        const versioned = withVersion(withVersion(url, "2020-01-01T00:00:00Z"), time);
        expect(versioned?.match(/[?&]t=/g)).toHaveLength(1);
      },
    ),
  );
});

test.each([
  ["images/public/a%20b.jpg?t=17", "https://site.example/images/1200/uploads/a%20b.jpg?t=17"],
  ["/images/portrait.jpg", "https://site.example/images/1200/site/images/portrait.jpg"],
  ["/images/neutral/hero.svg?t=17", "https://site.example/images/neutral/hero.svg?t=17"],
  ["https://elsewhere.example/a.jpg", "https://elsewhere.example/a.jpg"],
  ["http://[", ""],
  ["", ""],
  [null, ""],
])("feeds and search engines get %j as %j", (reference, address) => {
  expect(publicImageAddress(reference, "https://site.example")).toBe(address);
});
