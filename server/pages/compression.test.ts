import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { chooseEncoding, compressResponse } from "./compression.ts";

const words = "Coverage sized to the people who depend on you. ".repeat(50);

function page(body: BodyInit | null = words, headers: Record<string, string> = {}) {
  return new Response(body, { headers: { "content-type": "text/html", ...headers } });
}

test("compresses with the smallest encoding that the client accepts", async () => {
  const br = await compressResponse(page(), "gzip, br");
  expect(br.headers.get("content-encoding")).toBe("br");
  expect(brotliDecompressSync(await br.arrayBuffer()).toString()).toBe(words);

  const gzip = await compressResponse(page(), "gzip");
  expect(gzip.headers.get("content-encoding")).toBe("gzip");
  expect(gunzipSync(await gzip.arrayBuffer()).toString()).toBe(words);
});

test("sends plain text to other clients, and Vary to caches", async () => {
  const plain = await compressResponse(page(), undefined);
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(plain.headers.get("vary")).toBe("accept-encoding");
  expect(await plain.text()).toBe(words);
});

test("keeps status and headers, but not the length of the plain text", async () => {
  const missing = new Response(words, {
    status: 404,
    headers: { "content-type": "text/html", "content-length": "2400", "x-robots-tag": "noindex" },
  });
  const response = await compressResponse(missing, "br");
  expect(response.status).toBe(404);
  expect(response.headers.get("x-robots-tag")).toBe("noindex");
  expect(response.headers.get("content-length")).toBeNull();
});

test("leaves short, empty, compressed and image responses unchanged", async () => {
  for (const response of [
    page("short"),
    page(null),
    page(words, { "content-type": "image/png" }),
    page(words, { "content-encoding": "gzip" }),
  ]) {
    const encoding = response.headers.get("content-encoding");
    expect((await compressResponse(response, "br")).headers.get("content-encoding")).toBe(encoding);
  }
});

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["GZIP;q=0.5, br;q=0.1", "br"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.000, gzip;q=0", "identity"],
  ["*", "br"],
  ["*;q=0", "identity"],
  ["br;q=0, *", "gzip"],
  ["deflate", "identity"],
  ["", "identity"],
  [undefined, "identity"],
])("%s selects %s", (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding);
});
