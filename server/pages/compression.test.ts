import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { compressAnswer } from "./compression.ts";

const words = "Coverage sized to the people who depend on you. ".repeat(50);

function page(body: BodyInit | null = words, headers: Record<string, string> = {}) {
  return new Response(body, { headers: { "content-type": "text/html", ...headers } });
}

test("a page is sent in the tightest encoding that its reader knows", async () => {
  const br = await compressAnswer(page(), "gzip, br");
  expect(br.headers.get("content-encoding")).toBe("br");
  expect(brotliDecompressSync(await br.arrayBuffer()).toString()).toBe(words);

  const gzip = await compressAnswer(page(), "gzip");
  expect(gzip.headers.get("content-encoding")).toBe("gzip");
  expect(gunzipSync(await gzip.arrayBuffer()).toString()).toBe(words);
});

test("a reader who knows none gets plain text, and caches hear that others do", async () => {
  const plain = await compressAnswer(page(), undefined);
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(plain.headers.get("vary")).toBe("accept-encoding");
  expect(await plain.text()).toBe(words);
});

test("status and headers stay, and no length that was true of the plain text", async () => {
  const missing = new Response(words, {
    status: 404,
    headers: { "content-type": "text/html", "content-length": "2400", "x-robots-tag": "noindex" },
  });
  const answer = await compressAnswer(missing, "br");
  expect(answer.status).toBe(404);
  expect(answer.headers.get("x-robots-tag")).toBe("noindex");
  expect(answer.headers.get("content-length")).toBeNull();
});

test("what is short, a picture, empty or compressed already is left as it is", async () => {
  for (const answer of [
    page("short"),
    page(null),
    page(words, { "content-type": "image/png" }),
    page(words, { "content-encoding": "gzip" }),
  ]) {
    const encoding = answer.headers.get("content-encoding");
    expect((await compressAnswer(answer, "br")).headers.get("content-encoding")).toBe(encoding);
  }
});
