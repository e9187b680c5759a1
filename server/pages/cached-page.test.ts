import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { matchesEtag, storePage } from "./cached-page.ts";

const html = ["content-type", "text/html; charset=utf-8", "x-frame-options", "DENY"];
const text = Buffer.from(
  Array.from({ length: 500 }, (_, n) => `<p>Paragraph ${n} of ${n * 7919}</p>`).join(""),
);

function headerOf(headers: string[], name: string): string | undefined {
  const at = headers.indexOf(name);
  return at < 0 ? undefined : headers[at + 1];
}

test("each encoding holds the same text and says how long it is", async () => {
  const page = await storePage(html, text);
  expect(brotliDecompressSync(page.body("br"))).toEqual(text);
  expect(gunzipSync(page.body("gzip"))).toEqual(text);
  expect(page.body("identity")).toEqual(text);
  for (const encoding of ["br", "gzip", "identity"] as const) {
    const headers = page.headers(encoding);
    expect(headerOf(headers, "content-length")).toBe(String(page.body(encoding).byteLength));
    expect(headerOf(headers, "vary")).toBe("accept-encoding");
    expect(headerOf(headers, "x-frame-options")).toBe("DENY");
  }
  expect(headerOf(page.headers("br"), "content-encoding")).toBe("br");
  expect(headerOf(page.headers("identity"), "content-encoding")).toBeUndefined();
});

test("the plain text is no burden until someone asks for it", async () => {
  let resized = 0;
  const page = await storePage(html, text, () => {
    resized++;
  });
  const before = page.bytes;
  expect(before).toBeLessThan(text.byteLength);
  page.body("identity");
  page.body("identity");
  expect(page.bytes).toBe(before + text.byteLength);
  expect(resized).toBe(1);
});

test("tightening makes the page smaller and changes nothing of it", async () => {
  const page = await storePage(html, text);
  const { etag } = page;
  const loose = page.body("br").byteLength;
  expect(page.loose).toBe(true);
  await page.tighten();
  expect(page.loose).toBe(false);
  expect(page.body("br").byteLength).toBeLessThan(loose);
  expect(headerOf(page.headers("br"), "content-length")).toBe(String(page.body("br").byteLength));
  expect(brotliDecompressSync(page.body("br"))).toEqual(text);
  expect(page.etag).toBe(etag);
});

test("a picture is kept as it came", async () => {
  const page = await storePage(["content-type", "image/png"], text);
  expect(page.body("br")).toEqual(text);
  expect(headerOf(page.headers("br"), "content-encoding")).toBeUndefined();
  expect(page.loose).toBe(false);
});

test("another policy is another version, although the text is the same", async () => {
  const one = await storePage([...html, "content-security-policy", "a"], text);
  const other = await storePage([...html, "content-security-policy", "b"], text);
  expect(one.etag).not.toBe(other.etag);
});

test.each([
  ['W/"a"', true],
  ['"a"', true],
  ['"b", W/"a"', true],
  ["*", true],
  ['W/"b"', false],
  ["a", false],
  [undefined, false],
])("If-None-Match %s", (header, matches) => {
  expect(matchesEtag(header, 'W/"a"')).toBe(matches);
});
