import fc from "fast-check";
import { expect, test } from "vitest";
import { isReference, withVersion } from "../../config/image-address.ts";
import { toReference } from "./image-reference.ts";

const time = "2026-03-01T12:00:00.000Z";

test.each([
  "http://127.0.0.1:3000/storage/v1/object/public/images/public/a%20b.png?t=17#x",
  "https://abc.supabase.co/storage/v1/render/image/public/images/public/a%20b.png?width=80",
  "images/public/a%20b.png?t=17",
  "images/public/a%20b.png",
])("%s becomes the reference to the upload", (address) => {
  expect(toReference(address)).toBe("images/public/a%20b.png");
});

test("other images keep their address, without the version", () => {
  expect(toReference("/a.svg?w=2&t=5#x")).toBe("/a.svg?w=2#x");
  expect(toReference("/a.svg?title=t")).toBe("/a.svg?title=t");
  const other = "https://x.example/storage/v1/object/public/other/public/a.png";
  expect(toReference(other)).toBe(other);
  expect(toReference(null)).toBeNull();
  expect(toReference("")).toBeNull();
});

test("what pages show is stored without its version", () => {
  const parameter = fc.tuple(fc.constantFrom("a", "b", "width"), fc.stringMatching(/^[a-z0-9]+$/));
  fc.assert(
    fc.property(
      fc.array(parameter),
      fc.constantFrom("", "#top"),
      fc.webPath(),
      (parameters, hash, path) => {
        const query = new URLSearchParams(parameters).toString();
        const url = `https://x.example${path}${query && `?${query}`}${hash}`;
        fc.pre(isReference(url));
        expect(toReference(withVersion(url, time))).toBe(url);
      },
    ),
  );
});
