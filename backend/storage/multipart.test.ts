import { expect, test } from "vitest";
import { boundaryOf, readParts } from "./multipart.ts";

async function* inPieces(text: string, length: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text, "latin1");
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function readAll(text: string, boundary: string, pieceLength: number) {
  const parts: { name: string; filename: string | null; type: string | null; text: string }[] = [];
  for await (const part of readParts(inPieces(text, pieceLength), boundary)) {
    let content = "";
    for await (const chunk of part.content) content += chunk.toString("latin1");
    const { name, filename, contentType: type } = part;
    parts.push({ name, filename, type, text: content });
  }
  return parts;
}

const tricky = "\r\n--\r\n--bound\r\n\r\n--boundar-\0\xff\r";
const body = [
  "--boundary\r\n",
  'Content-Disposition: form-data; name="cacheControl"\r\n\r\n3600\r\n',
  "--boundary\r\n",
  'Content-Disposition: form-data; name=""; filename="blob"\r\nContent-Type: image/png\r\n\r\n',
  `${tricky}\r\n`,
  "--boundary--\r\n",
].join("");

test("parts are found wherever the chunks are cut, also around text that looks like a boundary", async () => {
  for (let length = 1; length <= body.length; length += 1) {
    expect(await readAll(body, "boundary", length)).toEqual([
      { name: "cacheControl", filename: null, type: null, text: "3600" },
      { name: "", filename: "blob", type: "image/png", text: tricky },
    ]);
  }
});

test("what FormData makes is read back", async () => {
  const form = new FormData();
  form.append("cacheControl", "60");
  form.append("", new File(["x".repeat(100_000)], 'a "quoted" name.png', { type: "image/png" }));
  const request = new Request("http://localhost", { method: "POST", body: form });
  const boundary = boundaryOf(request.headers.get("content-type") ?? "") ?? "";
  const [field, file] = await readAll(await request.text(), boundary, 1000);
  expect(field?.text).toBe("60");
  expect(file).toMatchObject({ type: "image/png", text: "x".repeat(100_000) });
});

test("a part that is left alone is skipped", async () => {
  const names: string[] = [];
  for await (const part of readParts(inPieces(body, 7), "boundary")) names.push(part.name);
  expect(names).toEqual(["cacheControl", ""]);
});

test.each([
  ["cut off in the content", body.slice(0, -20)],
  ["without any boundary", "hello"],
  ["with endless headers", `--boundary\r\nX: ${"y".repeat(20_000)}\r\n\r\n`],
  ["with a part that is no form data", "--boundary\r\nX: y\r\n\r\nz\r\n--boundary--"],
  [
    "with too many parts",
    `${'--boundary\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(50)}--boundary--`,
  ],
])("a body %s is refused", async (_what, text) => {
  await expect(readAll(text, "boundary", 1000)).rejects.toThrow(/malformed/);
});

test("the boundary is taken from the header, quoted or not", () => {
  expect(boundaryOf("multipart/form-data; boundary=abc")).toBe("abc");
  expect(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b"')).toBe("a b");
  expect(boundaryOf("image/png")).toBe(null);
});
