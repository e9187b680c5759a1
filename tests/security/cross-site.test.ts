// A page on another site that makes its visitor's browser write here, against the site as `npm
// start` runs it.
import type { ChildProcess } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import freePort from "get-port";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadSecrets, type Secrets } from "../../backend/secrets.ts";
import { copyPreparedDataDir } from "../prepared-data-dir.ts";
import { startSite, stopSite } from "../start-site.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

let folder: string;
let url: string;
let site: ChildProcess;
let secrets: Secrets;

const message = { name: "Mallory", email: "m@example.com", message: "Sent by another page." };
const review = { name: "Mallory", content: "Sent by another page.", rating: 1 };

beforeAll(async () => {
  folder = await createTemporaryFolder("cross-site");
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  await copyPreparedDataDir(join(folder, "data"));
  site = await startSite(port, { DATA_DIR: join(folder, "data") });
  secrets = loadSecrets(join(folder, "data"));
});

afterAll(async () => {
  await stopSite(site);
  await rm(folder, { recursive: true });
});

/** The headers that a browser adds to a form and a fetch of a page at https://evil.example. */
const elsewhere: [what: string, headers: Record<string, string>][] = [
  ["over HTTPS", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
  ["on a neighbouring host", { "sec-fetch-site": "same-site", origin: "https://a.example.com" }],
  ["over HTTP", { origin: "http://evil.example" }],
  ["in a sandboxed frame", { origin: "null" }],
];

const writes: [path: string, body: unknown][] = [
  ["/functions/v1/send-email", message],
  ["/rest/v1/testimonials", review],
  ["/auth/v1/token?grant_type=password", { email: "owner@example.com", password: "guess" }],
  ["/auth/v1/recover", { email: "owner@example.com" }],
  ["/storage/v1/object/images/public/a.png", "x"],
];

function post(path: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    headers: { "content-type": "text/plain", apikey: secrets.publishableKey, ...headers },
    body: JSON.stringify(body),
  });
}

async function countOf(table: string): Promise<number | null> {
  const client = createClient(url, secrets.secretKey);
  const { count } = await client
    .from(table)
    .select("*", { count: "exact", head: true })
    .eq("name", "Mallory");
  return count;
}

test.each(elsewhere)("nothing is written by a page %s", async (_where, headers) => {
  for (const [path, body] of writes) {
    const response = await post(path, body, headers);
    expect([path, response.status]).toEqual([path, 403]);
    expect(await response.json()).toMatchObject({ code: "cross_site" });
  }
  expect(await countOf("contact_messages")).toBe(0);
  expect(await countOf("testimonials")).toBe(0);
});

test("the site's own pages and non-browser clients can write", async () => {
  const sameOrigin = { "sec-fetch-site": "same-origin", origin: url };
  const allowed: Record<string, string>[] = [sameOrigin, { origin: url }, {}];
  for (const headers of allowed) {
    expect((await post("/functions/v1/send-email", message, headers)).status).toBe(200);
  }
  expect(await countOf("contact_messages")).toBe(3);
});

test("no response of the backend has CORS headers that let another site read it", async () => {
  const paths = ["/rest/v1/posts?select=id", "/rest/v1/nothing", "/auth/v1/user"];
  paths.push(
    "/storage/v1/object/public/images/a.png",
    "/functions/v1/send-email",
    "/auth/v1/nothing",
  );
  for (const path of paths) {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const response = await fetch(url + path, {
        method,
        headers: {
          apikey: secrets.publishableKey,
          origin: method === "GET" ? "https://evil.example" : url,
          "access-control-request-method": "POST",
          "access-control-request-headers": "apikey",
        },
      });
      const names = [...response.headers.keys()].filter((name) =>
        name.startsWith("access-control"),
      );
      expect([method, path, names]).toEqual([method, path, []]);
    }
  }
});
