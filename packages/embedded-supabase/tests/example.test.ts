// A project that is not the site: what its migrations, its function and its configuration offer works with an unmodified
// supabase-js, and nothing else is there.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { backUp } from "../src/backup/backup.ts";
import { restore } from "../src/backup/restore.ts";
import { readRestApi } from "../src/rest/rest-api.ts";
import { type Backend, startBackend } from "../src/start.ts";
import { exampleConfig } from "./example/config.ts";

const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const account = { email: "ada@example.com", password: "ten characters" };

let folder: string;
let url: string;
let backend: Backend;
const server = createServer(getRequestListener((request) => backend.fetch(request)));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "example-"));
  // Under root, PostgreSQL runs as another user.
  await chmod(folder, 0o711);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  backend = await startBackend({
    ...{ config: exampleConfig, dataDir: join(folder, "data"), siteUrl: () => url },
    ...{ readMailMode: async () => "printed", rateLimits: true, visitorAddress: () => null },
    environments: { greet: { GREETING: "Good morning" } },
    onStep: () => {},
  });
  server.on("upgrade", (request, socket, head) => backend.upgrade(request, socket, head));
  await backend.createUser(account.email, account.password);
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await backend?.stop();
  await rm(folder, { recursive: true });
});

function open() {
  return createClient(url, backend.publishableKey, { auth: { persistSession: false } });
}

test("a person reads, writes and hears of the own notes", async () => {
  const client = open();
  const visitor = await client.from("notes").select("text");
  expect(visitor.error?.code).toBe("42501");
  expect((await client.auth.signInWithPassword(account)).error).toBeNull();
  const heard: unknown[] = [];
  // A channel is subscribed before the database sends changes to it.
  const { promise: ready, resolve: onReady } = Promise.withResolvers<{ status: string }>();
  client
    .channel("notes")
    .on("postgres_changes", { event: "*", schema: "public", table: "notes" }, (change) =>
      heard.push(change.new),
    )
    .on("system", {}, onReady)
    .subscribe();
  expect(await ready).toMatchObject({ status: "ok" });
  await client.from("notes").insert({ text: "First" }).throwOnError();
  await expect.poll(() => heard).toMatchObject([{ text: "First" }]);
  const { data } = await client.from("notes").select("text").order("created_at").throwOnError();
  expect(data).toEqual([{ text: "First" }]);
  expect((await client.rpc("count_notes")).data).toBe(1);
  expect((await client.from("notes").insert({ text: "a".repeat(201) })).error?.code).toBe("23514");
  await client.removeAllChannels();
});

test("an image is stored for who is signed in, and shown to everyone", async () => {
  const client = open();
  const upload = () =>
    client.storage.from("images").upload("a.gif", gif, { contentType: "image/gif" });
  expect((await upload()).error).not.toBeNull();
  await client.auth.signInWithPassword(account);
  expect((await upload()).error).toBeNull();
  const { publicUrl } = client.storage.from("images").getPublicUrl("a.gif").data;
  expect(Buffer.from(await (await fetch(publicUrl)).arrayBuffer())).toEqual(gif);
});

test("a function runs with its environment, as often as its limit allows", async () => {
  const greet = () => open().functions.invoke("greet", { body: { name: "Ada" } });
  expect((await greet()).data).toEqual({ greeting: "Good morning, Ada" });
  expect((await greet()).error).toBeNull();
  const { error } = await greet();
  expect(error?.context.status).toBe(429);
  expect(await error?.context.json()).toMatchObject({
    error: expect.stringMatching(/^Too many greetings/),
  });
});

test.each([
  ["rest/v1/posts", 404],
  ["functions/v1/send-email", 404],
  ["rest/v1/notes?text=eq.First", 400],
])("%s is not offered", async (path, status) => {
  const response = await fetch(`${url}/${path}`, { headers: { apikey: backend.publishableKey } });
  expect(response.status).toBe(status);
});

test("a configuration that does not fit the migrations names what is missing", async () => {
  await backend.sql`alter table notes add column remark text`;
  const config = { ...exampleConfig.rest, tables: { memos: { filters: {}, order: [] } } };
  await expect(readRestApi(backend.sql, config)).rejects.toThrow(
    `memos is listed, but no migration creates it.
The table notes has no filters and no order.
notes.remark needs a CHECK of its length, or columnBytes.`,
  );
  await backend.sql`alter table notes drop column remark`;
});

test("a backup of the project is restored as this project only", async () => {
  const file = join(folder, "notes.backup");
  const { rows } = await backUp(exampleConfig, join(folder, "data"), file);
  const options = { file, dataDir: join(folder, "restored"), replace: false, onStep: () => {} };
  const other = { ...exampleConfig, name: "other" };
  await expect(restore({ ...options, config: other })).rejects.toThrow("not a backup of this site");
  expect(await restore({ ...options, config: exampleConfig })).toMatchObject({ rows, images: 1 });
});
