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

function post(path: string, body: string, { method = "POST", headers = "", length = -1 } = {}) {
  return (
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\napikey: ${apiKey}\r\n${headers}` +
    `Content-Type: application/json\r\nContent-Length: ${length < 0 ? body.length : length}\r\n\r\n${body}`
  );
}

function guessPassword(): string {
  const body = JSON.stringify({ password: "a-new-password", current_password: `${Math.random()}` });
  const headers = `Authorization: Bearer ${token}\r\n`;
  return post("/auth/v1/user", body, { method: "PUT", headers });
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

/** The ids of rows that supabase/seed.sql inserts. */
const sampleId = "c7d3f2a4-81be-4d05-8e20-000000000001";
const samplePostId = "b1a9e6d0-3c52-4f7e-9a10-000000000001";

/** Keeps `count` connections open and replaces each that closes. */
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

/** Sends something at each interval, one after the other on each connection, and ignores the responses. */
function repeat(count: number, pause: number, next: (turn: number) => string | Buffer) {
  return keep(count, async (socket) => {
    socket.resume();
    for (let turn = 0; !socket.destroyed && !isOver(); turn++) {
      socket.write(next(turn));
      await sleep(pause);
    }
  });
}

/** A masked text frame of at most 64 kB. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 255, 0, 0, 0, 0]);
  return Buffer.concat([header, payload]);
}

/** Each subscription names them in another order. */
const columns = ["id", "slug", "title", "tagline", "category", "author", "alt", "content"];

function joinFrame(channel: number): Buffer {
  const changes = Array.from({ length: 4 }, () => ({
    ...{ event: "*", schema: "public", table: "posts" },
    select: columns.toSorted(() => Math.random() - 0.5),
  }));
  return textFrame(
    JSON.stringify([
      ...["1", "1", `realtime:${channel}`, "phx_join"],
      { config: { postgres_changes: changes } },
    ]),
  );
}

const review = { name: "A", content: "A", created_at: "-infinity" };
const search = JSON.stringify({ query: "policy or tax", first: 0, count: 25 });
let visits = 0;

await Promise.all([
  // Expensive reads.
  ...repeat(20, 50, (turn) => get(`/rest/v1/${expensive[turn % expensive.length]}`)),
  // Responses that are not read.
  ...keep(60, (socket) => {
    socket.pause();
    socket.write(get("/rest/v1/posts?select=*").repeat(20) + get("/").repeat(20));
  }),
  // Sockets that subscribe as often as the server allows.
  ...repeat(190, 20, (turn) => (turn === 0 ? upgrade : joinFrame(turn))),
  // Idle connections.
  ...keep(1_500, () => {}),
  // Request bodies that never end.
  ...repeat(100, 1_000, (turn) =>
    turn === 0 ? post("/contact", "name=", { length: 60_000 }) : "a",
  ),
  // Writes without a row.
  ...repeat(4, 100, () => post("/rest/v1/posts", "[]") + post("/rest/v1/testimonials", "[]")),
  // Reviews with times that no page can show or with the id of a sample, and preview links, some of them guessed.
  ...repeat(
    2,
    100,
    () =>
      post("/rest/v1/testimonials", JSON.stringify({ ...review, id: randomUUID() })) +
      post("/rest/v1/testimonials", JSON.stringify({ ...review, id: sampleId, is_sample: true })) +
      post("/rest/v1/previews", JSON.stringify({ kind: "post", thing: samplePostId })) +
      get(`/blog/preview/${randomUUID()}`),
  ),
  // Referring hosts that do not exist.
  ...repeat(2, 20, () => {
    const report = get(`/?from=https://h${++visits}.example/`, "User-Agent: Firefox/145.0\r\n");
    return report.replace("GET", "HEAD");
  }),
  // Searches for frequent words, by REST and on pages.
  ...repeat(4, 50, () => post("/rest/v1/rpc/search_posts", search) + get("/blog?q=policy+or+tax")),
  // Guesses of a password and of the token of a mailed link, and calls of functions that are not for visitors.
  ...repeat(
    20,
    50,
    () =>
      guessPassword() +
      post("/auth/v1/verify", '{"type":"recovery","token_hash":"x"}') +
      post("/functions/v1/invite-person", "{}") +
      post("/functions/v1/remove-unused-images", ""),
  ),
  // Addresses of pages that are not cached, and the checks of the site.
  ...repeat(4, 50, () => get(`/?x=${++visits}`) + get(`/blog/none-${visits}`)),
  ...repeat(2, 50, () => get("/healthz/ready")),
]);
process.exit(0);
