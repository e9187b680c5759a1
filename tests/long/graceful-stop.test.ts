// A stop while requests are open: all of them complete normally.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient } from "@supabase/supabase-js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { png } from "../small-files.ts";
import { signIn } from "../start-project.ts";
import { type NewSite, startNewSite } from "../start-site.ts";

const longTimeout = { timeout: 120_000 };

let site: NewSite;

beforeEach(async () => {
  site = await startNewSite({}, { ownGroup: true, readOutput: true });
});

afterEach(() => site.stop());

/** A request whose body is sent in two halves: `finish` sends the second one. */
function sendHalf(path: string, body: Buffer, headers: Record<string, string>) {
  const request = httpRequest(`${site.url}${path}`, {
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
  const request = httpRequest(`${site.url}${path}`, { agent: false });
  request.end();
  return responseTo(request);
}

async function isRejected(): Promise<boolean> {
  const socket = connect(site.port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("error", () => resolve(true));
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
  });
}

test.each([
  ["SIGTERM", () => site.process.kill("SIGTERM")],
  // A terminal sends SIGINT to the site and all of its children.
  ["Ctrl-C", () => process.kill(-(site.process.pid ?? Number.NaN), "SIGINT")],
])(
  "%s completes every upload, message and page in flight and accepts nothing new",
  longTimeout,
  async (_name, stop) => {
    const { anonKey: apikey, secretKey } = site;
    const { data } = await (await signIn(site)).auth.getSession();
    const upload = sendHalf("/storage/v1/object/images/public/slow.png", png, {
      apikey,
      authorization: `Bearer ${data.session?.access_token}`,
      "content-type": "image/png",
    });
    const words = { name: "Ada", email: "ada@example.com", message: "Sent during a stop" };
    const message = sendHalf("/functions/v1/send-email", Buffer.from(JSON.stringify(words)), {
      apikey,
      "content-type": "application/json",
    });
    const live = new WebSocket(
      `ws://127.0.0.1:${site.port}/realtime/v1/websocket?apikey=${apikey}&vsn=2.0.0`,
    );
    await once(live, "open");
    const farewell = once(live, "close");
    const idle = connect(site.port, "127.0.0.1");
    idle.write("GET /healthz HTTP/1.1\r\nHost: site\r\n\r\n");
    await once(idle, "data");
    const idleClosed = once(idle, "close");
    const pages = ["/", "/blog", "/services", "/testimonials", "/"].map(getPage);
    await Promise.all([upload.sent, message.sent, Promise.race(pages)]);

    stop();
    await expect.poll(isRejected).toBe(true);
    expect(await farewell).toMatchObject([1001, expect.anything()]);
    await idleClosed;
    for (const page of await Promise.all(pages)) {
      expect(page.status).toBe(200);
      expect(page.body).toContain("</html>");
    }
    expect(site.process.exitCode).toBe(null);
    const exited = once(site.process, "exit");
    expect((await upload.finish()).status).toBe(200);
    expect((await message.finish()).status).toBe(200);
    expect(await exited).toEqual([0, null]);
    expect(site.output).not.toMatch(/"level":"(warning|error)"/);
    expect(existsSync(join(site.dataDir, "postgres/postmaster.pid"))).toBe(false);

    await site.start();
    const imageFile = await fetch(`${site.url}/storage/v1/object/public/images/public/slow.png`);
    expect(Buffer.from(await imageFile.arrayBuffer())).toEqual(png);
    const stored = await createClient(site.url, secretKey)
      .from("contact_messages")
      .select("message");
    expect(stored.data).toEqual([{ message: words.message }]);
  },
);

test("a second signal does not wait for a request that never ends", longTimeout, async () => {
  const endless = httpRequest(`${site.url}/functions/v1/send-email`, {
    method: "POST",
    headers: { "content-length": 100 },
  });
  endless.write("{");
  const cut = once(endless, "error");
  // A response to a later request shows that the site has read the earlier one.
  await once(endless, "socket");
  await getPage("/healthz");
  const exited = once(site.process, "exit");
  site.process.kill("SIGTERM");
  await expect.poll(isRejected).toBe(true);
  site.process.kill("SIGTERM");
  await cut;
  expect(await exited).toEqual([0, null]);
});
