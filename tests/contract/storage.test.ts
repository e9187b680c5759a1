// Storage of the embedded backend, called by the real supabase-js and, for what a client would not send, by plain
// requests. Who may do what is in tests/security/roles.test.ts.
import { randomUUID } from "node:crypto";
import { readdir, stat, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { createStorage } from "embedded-supabase/storage/storage.ts";
import sharp from "sharp";
import { afterEach, expect, test, vi } from "vitest";
import { openClient, setUpProject } from "../start-project.ts";

const red = sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } });
const png = await red.png().toBuffer();
const gif = await red.gif().toBuffer();
const asPng = { contentType: "image/png", cacheControl: "3600" };
const asGif = { contentType: "image/gif" };

const { project, sql, owner } = await setUpProject();

const { data } = await owner.auth.getSession();
const token = data.session?.access_token ?? "";
const images = bucketOf(owner);

/** After every test each row has its file, each file its row, and no partial upload is left. */
afterEach(async () => {
  await vi.waitFor(async () => {
    const rows = await sql<{ version: string }[]>`select version from storage.objects`;
    expect((await readdir(folder("objects"))).sort()).toEqual(
      rows.map(({ version }) => version).sort(),
    );
    expect(await readdir(folder("incoming"))).toEqual([]);
  }, patience);
});

/** `expect.poll` works in tests only, and once at a time. */
const patience = { timeout: 10_000 };

const folder = (name: string) => join(project.dataDir, "storage", name);
const newName = () => `public/${randomUUID()}.png`;

function bucketOf(client: ReturnType<typeof openClient>) {
  return client.storage.from("images");
}

async function uploaded(name = newName()): Promise<string> {
  expect((await images.upload(name, png, asPng)).error).toBeNull();
  return images.getPublicUrl(name).data.publicUrl;
}

async function bytesAt(address: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(address)).arrayBuffer());
}

/** Sends a request with the owner's session. */
function send(method: string, path: string, headers = {}, body?: BodyInit) {
  return fetch(`${project.url}/storage/v1/${path}`, {
    method,
    headers: { apikey: project.anonKey, authorization: `Bearer ${token}`, ...headers },
    body,
  });
}

test("an uploaded image is read by its public address, with GET and HEAD", async () => {
  const name = newName();
  const { data, error } = await images.upload(name, png, { ...asPng, upsert: false });
  expect(error).toBeNull();
  expect(data).toEqual({ path: name, fullPath: `images/${name}`, id: expect.any(String) });
  const { publicUrl } = images.getPublicUrl(name).data;
  for (const method of ["GET", "HEAD"]) {
    const response = await fetch(publicUrl, { method });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(png.length),
      "cache-control": "max-age=3600",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      "last-modified": expect.stringMatching(/GMT$/),
    });
    const body = Buffer.from(await response.arrayBuffer());
    expect(body).toEqual(method === "GET" ? png : Buffer.alloc(0));
  }
  for (const bucket of [images, bucketOf(openClient(project))]) {
    expect((await bucket.download(name)).data?.size).toBe(png.length);
  }
});

test("files are in the data folder under random names, readable by their user only", async () => {
  await uploaded();
  expect((await stat(folder("objects"))).mode & 0o777).toBe(0o700);
  for (const name of await readdir(folder("objects"))) {
    expect(name).toMatch(/^[0-9a-f-]{36}$/);
    expect((await stat(join(folder("objects"), name))).mode & 0o777).toBe(0o600);
  }
});

test("an upload to an existing name is rejected and keeps the first file", async () => {
  const name = newName();
  const address = await uploaded(name);
  const { error } = await images.upload(name, gif, asGif);
  expect(error).toMatchObject({ statusCode: "409", message: "The resource already exists" });
  expect(await bytesAt(address)).toEqual(png);
});

test("of several simultaneous uploads to one name exactly one succeeds", async () => {
  const name = newName();
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => images.upload(name, png, asPng)),
  );
  const codes = responses.flatMap(({ error }) => (error as { statusCode?: string })?.statusCode);
  expect(codes.toSorted()).toEqual([...Array(7).fill("409"), undefined]);
});

test("update and upsert replace the file and delete the old one", async () => {
  const name = newName();
  const address = await uploaded(name);
  expect((await images.update(name, gif, asGif)).error).toBeNull();
  expect(await bytesAt(address)).toEqual(gif);
  const upsert = () => images.upload(name, png, { ...asPng, upsert: true });
  await Promise.all(Array.from({ length: 6 }, upsert));
  expect(await bytesAt(address)).toEqual(png);
  const broken = await images.update(name, Buffer.from("<html>"), asPng);
  expect(broken.error).toMatchObject({ statusCode: "415" });
  expect(await bytesAt(address)).toEqual(png);
});

test("a PDF is stored under its first bytes", async () => {
  const pdfs = owner.storage.from("files");
  const asPdf = { contentType: "application/pdf" };
  const name = () => `files/${randomUUID()}.pdf`;
  const stored = await pdfs.upload(name(), Buffer.from("%PDF-1.7"), asPdf);
  expect(stored.error).toBeNull();
  for (const bytes of [Buffer.from("<script>"), png]) {
    const { error } = await pdfs.upload(name(), bytes, asPdf);
    expect(error).toMatchObject({ statusCode: "415" });
  }
  const large = Buffer.concat([Buffer.from("%PDF-1.7"), Buffer.alloc(10 * 1024 * 1024)]);
  expect((await pdfs.upload(name(), large, asPdf)).error).toMatchObject({ statusCode: "413" });
});

test("remove returns the removed objects, and their addresses stop working", async () => {
  const name = newName();
  const address = await uploaded(name);
  const { data, error } = await images.remove([name, "public/never.png"]);
  expect(error).toBeNull();
  expect(data).toMatchObject([{ name, bucket_id: "images" }]);
  const response = await fetch(address);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ statusCode: "404", error: "not_found" });
  expect(await images.remove([name])).toEqual({ data: [], error: null });
});

test("a file over the bucket's limit is rejected, however its size is declared", async () => {
  await sql`update storage.buckets set file_size_limit = 4000 where id = 'images'`;
  const large = Buffer.concat([png, Buffer.alloc(5000)]);
  const stream = new Blob([large]).stream();
  for (const body of [large, stream]) {
    const { error } = await images.upload(newName(), body, { ...asPng, duplex: "half" });
    expect(error).toMatchObject({
      statusCode: "413",
      message: "The object exceeded the maximum allowed size",
    });
  }
  await sql`update storage.buckets set file_size_limit = 50 * 1024 * 1024 where id = 'images'`;
});

test.each([
  // The server receives what follows its response for half a second, so that the client reads the response.
  ["owner", 51, "413"],
  ["visitor", 2, "403"],
])("the %s's rejected file of %i MB gets an error response", async (who, size, statusCode) => {
  const bucket = who === "owner" ? images : bucketOf(openClient(project));
  const { error } = await bucket.upload(newName(), Buffer.alloc(size * 1024 * 1024), asPng);
  expect(error).toMatchObject({ statusCode });
});

test.each([
  ["image/svg+xml", "<svg/>"],
  ["IMAGE/PNG", png],
  ["text/html", "<!doctype html>"],
  ["multipart/form-data; boundary=x", "--x--"],
  ["", "GIF89a"],
  ["image/png", "<!doctype html><script>alert(1)</script>"],
  ["image/jpeg", "<!doctype html>"],
  ["image/webp", "RIFF"],
  ["image/gif", "GIF"],
  ["image/gif", ""],
  ["image/png", gif],
])("the type %j is rejected for %j", async (type, content) => {
  const path = `object/images/${newName()}`;
  const response = await send("POST", path, { "content-type": type }, content as BodyInit);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ statusCode: "415", error: "invalid_mime_type" });
});

/** Pixels that compress badly, so that half of the file is not half of the image. */
const noisy = sharp({
  create: {
    ...{ width: 300, height: 200, channels: 3, background: "red" },
    noise: { type: "gaussian", mean: 128, sigma: 60 },
  },
});

test.each(["png", "jpeg", "gif", "webp"] as const)("half of a %s is rejected", async (format) => {
  const bytes = await noisy.clone().toFormat(format).toBuffer();
  const half = bytes.subarray(0, bytes.length / 2);
  const { error } = await images.upload(newName(), half, { contentType: `image/${format}` });
  expect(error).toMatchObject({
    statusCode: "400",
    message: expect.stringContaining("The image is damaged or incomplete"),
  });
});

test.each([false, true])(
  "a JPEG without its end marker is accepted (progressive: %s)",
  async (progressive) => {
    const bytes = await noisy.clone().jpeg({ progressive }).toBuffer();
    const type = { contentType: "image/jpeg" };
    const { error } = await images.upload(newName(), bytes.subarray(0, -2), type);
    expect(error).toBeNull();
  },
);

test("a small file that decodes to 30,000 x 30,000 pixels is rejected without decoding it", async () => {
  const bomb = Buffer.from(png);
  bomb.writeUInt32BE(30_000, 16);
  bomb.writeUInt32BE(30_000, 20);
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
  const before = process.resourceUsage().maxRSS;
  const { error } = await images.upload(newName(), bomb, asPng);
  expect(error).toMatchObject({
    statusCode: "400",
    message: expect.stringMatching("The image is too large: at most 100 megapixels"),
  });
  // Kilobytes; its pixels would take 3.6 GB.
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(500_000);
});

test.each(["gif", "webp"] as const)("an animated %s is accepted", async (format) => {
  const animation = sharp([png, await red.clone().negate().png().toBuffer()], {
    join: { animated: true },
  });
  const bytes = await animation.toFormat(format).toBuffer();
  const { error } = await images.upload(newName(), bytes, { contentType: `image/${format}` });
  expect(error).toBeNull();
});

test.each([
  "public/..%2f..%2f..%2fetc%2fpasswd",
  "public/%2e%2e%2f%2e%2e%2fsecrets.json",
  "%2fetc%2fpasswd",
  "public%2f",
  "..%5c..%5csecrets.json",
  "public/a%1b.png",
  "public//a.png",
  "public/a%.png",
  `public/${"a".repeat(1100)}.png`,
])("the name in %s is rejected", async (name) => {
  const type = { "content-type": "image/png" };
  const response = await send("POST", `object/images/${name}`, type, png as BodyInit);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ statusCode: "400", error: "InvalidKey" });
});

test("a file is moved under a valid name only", async () => {
  const name = newName();
  await uploaded(name);
  const { error } = await images.move(name, "public/../secret", {
    destinationBucket: "deleted-images",
  });
  expect(error).toMatchObject({ statusCode: "400" });
  const missing = await images.move(newName(), name, { destinationBucket: "deleted-images" });
  expect(missing.error).toMatchObject({ statusCode: "404", message: "Object not found" });
});

test("an upload that is cut off leaves nothing", async () => {
  const name = newName();
  await new Promise<void>((resolve, reject) => {
    const request = httpRequest(`${project.url}/storage/v1/object/images/${name}`, {
      method: "POST",
      headers: {
        ...{ apikey: project.anonKey, authorization: `Bearer ${token}` },
        ...{ "content-type": "image/png", "content-length": "1000000" },
      },
    });
    request.on("error", () => resolve());
    request.on("response", () => reject(new Error("there should be no answer")));
    request.write(png);
    vi.waitFor(async () => {
      expect(await readdir(folder("incoming"))).toHaveLength(1);
    }, patience).then(() => request.destroy(), reject);
  });
  expect(await sql`select from storage.objects where name = ${name}`).toHaveLength(0);
});

test("a known ETag or date responds with 304 without a body", async () => {
  const address = await uploaded();
  const { headers } = await fetch(address, { method: "HEAD" });
  const etag = headers.get("etag") ?? "";
  const date = { "if-modified-since": headers.get("last-modified") ?? "" };
  for (const [condition, status] of [
    [{ "if-none-match": etag }, 304],
    [{ "if-none-match": `"other", W/${etag}` }, 304],
    [date, 304],
    [{ ...date, "if-none-match": '"other"' }, 200],
  ] as const) {
    const response = await fetch(address, { headers: new Headers(Object.entries(condition)) });
    expect(response.status).toBe(status);
    expect(response.headers.get("etag")).toBe(etag);
    expect((await response.text()) === "").toBe(status === 304);
  }
});

test.each(["", "sb_publishable_wrong"])(
  "the owner's upload with the key %j is rejected",
  async (apikey) => {
    const headers = { apikey, "content-type": "image/png" };
    const response = await send("POST", `object/images/${newName()}`, headers, png as BodyInit);
    const message = "Invalid API key or token";
    expect(await response.json()).toMatchObject({ statusCode: "403", message });
  },
);

test.each([
  ["POST", "object/nowhere/a.png"],
  ["POST", "object/sign/images/public/a.png"],
  ["POST", "object/upload/sign/images/a"],
  ["POST", "object/list/images"],
  ["POST", "object/copy"],
  ["DELETE", "object/images/public/a.png"],
  ["GET", "object/authenticated/images/a.png"],
  ["GET", "bucket"],
  ["POST", "bucket"],
])("%s %s is not offered", async (method, path) => {
  const response = await send(method, path, {}, method === "POST" ? "{}" : undefined);
  expect(response.ok).toBe(false);
  expect(await response.json()).toMatchObject({ statusCode: "404" });
});

test("a start deletes what a crash left, and nothing else", async () => {
  const name = newName();
  const address = await uploaded(name);
  const orphan = join(folder("objects"), "00000000-0000-4000-8000-00000000dead");
  const halfReceived = join(folder("incoming"), "00000000-0000-4000-8000-00000000beef");
  await writeFile(orphan, "x");
  await writeFile(halfReceived, "x");
  const restarted = createStorage({
    ...{ sql, authenticate: async () => null, directory: join(project.dataDir, "storage") },
    findImageProblem: async () => null,
    onFilesChanged: () => {},
  });
  const response = await restarted(new Request(address));
  expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
  await expect(stat(orphan)).rejects.toThrow(/ENOENT/);
  await expect(stat(halfReceived)).rejects.toThrow(/ENOENT/);
});
