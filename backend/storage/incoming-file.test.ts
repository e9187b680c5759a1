import { expect, test } from "vitest";
import { readIncomingFile } from "./incoming-file.ts";

const boundary = "boundary";
const tricky = "\r\n--\r\n--bound\r\n\r\n--boundar-\0\xff\r";
const field = `--${boundary}\r\nContent-Disposition: form-data; name="cacheControl"\r\n\r\n3600\r\n`;
const file = `--${boundary}\r\nContent-Disposition: form-data; name=""; filename="blob"\r\nContent-Type: image/png\r\n\r\n${tricky}\r\n`;
const end = `--${boundary}--\r\n`;

function requestOf(text: string, chunkLength: number): Request {
  const bytes = Buffer.from(text, "latin1");
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + chunkLength)));
      at += chunkLength;
    },
  });
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  // The DOM's types lack `duplex`, which a stream as a body requires.
  const init = { method: "POST", headers, body, duplex: "half" };
  return new Request("http://localhost", init);
}

async function readText(_type: string, content: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of content) text += chunk.toString("latin1");
  return text;
}

test("finds the file in chunks of any length, also around text that looks like a boundary", async () => {
  const body = field + file + end;
  for (let length = 1; length <= body.length; length += 1) {
    expect(await readIncomingFile(requestOf(body, length), readText)).toEqual({
      received: tricky,
      contentType: "image/png",
      cacheControl: "max-age=3600",
    });
  }
});

test("reads what FormData sends", async () => {
  const form = new FormData();
  form.append("", new File(["x".repeat(100_000)], 'a "quoted" name.png', { type: "image/png" }));
  form.append("cacheControl", "60");
  const request = new Request("http://localhost", { method: "POST", body: form });
  expect(await readIncomingFile(request, readText)).toEqual({
    received: "x".repeat(100_000),
    contentType: "image/png",
    cacheControl: "max-age=60",
  });
});

test("reads a raw body with its own type and Cache-Control", async () => {
  const headers = { "content-type": "image/PNG; a=b", "cache-control": "max-age=5" };
  const request = new Request("http://localhost", { method: "POST", body: "bytes", headers });
  expect(await readIncomingFile(request, readText)).toEqual({
    received: "bytes",
    contentType: "image/png",
    cacheControl: "max-age=5",
  });
});

test.each([
  ["is cut off in the file", (field + file).slice(0, -20)],
  ["is cut off in a header", file.slice(0, 60)],
  ["has no boundary", "hello"],
  ["is empty", ""],
  ["has an endless header", `--${boundary}\r\nX: ${"y".repeat(20_000)}\r\n\r\n`],
  ["has a part without a name", `--${boundary}\r\nX: y\r\n\r\nz\r\n${end}`],
  ["has too many parts", field.repeat(50) + file + end],
  ["has two files", file + file + end],
  ["has no file", field + end],
])("rejects a body that %s", async (_what, text) => {
  for (const length of [7, 100_000]) {
    const reading = readIncomingFile(requestOf(text, length), readText);
    await expect(reading).rejects.toMatchObject({ statusCode: 400 });
  }
});

test("rejects a header without a boundary", async () => {
  const headers = { "content-type": "multipart/form-data" };
  const request = new Request("http://localhost", { method: "POST", body: field, headers });
  await expect(readIncomingFile(request, readText)).rejects.toMatchObject({ statusCode: 400 });
});

test("a rejected file ends the request with the receiver's error and leaves the rest of the body", async () => {
  const request = requestOf(field + file + "x".repeat(500_000) + end, 1000);
  const rejection = new Error("rejected");
  await expect(readIncomingFile(request, () => Promise.reject(rejection))).rejects.toBe(rejection);
  expect(request.body?.locked).toBe(false);
});

test("waits until the receiver has ended before it rejects a body that is cut off", async () => {
  let hasEnded = false;
  const reading = readIncomingFile(requestOf(file.slice(0, -20), 10), async (_type, content) => {
    try {
      for await (const _ of content);
    } finally {
      await new Promise((resolve) => setImmediate(resolve));
      hasEnded = true;
    }
  });
  await expect(reading).rejects.toMatchObject({ statusCode: 400 });
  expect(hasEnded).toBe(true);
});
