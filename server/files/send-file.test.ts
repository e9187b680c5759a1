import { expect, test } from "vitest";
import { createSendFile } from "./send-file.ts";

const site = "https://www.example.com";

/** Responds as a project that stores one file. */
function sendFileOf(stored: () => Response) {
  const asked: string[] = [];
  const send = createSendFile("https://abc.supabase.co", async (url) => {
    asked.push(String(url));
    return stored();
  });
  return {
    asked,
    get: (path: string, method = "GET") => send(new Request(site + path, { method })),
  };
}

const pdf = () =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const part of ["%P", "DF-1.7 ", "words"]) controller.enqueue(Buffer.from(part));
        controller.close();
      },
    }),
    { headers: { "content-type": "text/html", "set-cookie": "a=b" } },
  );

test("a PDF is a download under its own name, in which nothing runs", async () => {
  const { asked, get } = sendFileOf(pdf);
  const response = await get("/files/form-crs-0123456789abcdef.pdf?x=1");
  expect(asked).toEqual([
    "https://abc.supabase.co/storage/v1/object/public/files/files/form-crs-0123456789abcdef.pdf",
  ]);
  expect(Object.fromEntries(response?.headers ?? [])).toEqual({
    "cache-control": "public, max-age=3600",
    "content-disposition": 'attachment; filename="form-crs.pdf"',
    "content-security-policy": "default-src 'none'; sandbox",
    "content-type": "application/pdf",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
  });
  expect(await response?.text()).toBe("%PDF-1.7 words");
  const head = await get("/files/form-crs-0123456789abcdef.pdf", "HEAD");
  expect([head?.status, head?.body]).toEqual([200, null]);
});

test("other bytes and other spellings of an address are no file", async () => {
  for (const content of ["<script>", "%PDF", ""]) {
    const { get } = sendFileOf(() => new Response(content));
    expect([content, await get("/files/a.pdf")]).toEqual([content, null]);
  }
  const { asked, get } = sendFileOf(pdf);
  for (const path of [
    "/files/a",
    "/files/A.pdf",
    "/files/%61.pdf",
    "/files/x/a.pdf",
    "/files/..%2fa.pdf",
    "/files//a.pdf",
  ]) {
    expect([path, await get(path)]).toEqual([path, null]);
  }
  expect(asked).toEqual([]);
});

test("a missing file differs from a backend that does not respond", async () => {
  const statusOf = async (stored: () => Response) =>
    (await sendFileOf(stored).get("/files/a.pdf"))?.status;
  for (const status of [400, 404]) {
    expect(await statusOf(() => new Response("{}", { status }))).toBeUndefined();
  }
  for (const status of [429, 500]) {
    expect(await statusOf(() => new Response("{}", { status }))).toBe(503);
  }
  expect(await statusOf(() => Response.error())).not.toBe(200);
  const failed = () => {
    throw new TypeError("fetch failed");
  };
  expect(await statusOf(failed)).toBe(503);
});
