import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createCachedPage } from "./cached-page.ts";

const html = ["content-type", "text/html; charset=utf-8", "x-frame-options", "DENY"];
const text = Buffer.from(
  Array.from({ length: 500 }, (_, n) => `<p>Paragraph ${n} of ${n * 7919}</p>`).join(""),
);

function headerOf(headers: string[], name: string): string | undefined {
  const at = headers.indexOf(name);
  return at < 0 ? undefined : headers[at + 1];
}

test("every encoding has the same text and its own Content-Length", async () => {
  const page = await createCachedPage(html, text);
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

test.each(["gzip", "identity"] as const)(
  "makes and keeps the %s body only for a request",
  async (encoding) => {
    let resized = 0;
    const page = await createCachedPage(html, text, () => {
      resized++;
    });
    const before = page.bytes;
    expect(before).toBeLessThan(text.byteLength);
    expect(page.body(encoding)).toBe(page.body(encoding));
    expect(page.bytes).toBe(before + page.body(encoding).byteLength);
    expect(resized).toBe(1);
  },
);

test("does not keep the uncompressed text of a page with more than 2 MB", async () => {
  const large = Buffer.alloc(2 * 1024 * 1024 + 1, text);
  const page = await createCachedPage(html, large, () => expect.fail("The size changed"));
  expect(page.body("identity")).toEqual(large);
  expect(headerOf(page.headers("identity"), "content-length")).toBe(String(large.byteLength));
  expect(page.bytes).toBeLessThan(large.byteLength);
});

test("recompressing makes the page smaller and keeps its text and ETag", async () => {
  const page = await createCachedPage(html, text);
  const { etag } = page;
  const loose = page.body("br").byteLength;
  expect(page.canRecompress).toBe(true);
  await page.recompress();
  expect(page.canRecompress).toBe(false);
  expect(page.body("br").byteLength).toBeLessThan(loose);
  expect(headerOf(page.headers("br"), "content-length")).toBe(String(page.body("br").byteLength));
  expect(brotliDecompressSync(page.body("br"))).toEqual(text);
  expect(page.etag).toBe(etag);
});

test("an image is stored unchanged", async () => {
  const page = await createCachedPage(["content-type", "image/png"], text);
  expect(page.body("br")).toEqual(text);
  expect(headerOf(page.headers("br"), "content-encoding")).toBeUndefined();
  expect(page.canRecompress).toBe(false);
});

test("a different header changes the ETag", async () => {
  const one = await createCachedPage([...html, "content-security-policy", "a"], text);
  const other = await createCachedPage([...html, "content-security-policy", "b"], text);
  expect(one.etag).not.toBe(other.etag);
});
