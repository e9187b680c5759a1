// The attacker of the hostile load: a separate process at low priority, because a real attacker has
// its own machine. It runs all attacks at once from one address, with a visitor's public key, and guesses the owner's
// password with a stolen session. Arguments: port, seconds, publishable key, access token of the owner.
import { randomUUID } from "node:crypto";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A loopback address that no visitor of the load uses. */
const localAddress = "127.0.0.66";
const [port, seconds, apiKey, token] = [
  Number(process.argv[2]),
  Number(process.argv[3]),
  process.argv[4] ?? "",
  process.argv[5] ?? "",
];
const end = performance.now() + seconds * 1000;
const isOver = () => performance.now() > end;

const upgrade =
  `GET /realtime/v1/websocket?apikey=${apiKey}&vsn=2.0.0 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

function get(path: string, headers = ""): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\napikey: ${apiKey}\r\n${headers}\r\n`;
}

function post(path: string, body: string, length = body.length): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\napikey: ${apiKey}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`
  );
}

function guessPassword(): string {
  const body = JSON.stringify({ password: "a-new-password", current_password: `${Math.random()}` });
  return (
    `PUT /auth/v1/user HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\napikey: ${apiKey}\r\n` +
    `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  );
}

const embedded = "*,post_slugs(*,posts(*,post_slugs(*,posts(*))))";
const expensive = [
  "testimonials?content=match.^(.%2B)(.%2B)(.%2B)\\1\\2\\3$",
  `testimonials?${"or=(content.ilike.*a*b*c*)&".repeat(240)}`,
  `posts?select=${embedded}`,
  'posts?select=title::"char(10485760)"',
  `posts?select=${Array.from({ length: 300 }, (_, index) => `a${index}:content`)}`,
  "posts?select=*",
  "posts?select=*&order=created_at.desc&offset=9000000",
];

/** Ids of supabase/seed.sql. */
const sampleId = "c7d3f2a4-81be-4d05-8e20-000000000001";
const samplePostId = "b1a9e6d0-3c52-4f7e-9a10-000000000001";

/** Keeps `count` connections open and replaces each that ends. */
function keep(count: number, use: (socket: Socket) => Promise<void> | void): Promise<void>[] {
  return Array.from({ length: count }, async () => {
    while (!isOver()) {
      const socket = connect({ port, host: "127.0.0.1", localAddress });
      const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      socket.on("error", () => {});
      socket.once("connect", () => void use(socket));
      await Promise.race([closed, sleep(Math.max(0, end - performance.now()))]);
      socket.destroy();
      // About 2,000 new connections per second when all are rejected.
      await sleep(1_000);
    }
  });
}

/** A masked text frame of at most 64 kB. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 255, 0, 0, 0, 0]);
  return Buffer.concat([header, payload]);
}

function joinFrame(channel: number): Buffer {
  const changes = Array(4).fill({ event: "*", schema: "public", table: "posts" });
  return textFrame(
    JSON.stringify([
      ...["1", "1", `realtime:${channel}`, "phx_join"],
      { config: { postgres_changes: changes } },
    ]),
  );
}

let visits = 0;
await Promise.all([
  // Reads whose responses are ignored, one after the other on each connection.
  ...keep(20, async (socket) => {
    socket.resume();
    for (let index = 0; !socket.destroyed && !isOver(); index++) {
      socket.write(get(`/rest/v1/${expensive[index % expensive.length]}`));
      await sleep(50);
    }
  }),
  // Responses that are not read.
  ...keep(60, (socket) => {
    socket.pause();
    socket.write(get("/rest/v1/posts?select=*").repeat(20) + get("/").repeat(20));
  }),
  // Sockets with as many subscriptions as they get.
  ...keep(190, async (socket) => {
    socket.resume();
    socket.write(upgrade);
    for (let channel = 0; channel < 100 && !socket.destroyed && !isOver(); channel++) {
      await sleep(20);
      socket.write(joinFrame(channel));
    }
  }),
  // Idle connections.
  ...keep(1_500, () => {}),
  // Request bodies that never end.
  ...keep(100, async (socket) => {
    socket.resume();
    socket.write(post("/contact", "name=", 60_000));
    while (!socket.destroyed && !isOver()) {
      await sleep(1_000);
      socket.write("a");
    }
  }),
  // Writes without a row.
  ...keep(4, async (socket) => {
    socket.resume();
    while (!socket.destroyed && !isOver()) {
      socket.write(post("/rest/v1/posts", "[]") + post("/rest/v1/testimonials", "[]"));
      await sleep(100);
    }
  }),
  // Reviews with times that no page can read and the id of a sample, links to previews, and guessed ones.
  ...keep(2, async (socket) => {
    socket.resume();
    while (!socket.destroyed && !isOver()) {
      const review = { id: sampleId, name: "A", content: "A", created_at: "-infinity" };
      socket.write(post("/rest/v1/testimonials", JSON.stringify({ ...review, id: randomUUID() })));
      socket.write(post("/rest/v1/testimonials", JSON.stringify({ ...review, is_sample: true })));
      socket.write(post("/rest/v1/post_previews", JSON.stringify({ post_id: samplePostId })));
      socket.write(get(`/blog/preview/${randomUUID()}`));
      await sleep(100);
    }
  }),
  // Referring hosts that do not exist.
  ...keep(2, async (socket) => {
    socket.resume();
    while (!socket.destroyed && !isOver()) {
      const referer = `Referer: https://h${++visits}.example/\r\n`;
      socket.write(get("/", `User-Agent: Mozilla/5.0 Firefox/145.0\r\n${referer}`));
      await sleep(20);
    }
  }),
  // Searches for frequent words, by REST and on pages.
  ...keep(4, async (socket) => {
    socket.resume();
    const search = JSON.stringify({ query: "policy or tax", first: 0, count: 25 });
    while (!socket.destroyed && !isOver()) {
      socket.write(post("/rest/v1/rpc/search_posts", search) + get("/blog?q=policy+or+tax"));
      await sleep(50);
    }
  }),
  // Guesses of a password and of the token of a mailed link, and calls of functions that are not for visitors.
  ...keep(20, async (socket) => {
    socket.resume();
    while (!socket.destroyed && !isOver()) {
      socket.write(
        guessPassword() +
          post("/auth/v1/verify", '{"type":"recovery","token_hash":"x"}') +
          post("/functions/v1/invite-person", "{}") +
          post("/functions/v1/remove-unused-images", ""),
      );
      await sleep(50);
    }
  }),
  // Addresses that have no cached page.
  ...keep(4, async (socket) => {
    socket.resume();
    while (!socket.destroyed && !isOver()) {
      socket.write(get(`/?x=${++visits}`) + get(`/blog/none-${visits}`));
      await sleep(50);
    }
  }),
]);
process.exit(0);
