// Storage of the embedded backend, called by the real supabase-js and, for what a client would not
// send, by plain requests.
import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type ServerType, serve } from "@hono/node-server";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { Hono } from "hono";
import { SignJWT } from "jose";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createAuthenticate, createSessions } from "../../backend/auth/authentication.ts";
import { connect, type Sql } from "../../backend/database.ts";
import { type PostgresServer, startPostgres } from "../../backend/postgres/server.ts";
import { loadSecrets, type Secrets } from "../../backend/secrets.ts";
import { headLength, matchesDeclaredType } from "../../backend/storage/check-image.ts";
import { createStorage } from "../../backend/storage/storage.ts";

const ownerId = "00000000-0000-4000-8000-000000000001";
const strangerId = "00000000-0000-4000-8000-000000000002";
/** Decoders stop at the end of the image, so padding after it gives a file of any size. */
const png = Buffer.concat([
  await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
    .png()
    .toBuffer(),
  Buffer.alloc(2008),
]).subarray(0, 2008);
const gif = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
  .gif()
  .toBuffer();
const root = join(import.meta.dirname, "../..");

let dataDir: string;
let postgres: PostgresServer;
let sql: Sql;
let secrets: Secrets;
let server: ServerType;
let url: string;
let anonymous: SupabaseClient;
let stranger: SupabaseClient;
let owner: SupabaseClient;
let ownerToken: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "storage-test-"));
  await chmod(dataDir, 0o711);
  secrets = loadSecrets(dataDir);
  postgres = await startPostgres(dataDir, secrets.databasePassword);
  sql = connect(postgres.url, 6);
  await sql.unsafe(`
    create schema auth;
    create table auth.users (
      id uuid primary key, email text, email_change text,
      created_at timestamptz default now(), last_sign_in_at timestamptz, invited_at timestamptz
    );
    create table auth.sessions (
      id uuid primary key, user_id uuid, user_agent text,
      created_at timestamptz, updated_at timestamptz, refreshed_at timestamp, not_after timestamptz
    );`);
  await runFile("backend/sql/platform.sql");
  await runFile("backend/storage/schema.sql");
  await runFile("backend/storage/schema.sql");
  const migrations = (await readdir(join(root, "supabase/migrations"))).sort();
  for (const name of migrations) await runFile(`supabase/migrations/${name}`);
  await sql`insert into auth.users (id) values (${ownerId}), (${strangerId})`;
  await sql`select public.make_owner(${ownerId})`;
  await sql`insert into storage.buckets (id, name, public, file_size_limit)
    values ('small', 'small', true, 4000), ('private', 'private', false, 4000)`;
  await sql.unsafe(`
    create policy "any signed-in user in the test buckets" on storage.objects for all to authenticated
    using (bucket_id in ('small', 'private') and (select public.is_owner()))
    with check (bucket_id in ('small', 'private') and (select public.is_owner()))`);

  const app = new Hono().mount("/", createTestStorage(), { replaceRequest: (request) => request });
  await new Promise<void>((resolve) => {
    server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
      url = `http://127.0.0.1:${port}`;
      resolve();
    });
  });
  ownerToken = await tokenFor(ownerId);
  anonymous = createClient(url, secrets.publishableKey);
  owner = clientWith(ownerToken);
  stranger = clientWith(await tokenFor(strangerId));
});

afterAll(async () => {
  server.close();
  await sql.end();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** After every test each row has its file, each file its row, and no partial upload is left. */
afterEach(async () => {
  await vi.waitFor(async () => {
    const rows = await sql<{ version: string }[]>`select version from storage.objects`;
    expect((await readdir(join(dataDir, "storage/objects"))).sort()).toEqual(
      rows.map(({ version }) => version).sort(),
    );
    expect(await readdir(join(dataDir, "storage/incoming"))).toEqual([]);
  });
});

function createTestStorage() {
  const authenticate = createAuthenticate(secrets, createSessions(sql));
  return createStorage({
    ...{ sql, authenticate, directory: join(dataDir, "storage") },
    onFilesChanged: () => {},
  });
}

async function runFile(path: string): Promise<void> {
  await sql.unsafe(await readFile(join(root, path), "utf8"));
}

/** An access token of a new session. */
async function tokenFor(userId: string, sessionId: string = randomUUID()): Promise<string> {
  await sql`insert into auth.sessions (id, user_id) values (${sessionId}, ${userId})`;
  return new SignJWT({ role: "authenticated", session_id: sessionId })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(userId)
    .setAudience("authenticated")
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(secrets.jwtSecret));
}

function clientWith(token: string): SupabaseClient {
  return createClient(url, secrets.publishableKey, { accessToken: async () => token });
}

function asOwner(headers: Record<string, string> = {}): Record<string, string> {
  return { apikey: secrets.publishableKey, authorization: `Bearer ${ownerToken}`, ...headers };
}

function pngBlob(content: Buffer<ArrayBuffer> = png): Blob {
  return new Blob([content], { type: "image/png" });
}

async function uploaded(name: string): Promise<string> {
  const { error } = await owner.storage
    .from("images")
    .upload(name, pngBlob(), { cacheControl: "3600" });
  expect(error).toBeNull();
  return owner.storage.from("images").getPublicUrl(name).data.publicUrl;
}

async function objectsNamed(name: string): Promise<number> {
  return (await sql`select from storage.objects where name = ${name}`).length;
}

test("the owner uploads an image and anyone reads it by its public address", async () => {
  const { data, error } = await owner.storage
    .from("images")
    .upload("public/first.png", pngBlob(), { cacheControl: "3600", upsert: false });
  expect(error).toBeNull();
  expect(data).toMatchObject({ path: "public/first.png", fullPath: "images/public/first.png" });
  expect(data?.id).toMatch(/^[0-9a-f-]{36}$/);

  const { publicUrl } = anonymous.storage.from("images").getPublicUrl("public/first.png").data;
  const response = await fetch(publicUrl);
  expect(response.status).toBe(200);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "image/png",
    "content-length": String(png.length),
    "cache-control": "max-age=3600",
    "x-content-type-options": "nosniff",
    "accept-ranges": "bytes",
    etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    "last-modified": expect.stringMatching(/GMT$/),
  });
  expect(response.headers.get("content-disposition")).toBeNull();
});

test("files are in the data folder under random names, readable by their user only", async () => {
  await uploaded("public/named.png");
  const folder = join(dataDir, "storage/objects");
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  for (const name of await readdir(folder)) {
    expect(name).toMatch(/^[0-9a-f-]{36}$/);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  }
});

test("a raw body with its own content type and cache control is accepted as well", async () => {
  const { error } = await owner.storage
    .from("images")
    .upload("public/raw.png", png, { contentType: "image/png", cacheControl: "60" });
  expect(error).toBeNull();
  const { publicUrl } = owner.storage.from("images").getPublicUrl("public/raw.png").data;
  const response = await fetch(publicUrl);
  expect(response.headers.get("cache-control")).toBe("max-age=60");
  expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
});

test("a form whose fields follow the file, as XMLHttpRequest may send it, is accepted", async () => {
  const form = new FormData();
  form.append("", pngBlob());
  form.append("cacheControl", "120");
  const response = await fetch(`${url}/storage/v1/object/images/public/form.png`, {
    method: "POST",
    headers: asOwner(),
    body: form,
  });
  expect(await response.json()).toMatchObject({ Key: "images/public/form.png" });
  const read = await fetch(`${url}/storage/v1/object/public/images/public/form.png`);
  expect(read.headers.get("cache-control")).toBe("max-age=120");
  await read.arrayBuffer();
});

test("visitors and signed-in strangers cannot upload, replace or remove", async () => {
  const address = await uploaded("public/guarded.png");
  for (const client of [anonymous, stranger]) {
    const bucket = client.storage.from("images");
    const denied = { statusCode: "403", message: "new row violates row-level security policy" };
    expect((await bucket.upload("public/theirs.png", pngBlob())).error).toMatchObject(denied);
    expect((await bucket.update("public/guarded.png", pngBlob())).error).toMatchObject(denied);
    expect(
      (await bucket.upload("public/guarded.png", pngBlob(), { upsert: true })).error,
    ).toMatchObject(denied);
    expect(await bucket.remove(["public/guarded.png"])).toEqual({ data: [], error: null });
    expect(await bucket.list("public")).toEqual({ data: [], error: null });
  }
  expect(await objectsNamed("public/theirs.png")).toBe(0);
  expect((await fetch(address, { method: "HEAD" })).status).toBe(200);
});

test("the owner can upload only where the policy allows it", async () => {
  const { error } = await owner.storage.from("images").upload("elsewhere/a.png", pngBlob());
  expect(error).toMatchObject({ statusCode: "403" });
});

test("an upload to an existing name is rejected with 409 and keeps the first file", async () => {
  const address = await uploaded("public/taken.png");
  const { error } = await owner.storage
    .from("images")
    .upload("public/taken.png", new Blob([gif], { type: "image/gif" }));
  expect(error).toMatchObject({
    status: 400,
    statusCode: "409",
    message: "The resource already exists",
  });
  expect(Buffer.from(await (await fetch(address)).arrayBuffer())).toEqual(png);
});

test("of several simultaneous uploads to one name exactly one succeeds", async () => {
  const responses = await Promise.all(
    Array.from({ length: 8 }, () =>
      owner.storage.from("images").upload("public/race.png", pngBlob()),
    ),
  );
  expect(responses.filter(({ error }) => !error)).toHaveLength(1);
  for (const { error } of responses) if (error) expect(error).toMatchObject({ statusCode: "409" });
});

test("update and upsert replace the file and delete the old one", async () => {
  const address = await uploaded("public/changing.png");
  const before = (await fetch(address, { method: "HEAD" })).headers.get("etag");
  const bucket = owner.storage.from("images");
  const replacement = new Blob([gif], { type: "image/gif" });
  expect((await bucket.update("public/changing.png", replacement)).error).toBeNull();
  const response = await fetch(address);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(gif);
  expect(response.headers.get("content-type")).toBe("image/gif");
  expect(response.headers.get("etag")).not.toBe(before);

  await Promise.all(
    Array.from({ length: 6 }, () =>
      bucket.upload("public/changing.png", pngBlob(), { upsert: true }),
    ),
  );
  expect(Buffer.from(await (await fetch(address)).arrayBuffer())).toEqual(png);
  expect(await objectsNamed("public/changing.png")).toBe(1);
});

test("a rejected replacement leaves the old file in place", async () => {
  const address = await uploaded("public/kept.png");
  const { error } = await owner.storage
    .from("images")
    .update("public/kept.png", new Blob(["<html>"], { type: "image/png" }));
  expect(error).toMatchObject({ statusCode: "415" });
  expect(Buffer.from(await (await fetch(address)).arrayBuffer())).toEqual(png);
});

test("remove returns the removed objects, and their addresses stop working", async () => {
  const address = await uploaded("public/removed.png");
  const { data, error } = await owner.storage
    .from("images")
    .remove(["public/removed.png", "public/never.png"]);
  expect(error).toBeNull();
  expect(data).toMatchObject([{ name: "public/removed.png", bucket_id: "images" }]);
  const response = await fetch(address);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ statusCode: "404", error: "not_found" });
  expect(await owner.storage.from("images").remove(["public/removed.png"])).toEqual({
    data: [],
    error: null,
  });
});

test("a single object is deleted by its own address", async () => {
  await uploaded("public/single.png");
  const target = `${url}/storage/v1/object/images/public/single.png`;
  const asVisitor = { apikey: secrets.publishableKey };
  const denied = await fetch(target, { method: "DELETE", headers: asVisitor });
  expect(await denied.json()).toMatchObject({ statusCode: "404" });
  const response = await fetch(target, { method: "DELETE", headers: asOwner() });
  expect(await response.json()).toEqual({ message: "Successfully deleted" });
});

test("list returns folders first, then files with their metadata, sorted and paged", async () => {
  for (const name of ["b.png", "a.png", "deep/er/c.png"]) await uploaded(`public/list/${name}`);
  const bucket = owner.storage.from("images");
  const { data, error } = await bucket.list("public/list");
  expect(error).toBeNull();
  expect(data?.map(({ name, id }) => [name, id === null])).toEqual([
    ["deep", true],
    ["a.png", false],
    ["b.png", false],
  ]);
  expect(data?.[1]?.metadata).toMatchObject({ size: png.length, mimetype: "image/png" });

  const sorted = await bucket.list("public/list", {
    limit: 1,
    offset: 1,
    sortBy: { column: "name", order: "desc" },
  });
  expect(sorted.data?.map(({ name }) => name)).toEqual(["b.png"]);
  const found = await bucket.list("public/list", { search: "A." });
  expect(found.data?.map(({ name }) => name)).toEqual(["a.png"]);
  expect((await bucket.list("public/li")).data).toEqual([]);
});

test("a file over the bucket's limit is rejected with 413, however its size is declared", async () => {
  const large = Buffer.concat([png, Buffer.alloc(5000)]);
  const { error } = await owner.storage.from("small").upload("large.png", pngBlob(large));
  expect(error).toMatchObject({
    statusCode: "413",
    message: "The object exceeded the maximum allowed size",
  });
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < large.length; at += 100)
        controller.enqueue(large.subarray(at, at + 100));
      controller.close();
    },
  });
  const streamed = await owner.storage
    .from("small")
    .upload("large.png", stream, { contentType: "image/png", duplex: "half" });
  expect(streamed.error).toMatchObject({ statusCode: "413" });
});

test("a file of 60 MB gets an error response, not a broken connection", async () => {
  const { error } = await owner.storage
    .from("images")
    .upload("public/huge.png", pngBlob(Buffer.concat([png, Buffer.alloc(60 * 1024 * 1024)])));
  expect(error).toMatchObject({ statusCode: "413" });
});

test("a visitor's large upload gets an error response as well", async () => {
  const { error } = await anonymous.storage
    .from("images")
    .upload("public/huge.png", pngBlob(Buffer.concat([png, Buffer.alloc(30 * 1024 * 1024)])));
  expect(error).toMatchObject({ statusCode: "403" });
});

test("a type that the bucket does not allow is rejected with 415", async () => {
  for (const type of ["image/svg+xml", "text/html", ""]) {
    const { error } = await owner.storage
      .from("images")
      .upload("public/page.svg", new Blob(["<svg/>"], { type }));
    expect(error).toMatchObject({ statusCode: "415" });
    expect(error?.message).toMatch(/^mime type \S+ is not supported/);
  }
});

test.each(["image/png", "image/jpeg", "image/webp", "image/gif"])(
  "a page declared as %s is rejected with 415",
  async (type) => {
    for (const text of ["<!doctype html><script>alert(1)</script>", "GIF", ""]) {
      const { error } = await owner.storage
        .from("images")
        .upload("public/fake", new Blob([text], { type }));
      expect(error).toMatchObject({ statusCode: "415" });
    }
  },
);

const undecodable: Record<string, () => Promise<Buffer> | Buffer> = {
  "a signature and noise behind it": () =>
    Buffer.concat([png.subarray(0, 8), Buffer.alloc(2000, 7)]),
  "a PNG with a damaged byte": async () => {
    const bytes = await noise().png().toBuffer();
    const middle = Math.floor(bytes.length / 2);
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 0xff, middle);
    return bytes;
  },
  "half a PNG": async () => half(await noise().png().toBuffer()),
  "half a JPEG": async () => half(await noise().jpeg().toBuffer()),
  "half a GIF": async () => half(await noise().gif().toBuffer()),
  "half a WebP": async () => half(await noise().webp().toBuffer()),
};

test.each(Object.entries(undecodable))("%s is rejected with a message", async (_what, make) => {
  const bytes = new Uint8Array(await make());
  const [type = ""] = ["png", "jpeg", "gif", "webp"]
    .map((format) => `image/${format}`)
    .filter((type) => matchesDeclaredType(type, Buffer.from(bytes.subarray(0, headLength))));
  const { error } = await owner.storage
    .from("images")
    .upload("public/damaged", new Blob([bytes], { type }));
  expect(error).toMatchObject({
    statusCode: "400",
    message: "The image is damaged or incomplete",
  });
  expect(await objectsNamed("public/damaged")).toBe(0);
});

test("a small file that decodes to 30,000 x 30,000 pixels is rejected without decoding it", async () => {
  const bomb = Buffer.from(png);
  bomb.writeUInt32BE(30_000, 16);
  bomb.writeUInt32BE(30_000, 20);
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
  const before = process.resourceUsage().maxRSS;
  const { error } = await owner.storage.from("images").upload("public/bomb.png", pngBlob(bomb));
  expect(error).toMatchObject({
    statusCode: "400",
    message: "The image is too large: at most 100 megapixels",
  });
  // Kilobytes; its pixels would take 3.6 GB.
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(500_000);
});

test("an animated GIF and an animated WebP are accepted", async () => {
  const frames = await Promise.all(
    ["red", "blue"].map((background) =>
      sharp({ create: { width: 20, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const animation = sharp(frames, { join: { animated: true } });
  for (const format of ["gif", "webp"] as const) {
    const bytes = new Uint8Array(await animation.clone().toFormat(format).toBuffer());
    const { error } = await owner.storage
      .from("images")
      .upload(`public/animated.${format}`, new Blob([bytes], { type: `image/${format}` }));
    expect(error).toBeNull();
  }
});

/** Pixels that compress badly, so that half of the file is not half of the image. */
function noise() {
  return sharp({
    create: {
      width: 300,
      height: 200,
      channels: 3,
      background: "red",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  });
}

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}

test.each([
  "images/public/..%2f..%2f..%2fetc%2fpasswd",
  "images/public/%2e%2e%2f%2e%2e%2fsecrets.json",
  "images/..%5c..%5csecrets.json",
  "images/public/a%00.png",
  "images/public/a%1b.png",
  "images/public//a.png",
  "images/public/a%.png",
  `images/public/${"a".repeat(1100)}.png`,
])("the name in %s is rejected", async (path) => {
  const response = await fetch(`${url}/storage/v1/object/${path}`, {
    method: "POST",
    headers: asOwner({ "content-type": "image/png" }),
    body: png,
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ statusCode: "400", error: "InvalidKey" });
});

test("path traversal in a raw request line reads no file", async () => {
  for (const path of [
    "/storage/v1/object/public/images/../../../../secrets.json",
    "/storage/v1/object/public/images/%2e%2e/%2e%2e/secrets.json",
    "/storage/v1/object/public/images/..%2f..%2fsecrets.json",
    "/storage/v1/../../secrets.json",
  ]) {
    const response = await new Promise<string>((resolve, reject) => {
      const socket = connectSocket(Number(new URL(url).port), "127.0.0.1");
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("end", () => resolve(text));
      socket.on("error", reject);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    });
    expect(response).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(response).not.toContain(secrets.databasePassword);
  }
});

test.each(["multipart/form-data; boundary=x", "image/png"])(
  "an upload (%s) that is cut off leaves nothing",
  async (type) => {
    await new Promise<void>((resolve, reject) => {
      const request = httpRequest(`${url}/storage/v1/object/images/public/cut.png`, {
        method: "POST",
        headers: asOwner({ "content-type": type, "content-length": "1000000" }),
      });
      request.on("error", () => resolve());
      request.on("response", () => reject(new Error("there should be no answer")));
      if (type.startsWith("multipart")) {
        request.write('--x\r\nContent-Disposition: form-data; name=""; filename="a"\r\n');
        request.write("Content-Type: image/png\r\n\r\n");
      }
      request.write(png);
      vi.waitFor(async () => {
        expect(await readdir(join(dataDir, "storage/incoming"))).toHaveLength(1);
      }).then(() => request.destroy(), reject);
    });
    expect(await objectsNamed("public/cut.png")).toBe(0);
  },
);

test("a form without its end, without a file or with two files is rejected", async () => {
  const part =
    '--x\r\nContent-Disposition: form-data; name=""; filename="a"\r\nContent-Type: image/gif\r\n\r\nGIF89a123456\r\n';
  for (const body of [part, "--x--\r\n", `${part}${part}--x--\r\n`]) {
    const response = await fetch(`${url}/storage/v1/object/images/public/odd.gif`, {
      method: "POST",
      headers: asOwner({ "content-type": "multipart/form-data; boundary=x" }),
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ statusCode: "400" });
  }
  expect(await objectsNamed("public/odd.gif")).toBe(0);
});

test("a known ETag or date responds with 304 without a body", async () => {
  const address = await uploaded("public/cached.png");
  const { headers } = await fetch(address, { method: "HEAD" });
  const etag = headers.get("etag") ?? "";
  const modified = headers.get("last-modified") ?? "";
  for (const condition of [
    { "if-none-match": etag },
    { "if-none-match": `"other", W/${etag}` },
    { "if-modified-since": modified },
  ]) {
    const response = await fetch(address, { headers: new Headers(Object.entries(condition)) });
    expect(response.status).toBe(304);
    expect(response.headers.get("etag")).toBe(etag);
    expect(await response.text()).toBe("");
  }
  const changed = await fetch(address, {
    headers: { "if-none-match": '"other"', "if-modified-since": modified },
  });
  expect(changed.status).toBe(200);
  await changed.arrayBuffer();
});

test("HEAD returns the headers of GET", async () => {
  const address = await uploaded("public/head.png");
  const response = await fetch(address, { method: "HEAD" });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-length")).toBe(String(png.length));
});

test.each([
  ["bytes=0-9", 206, "bytes 0-9/2008", 10],
  ["bytes=2000-", 206, "bytes 2000-2007/2008", 8],
  ["bytes=-8", 206, "bytes 2000-2007/2008", 8],
  ["bytes=0-99999", 206, "bytes 0-2007/2008", 2008],
  ["bytes=0-1,4-5", 200, null, 2008],
  ["bytes=9-1", 200, null, 2008],
  ["lines=1-2", 200, null, 2008],
  ["bytes=2008-", 416, "bytes */2008", null],
  ["bytes=-0", 416, "bytes */2008", null],
])("the range %s responds with %i", async (range, status, contentRange, length) => {
  const name = `public/range-${encodeURIComponent(range).replace(/%/g, "")}.png`;
  const response = await fetch(await uploaded(name), { headers: { range } });
  expect(response.status).toBe(status);
  expect(response.headers.get("content-range")).toBe(contentRange);
  const body = Buffer.from(await response.arrayBuffer());
  if (length) expect(body).toHaveLength(length);
  if (status === 206 && length === 8) expect(body).toEqual(png.subarray(-8));
});

test("a range of another version returns the whole file", async () => {
  const address = await uploaded("public/if-range.png");
  const response = await fetch(address, { headers: { range: "bytes=0-9", "if-range": '"old"' } });
  expect(response.status).toBe(200);
  expect(await response.arrayBuffer()).toHaveProperty("byteLength", png.length);
});

test("?download returns an attachment whose name cannot break the header", async () => {
  const address = await uploaded("public/download.png");
  const plain = await fetch(`${address}?download=`, { method: "HEAD" });
  expect(plain.headers.get("content-disposition")).toBe("attachment;");
  const name = encodeURIComponent('a"\r\nx: y é.png');
  const named = await fetch(`${address}?download=${name}`, { method: "HEAD" });
  expect(named.headers.get("content-disposition")).toBe(
    `attachment; filename=${name}; filename*=UTF-8''${name};`,
  );
  expect(named.headers.get("x")).toBeNull();
});

test("a private bucket is readable under the policies and never by a public address", async () => {
  const bucket = owner.storage.from("private");
  expect((await bucket.upload("secret.png", pngBlob())).error).toBeNull();
  const { data } = await bucket.download("secret.png");
  expect(await data?.arrayBuffer()).toHaveProperty("byteLength", png.length);
  for (const client of [anonymous, stranger]) {
    expect((await client.storage.from("private").download("secret.png")).error).not.toBeNull();
  }
  const authenticated = `${url}/storage/v1/object/authenticated/private/secret.png`;
  expect((await fetch(authenticated, { method: "HEAD", headers: asOwner() })).status).toBe(200);
  const open = await fetch(`${url}/storage/v1/object/public/private/secret.png`);
  expect(open.status).toBe(404);
  expect(await open.json()).toMatchObject({ statusCode: "404" });
});

test("buckets are listed for the secret key only, because no policy shows them", async () => {
  expect((await owner.storage.listBuckets()).data).toEqual([]);
  expect((await owner.storage.getBucket("images")).error).toMatchObject({ statusCode: "404" });
  const service = createClient(url, secrets.secretKey);
  expect((await service.storage.getBucket("images")).data).toMatchObject({
    id: "images",
    public: true,
    file_size_limit: 50 * 1024 * 1024,
  });
  expect((await service.storage.listBuckets()).data?.map(({ id }) => id)).toContain("small");
});

test("an upload to a bucket that does not exist reports it", async () => {
  const { error } = await owner.storage.from("nowhere").upload("a.png", pngBlob());
  expect(error).toMatchObject({ statusCode: "404", message: "Bucket not found" });
});

test("a request with no key, a wrong key, an expired token or one of an ended session is rejected", async () => {
  const address = `${url}/storage/v1/object/images/public/x.png`;
  expect((await fetch(address)).status).toBe(401);
  const expired = await new SignJWT({ role: "authenticated" })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(ownerId)
    .setAudience("authenticated")
    .setExpirationTime(1)
    .sign(new TextEncoder().encode(secrets.jwtSecret));
  const sessionId = randomUUID();
  const ended = await tokenFor(ownerId, sessionId);
  await sql`delete from auth.sessions where id = ${sessionId}`;
  for (const client of [
    createClient(url, "sb_publishable_wrong"),
    clientWith(expired),
    clientWith(ended),
  ]) {
    const { error } = await client.storage.from("images").upload("public/x.png", pngBlob());
    expect(error).toMatchObject({ statusCode: "403", message: "Invalid API key or token" });
  }
});

test("unsupported endpoints respond with 404 in Storage's error shape", async () => {
  for (const path of [
    "object/sign/images/public/a.png",
    "object/upload/sign/images/a",
    "nothing",
  ]) {
    const response = await fetch(`${url}/storage/v1/${path}`, {
      method: "POST",
      headers: asOwner(),
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ statusCode: "404", error: "Not Found" });
  }
});

test("a start deletes what a crash left, and nothing else", async () => {
  const address = await uploaded("public/survivor.png");
  const orphan = join(dataDir, "storage/objects/00000000-0000-4000-8000-00000000dead");
  const halfReceived = join(dataDir, "storage/incoming/00000000-0000-4000-8000-00000000beef");
  await writeFile(orphan, "x");
  await writeFile(halfReceived, "x");
  const restarted = createTestStorage();
  const response = await restarted(new Request(address));
  expect(await response.arrayBuffer()).toHaveProperty("byteLength", png.length);
  await expect(stat(orphan)).rejects.toThrow(/ENOENT/);
  await expect(stat(halfReceived)).rejects.toThrow(/ENOENT/);
});
