// A stop while requests are in flight: all of them complete normally.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient } from "@supabase/supabase-js";
import freePort from "get-port";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { copyPreparedDataDir, owner } from "../prepared-data-dir.ts";
import { openClient } from "../start-project.ts";
import { startSite, stopSite } from "../start-site.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let dataDir: string;
let port: number;
let url: string;
let site: Awaited<ReturnType<typeof startSite>>;
/** The site's output after its start. */
let log: string;
let keys: { publishableKey: string; secretKey: string };

beforeEach(async () => {
  const folder = await createTemporaryFolder("stop");
  dataDir = join(folder, "data");
  await copyPreparedDataDir(dataDir);
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
  await start();
  keys = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
});

afterEach(async () => {
  await stopSite(site);
  await rm(join(dataDir, ".."), { recursive: true, force: true });
});

async function start() {
  const environment = {
    DATA_DIR: dataDir,
    RATE_LIMITS: "off",
    OWNER_EMAIL: owner.email,
    OWNER_PASSWORD: owner.password,
  };
  site = await startSite(port, environment, { ownGroup: true, readOutput: true });
  log = "";
  for (const stream of [site.stdout, site.stderr]) {
    stream?.on("data", (chunk) => {
      log += chunk;
    });
  }
}

/** A terminal sends SIGINT to the site and all of its children. */
function pressCtrlC() {
  process.kill(-(site.pid ?? Number.NaN), "SIGINT");
}

/** A request whose body is sent in two halves: `finish` sends the second one. */
function sendHalf(path: string, body: Buffer, headers: Record<string, string>) {
  const request = httpRequest(`${url}${path}`, {
    method: "POST",
    headers: { ...headers, "content-length": body.length },
  });
  const response = responseTo(request);
  const half = Math.floor(body.length / 2);
  request.write(body.subarray(0, half));
  return {
    sent: once(request, "socket"),
    finish() {
      request.end(body.subarray(half));
      return response;
    },
  };
}

async function responseTo(request: ClientRequest): Promise<{ status: number; body: string }> {
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}

function getPage(path: string) {
  const request = httpRequest(`${url}${path}`, { agent: false });
  request.end();
  return responseTo(request);
}

async function isRejected(): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("error", () => resolve(true));
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
  });
}

test.each([
  ["SIGTERM", () => site.kill("SIGTERM")],
  ["Ctrl-C", pressCtrlC],
])(
  "%s completes every upload, message and page in flight and accepts nothing new",
  {
    timeout: 120_000,
  },
  async (_name, stop) => {
    const client = openClient({ url, anonKey: keys.publishableKey });
    const { data } = await client.auth.signInWithPassword(owner);
    const upload = sendHalf("/storage/v1/object/images/public/slow.png", png, {
      apikey: keys.publishableKey,
      authorization: `Bearer ${data.session?.access_token}`,
      "content-type": "image/png",
    });
    const message = sendHalf(
      "/functions/v1/send-email",
      Buffer.from(
        JSON.stringify({ name: "Ada", email: "ada@example.com", message: "Sent during a stop" }),
      ),
      { apikey: keys.publishableKey, "content-type": "application/json" },
    );
    const live = new WebSocket(
      `ws://127.0.0.1:${port}/realtime/v1/websocket?apikey=${keys.publishableKey}&vsn=2.0.0`,
    );
    await once(live, "open");
    const farewell = once(live, "close");
    const idle = connect(port, "127.0.0.1");
    idle.write("GET /healthz HTTP/1.1\r\nHost: site\r\n\r\n");
    await once(idle, "data");
    const idleClosed = once(idle, "close");
    const pages = ["/", "/blog", "/services", "/testimonials", "/"].map(getPage);
    await Promise.all([upload.sent, message.sent, Promise.race(pages)]);

    stop();
    await expect.poll(isRejected, { timeout: 10_000 }).toBe(true);
    expect(await farewell).toMatchObject([1001, expect.anything()]);
    await idleClosed;
    for (const page of await Promise.all(pages)) {
      expect(page.status).toBe(200);
      expect(page.body).toContain("</html>");
    }
    expect(site.exitCode).toBe(null);
    const exited = once(site, "exit");
    expect((await upload.finish()).status).toBe(200);
    expect((await message.finish()).status).toBe(200);
    expect(await exited).toEqual([0, null]);
    expect(log).not.toMatch(/"level":"(warning|error)"/);
    expect(existsSync(join(dataDir, "postgres/postmaster.pid"))).toBe(false);

    await start();
    const imageFile = await fetch(`${url}/storage/v1/object/public/images/public/slow.png`);
    expect(Buffer.from(await imageFile.arrayBuffer())).toEqual(png);
    const { data: stored } = await createClient(url, keys.secretKey)
      .from("contact_messages")
      .select("message");
    expect(stored).toEqual([{ message: "Sent during a stop" }]);
  },
);

test("a second signal does not wait for a request that never ends", {
  timeout: 60_000,
}, async () => {
  const endless = httpRequest(`${url}/functions/v1/send-email`, {
    method: "POST",
    headers: { "content-length": 100 },
  });
  endless.write("{");
  const cut = once(endless, "error");
  // A response to a later request shows that the site has read the earlier one.
  await once(endless, "socket");
  await getPage("/healthz");
  const exited = once(site, "exit");
  site.kill("SIGTERM");
  await expect.poll(isRejected, { timeout: 10_000 }).toBe(true);
  site.kill("SIGTERM");
  await cut;
  expect(await exited).toEqual([0, null]);
});
