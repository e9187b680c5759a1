// Realtime of the embedded backend with the real supabase-js: what the website relies on, and what hostile or failing
// clients must not break.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { duplexPair } from "node:stream";
import {
  createClient,
  type RealtimeChannel,
  type RealtimePostgresChangesFilter,
  type RealtimePostgresChangesPayload,
  type SupabaseClient,
} from "@supabase/supabase-js";
import { SignJWT } from "jose";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Project, startProject } from "../start-project.ts";

type Payload = RealtimePostgresChangesPayload<Record<string, unknown>>;
type Filter = RealtimePostgresChangesFilter<"*">;

const changesOf = (table: string): Filter => ({ event: "*", schema: "public", table });
const POSTS = changesOf("posts");
const MESSAGES = changesOf("contact_messages");

const clients: SupabaseClient[] = [];
const leaving: Promise<unknown>[] = [];
let project: Project;
let sql: postgres.Sql;
let ownerId: string;

beforeAll(async () => {
  project = await startProject({ rateLimits: true });
  sql = postgres(project.backend?.databaseUrl ?? "", { max: 4, onnotice: () => {} });
  const [owner] = await sql`select user_id from private.people where role = 'owner'`;
  ownerId = owner?.user_id;
});

afterEach(() => {
  // Not awaited: realtime-js takes 0.3 s to close a socket.
  leaving.push(...clients.splice(0).map((client) => client.removeAllChannels()));
});

afterAll(async () => {
  await sql.end();
  await project.stop();
});

test("visitors receive the key of an inserted, updated and deleted post, and nothing else", async () => {
  const one = await subscribe(newClient(), POSTS);
  const two = await subscribe(newClient(), POSTS);
  const expectEvent = async (row: { eventType: string; new: object; old: object }) => {
    for (const { events } of [one, two]) {
      const event = await events.next();
      expect(event).toEqual({
        ...{ schema: "public", table: "posts", errors: null, ...row },
        commit_timestamp: expect.any(String),
      });
      expect(Math.abs(Date.parse(event.commit_timestamp) - Date.now())).toBeLessThan(10_000);
    }
  };
  const id = await insertPost();
  await expectEvent({ eventType: "INSERT", new: { id }, old: {} });
  await sql`update public.posts set title = 'Hello again' where id = ${id}`;
  await expectEvent({ eventType: "UPDATE", new: { id }, old: { id } });
  await sql`delete from public.posts where id = ${id}`;
  await expectEvent({ eventType: "DELETE", new: {}, old: { id } });
});

test("a row deleted in its own transaction sends its delete only", async () => {
  const { events } = await subscribe(newClient(), POSTS);
  const id = randomUUID();
  await sql.begin(async (transaction) => {
    await insertPost(id, transaction);
    await transaction`delete from public.posts where id = ${id}`;
  });
  expect(await events.next()).toMatchObject({ eventType: "DELETE", old: { id } });
});

test("a commit that others cannot see yet is not lost", async () => {
  const { events } = await subscribe(newClient(), POSTS);
  // A commit is written to disk and then waits before it becomes visible.
  await sql.unsafe("alter system set synchronous_standby_names = 'nobody'");
  await sql`select pg_reload_conf()`;
  const inserted: Promise<string>[] = [];
  try {
    // The checkpointer makes commits wait as soon as it has read the setting.
    await expect
      .poll(async () => {
        inserted.push(insertPost());
        return (await sql`select from pg_stat_activity where wait_event = 'SyncRep'`).length;
      })
      .toBeGreaterThan(0);
  } finally {
    // If the setting stayed, every later commit would wait forever.
    await sql.unsafe("alter system reset synchronous_standby_names");
    await sql`select pg_reload_conf()`;
  }
  const ids = await Promise.all(inserted);
  const received = new Set<unknown>();
  while (received.size < ids.length) received.add(Reflect.get((await events.next()).new, "id"));
  expect(received).toEqual(new Set(ids));
});

test("a message reaches only those whose policies let them read it", async () => {
  const owner = await subscribe(newClient(await tokenOf(ownerId)), MESSAGES);
  const { email } = await project.createStranger();
  const [account] = await sql`select id from auth.users where email = ${email}`;
  const stranger = await subscribe(newClient(await tokenOf(account?.id)), MESSAGES);
  const visitor = await subscribe(newClient(), MESSAGES);
  const last = await subscribe(newClient(), POSTS);
  const id = await insertMessage();
  expect(await owner.events.next()).toMatchObject({ eventType: "INSERT", new: { id } });
  await sql`update public.contact_messages set read_at = now() where id = ${id}`;
  expect(await owner.events.next()).toMatchObject({ eventType: "UPDATE", new: { id } });
  await sql`delete from public.contact_messages where id = ${id}`;
  expect(await owner.events.next()).toMatchObject({ eventType: "DELETE", old: { id } });
  // Changes keep their order: all earlier ones have been delivered.
  await insertPost();
  await last.events.next();
  expect(visitor.events.size()).toBe(0);
  // No policy can be evaluated on a row that is gone, so its id reaches every role that may read the table.
  expect(await stranger.events.next()).toMatchObject({ eventType: "DELETE", new: {}, old: { id } });
  expect(stranger.events.size()).toBe(0);
});

test("a signed-out channel loses access to what only its user may read", async () => {
  const session = await tokenOf(ownerId);
  const client = newClient(session);
  const { events, system } = await subscribe(client, MESSAGES);
  const first = await insertMessage();
  expect((await events.next()).new).toEqual({ id: first });

  session.token = null;
  await client.realtime.setAuth();
  // The server handles messages in order, so this join's reply follows the new token.
  const last = await subscribe(client, POSTS);
  await insertMessage();
  await insertPost();
  await last.events.next();
  expect([events.size(), system.size()]).toEqual([0, 0]);
});

test("each listener of one channel gets its events once", async () => {
  const posts = mailbox<Payload>();
  const testimonials = mailbox<Payload>();
  const channel = newClient()
    .channel("site")
    .on("postgres_changes", POSTS, posts.put)
    .on("postgres_changes", changesOf("testimonials"), testimonials.put);
  await joined(channel);
  await insertPost();
  await sql`insert into public.testimonials (name, content, rating, approved_at)
    values ('Ada', 'Kind.', 5, now())`;
  expect((await testimonials.next()).table).toBe("testimonials");
  expect([posts.size(), testimonials.size()]).toEqual([1, 0]);
});

test("a channel leaves without the others, and can be joined again", async () => {
  const client = newClient();
  const first = await subscribe(client, POSTS, "posts");
  const other = await subscribe(client, POSTS);
  await client.removeChannel(first.channel);
  await insertPost();
  await other.events.next();
  const second = await subscribe(client, POSTS, "posts");
  await insertPost();
  expect((await second.events.next()).eventType).toBe("INSERT");
  expect([first.events.size(), second.events.size()]).toEqual([0, 0]);
});

test.each([
  [{ ...POSTS, filter: "title=eq.a" }, 'Unrecognized key: "filter"'],
  [{ ...POSTS, select: ["id"] }, 'Unrecognized key: "select"'],
  [{ ...POSTS, event: "INSERT" } as never, "MalformedJoin"],
  [{ event: "*", schema: "public" } as never, "MalformedJoin"],
  [{ ...POSTS, schema: "*" }, "MalformedJoin"],
])("a join for %j is rejected with its reason", async (filter, reason) => {
  const channel = newClient()
    .channel("refused")
    .on("postgres_changes", filter, () => {});
  await expect(joined(channel)).rejects.toThrow(reason);
});

test("an invalid token and a private channel are rejected", async () => {
  const client = newClient({ token: "not.a.token" });
  await expect(joined(client.channel("room"))).rejects.toThrow("InvalidJWTToken");
  const channel = newClient().channel("room", { config: { private: true } });
  await expect(joined(channel)).rejects.toThrow("Private channels");
});

test.each([
  ["token has expired", 2],
  ["session has ended", 3600],
])("a channel whose %s is closed with a message, others stay open", async (_what, seconds) => {
  const visitor = await subscribe(newClient(), POSTS);
  const { statuses, system } = await subscribe(newClient(await tokenOf(ownerId, seconds)), POSTS);
  if (seconds > 2) await sql`delete from auth.sessions`;
  const message = expect.stringContaining("InvalidJWTToken");
  expect(await system.next()).toMatchObject({ status: "error", message });
  expect(await statuses.next()).toBe("CHANNEL_ERROR");
  await insertPost();
  expect((await visitor.events.next()).eventType).toBe("INSERT");
  expect(visitor.system.size()).toBe(0);
});

test.each([
  [401, () => "/realtime/v1/websocket?apikey=wrong&vsn=2.0.0"],
  [401, () => "/realtime/v1/websocket?vsn=2.0.0"],
  [404, () => `/realtime/v1/other?apikey=${project.anonKey}`],
  [404, () => `//[/?apikey=${project.anonKey}`],
])("an unknown key or path is rejected with %i before the upgrade", async (status, path) => {
  expect(await rejectionOf(path())).toBe(status);
});

test.each([
  ["{", 1007],
  ["[]", 1007],
  ["null", 1007],
  [Buffer.from([3, 255, 255]), 1007],
  [Buffer.alloc(0), 1007],
  ["x".repeat(300 * 1024), 1009],
])("a malformed message closes its own socket and no other", async (message, code) => {
  const { events } = await subscribe(newClient(), POSTS);
  const socket = await openSocket();
  socket.send(message);
  expect((await once(socket, "close"))[0]).toBe(code);
  await insertPost();
  expect((await events.next()).eventType).toBe("INSERT");
});

test.each([
  null,
  5,
  "text",
  [[]],
  { config: 5 },
  { config: { postgres_changes: {} } },
  { config: { postgres_changes: [null] } },
  { config: { postgres_changes: Array(5).fill(POSTS) } },
  { access_token: {} },
])("a join with the payload %j is rejected and the socket stays open", async (payload) => {
  const socket = await openSocket();
  const replies = messagesOf(socket);
  socket.send(JSON.stringify(["1", "1", "realtime:x", "phx_join", payload]));
  expect(await replies.next()).toMatchObject(["1", "1", "realtime:x", "phx_reply", rejection]);
  socket.send(JSON.stringify([null, "2", "realtime:x", "broadcast", payload]));
  expect(await replies.next()).toMatchObject([null, "2", "realtime:x", "phx_reply", rejection]);
  socket.send(JSON.stringify([null, "3", "phoenix", "heartbeat", payload]));
  expect((await replies.next())[4]).toEqual({ status: "ok", response: {} });
  socket.close();
});

test("a socket holds at most 5 channels, and none broadcasts", async () => {
  const socket = await openSocket();
  const replies = messagesOf(socket);
  const statuses: unknown[] = [];
  for (let i = 0; i <= 5; i += 1) {
    socket.send(JSON.stringify([`${i}`, `${i}`, `realtime:${i}`, "phx_join", {}]));
    statuses.push((await replies.next())[4]);
  }
  const ok = { status: "ok", response: { postgres_changes: [] } };
  expect(statuses).toEqual([...Array(5).fill(ok), rejection]);
  socket.send(JSON.stringify([null, "8", "realtime:0", "broadcast", {}]));
  expect((await replies.next())[4]).toMatchObject(rejection);
  socket.close();
});

test("a socket that joins no channel is closed", async () => {
  const socket = await openSocket();
  const heartbeats = setInterval(() => {
    socket.send(JSON.stringify([null, "1", "phoenix", "heartbeat", {}]));
  }, 1_000);
  const open = await subscribe(newClient(), POSTS);
  expect((await once(socket, "close"))[0]).toBe(1006);
  clearInterval(heartbeats);
  const id = await insertPost();
  expect((await open.events.next()).new).toEqual({ id });
});

test.each([
  ["phoenix", "heartbeat"],
  ["realtime:x", "phx_join"],
])("a socket that sends too many messages (%s, %s) is closed", async (topic, event) => {
  const socket = await openSocket();
  const closed = once(socket, "close");
  for (let i = 0; i < 200; i += 1) {
    socket.send(JSON.stringify([`${i}`, `${i}`, topic, event, {}]));
  }
  expect((await closed)[0]).toBe(1008);
});

test("an address is limited to 20 sockets, and another address can still connect", async () => {
  const mine = await Promise.all(Array.from({ length: 20 }, () => openSocket("2001:db8:1:2::5")));
  expect(await rejectionOf(socketPath(), "2001:db8:1:2:ffff::9")).toBe(429);
  const other = await openSocket("2001:db8:1:3::5");
  await closeAll([...mine, other]);
  await closeAll([await openSocket("2001:db8:1:2::5")]);
});

test("an address that reconnects too often is rejected for a while", async () => {
  const statuses = new Set<number | undefined>();
  for (let i = 0; i < 130; i += 1) {
    statuses.add(await rejectionOf("/realtime/v1/websocket?apikey=wrong", "192.0.2.7"));
  }
  expect([...statuses]).toEqual([401, 429]);
});

test("200 sockets receive a post; then addresses with many lose one to others and the site itself", async () => {
  await Promise.all(leaving);
  const sockets = await Promise.all(
    Array.from({ length: 200 }, (_, i) => openSocket(`198.51.100.${Math.floor(i / 20)}`)),
  );
  const inboxes = sockets.map(messagesOf);
  const config = { postgres_changes: [POSTS] };
  for (const socket of sockets) {
    socket.send(JSON.stringify(["1", "1", "realtime:posts", "phx_join", { config }]));
  }
  for (const inbox of inboxes) {
    expect((await inbox.next())[4]).toMatchObject({ status: "ok" });
    expect((await inbox.next())[3]).toBe("system");
  }
  await insertPost();
  for (const inbox of inboxes) expect((await inbox.next())[3]).toBe("postgres_changes");
  const [sites, visitors] = [await openSocket(), await openSocket("203.0.113.1")];
  await expect
    .poll(() => sockets.filter(({ readyState }) => readyState === WebSocket.CLOSED).length)
    .toBe(1);
  await closeAll([sites, visitors, ...sockets]);
});

test("a client that does not read is dropped and delays no other", async () => {
  // Over TCP, the system would buffer megabytes before the server notices.
  const server = createServer().on("upgrade", (...upgrade) => project.backend?.upgrade(...upgrade));
  const [client, accepted] = duplexPair();
  server.emit("connection", accepted);
  const deaf = new WebSocket(`ws://localhost${socketPath()}`, { createConnection: () => client });
  await once(deaf, "open");
  const replies = messagesOf(deaf);
  const config = { postgres_changes: [POSTS] };
  deaf.send(JSON.stringify(["1", "1", "realtime:posts", "phx_join", { config }]));
  await replies.next();
  await replies.next();
  deaf.pause();
  const dropped = once(accepted, "close");
  const { events } = await subscribe(newClient(), POSTS);
  await insertPosts(800);
  for (let i = 1; i <= 800; i += 1) expect((await events.next()).eventType).toBe("INSERT");
  await dropped;
});

test("after more changes at once than can be delivered soon, clients join again", async () => {
  const { statuses } = await subscribe(newClient(), POSTS);
  await insertPosts(5000);
  expect(await statuses.next()).toBe("CHANNEL_ERROR");
  while ((await statuses.next()) !== "SUBSCRIBED");
});

test("after its database connection is killed, clients join again and receive the next change", async () => {
  const { events, statuses } = await subscribe(newClient(), POSTS);
  const killed = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen "realtime"'`;
  expect(killed).toHaveLength(1);
  expect(await statuses.next()).toBe("CHANNEL_ERROR");
  while ((await statuses.next()) !== "SUBSCRIBED");
  const id = await insertPost();
  expect((await events.next()).new).toEqual({ id });
});

// This test must be the last one: afterwards no change is delivered.
test("a stopped server closes its sockets and accepts no more", async () => {
  const { statuses } = await subscribe(newClient(), POSTS);
  await project.backend?.closeSockets();
  expect(await statuses.next()).toBe("CHANNEL_ERROR");
  expect(await rejectionOf(socketPath())).toBe(503);
});

const rejection = { status: "error", response: { reason: expect.any(String) } };

/** The token that the auth client reports; null when signed out. */
interface Session {
  token: string | null;
}

function newClient(session?: Session): SupabaseClient {
  const client = createClient(project.url, project.anonKey, {
    accessToken: async () => session?.token ?? null,
    realtime: { reconnectAfterMs: () => 50 },
  });
  clients.push(client);
  return client;
}

/** An access token of a new session. */
async function tokenOf(userId: string, seconds = 3600): Promise<Session> {
  const id = randomUUID();
  await sql`insert into auth.sessions (id, user_id) values (${id}, ${userId})`;
  const token = await new SignJWT({ role: "authenticated", session_id: id })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(userId)
    .setAudience("authenticated")
    .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
    .sign(new TextEncoder().encode(project.jwtSecret ?? ""));
  return { token };
}

interface Subscribed {
  channel: RealtimeChannel;
  events: Mailbox<Payload>;
  statuses: Mailbox<string>;
  system: Mailbox<{ status: string; message: string }>;
}

async function subscribe(
  client: SupabaseClient,
  filter: Filter,
  name: string = randomUUID(),
): Promise<Subscribed> {
  const events = mailbox<Payload>();
  const statuses = mailbox<string>();
  const system = mailbox<{ status: string; message: string }>();
  const channel = client
    .channel(name)
    .on("postgres_changes", filter, events.put)
    .on("system", {}, system.put);
  await joined(channel, statuses);
  expect(await system.next()).toMatchObject({ status: "ok", extension: "postgres_changes" });
  return { channel, events, statuses, system };
}

async function joined(channel: RealtimeChannel, later?: Mailbox<string>): Promise<void> {
  await channel.socket.setAuth();
  let isSettled = false;
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (isSettled) later?.put(status);
      isSettled = true;
      if (status === "SUBSCRIBED") resolve();
      else reject(new Error(`${status} ${error?.message}`));
    });
  });
}

interface Mailbox<T> {
  put(item: T): void;
  next(): Promise<T>;
  size(): number;
}

/** Makes callbacks awaitable. A missing item makes the test time out. */
function mailbox<T>(): Mailbox<T> {
  const items: T[] = [];
  const waiting: ((item: T) => void)[] = [];
  return {
    put(item) {
      const resolve = waiting.shift();
      if (resolve) resolve(item);
      else items.push(item);
    },
    next: () =>
      new Promise((resolve) => {
        if (items.length > 0) resolve(items.shift() as T);
        else waiting.push(resolve);
      }),
    size: () => items.length,
  };
}

function socketPath(): string {
  return `/realtime/v1/websocket?apikey=${project.anonKey}&vsn=2.0.0`;
}

/** @param from the visitor's address; without it, the site's own socket. */
function newSocket(path: string, from?: string): WebSocket {
  const headers = from ? { "x-test-address": from } : {};
  return new WebSocket(project.url.replace("http", "ws") + path, { headers });
}

async function openSocket(from?: string): Promise<WebSocket> {
  const socket = newSocket(socketPath(), from);
  // The close event follows an error.
  socket.on("error", () => {});
  await once(socket, "open");
  return socket;
}

function messagesOf(socket: WebSocket): Mailbox<unknown[]> {
  const messages = mailbox<unknown[]>();
  socket.on("message", (data) => messages.put(JSON.parse(String(data))));
  return messages;
}

async function closeAll(sockets: WebSocket[]): Promise<void> {
  const open = sockets.filter(({ readyState }) => readyState !== WebSocket.CLOSED);
  for (const socket of open) socket.close();
  await Promise.all(open.map((socket) => once(socket, "close")));
}

function rejectionOf(path: string, from?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const socket = newSocket(path, from);
    socket.on("unexpected-response", (_request, response) => resolve(response.statusCode));
    socket.on("open", () => reject(new Error("accepted")));
    socket.on("error", reject);
  });
}

async function insertMessage(): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into public.contact_messages (id, name, email, message)
    values (${id}, 'Ada', 'ada@example.com', 'Please call me.')`;
  return id;
}

async function insertPost(id: string = randomUUID(), on: postgres.ISql = sql): Promise<string> {
  await on`
    insert into public.posts (id, slug, title, category, author)
    values (${id}, ${id}, 'A post', 'Basics', 'Ann')`;
  return id;
}

async function insertPosts(count: number): Promise<void> {
  await sql`
    insert into public.posts (slug, title, category, author)
    select gen_random_uuid(), 'A post', 'Basics', 'Ann' from generate_series(1, ${count})`;
}
