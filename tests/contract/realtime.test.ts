// The embedded Realtime server against the real supabase-js and a real PostgreSQL: what the website
// relies on, and what hostile or failing clients must not break.
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duplexPair } from "node:stream";
import {
  createClient,
  type RealtimeChannel,
  type RealtimePostgresChangesFilter,
  type RealtimePostgresChangesPayload,
  type SupabaseClient,
} from "@supabase/supabase-js";
import { SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { createAuthenticate, createSessions } from "../../backend/auth/authentication.ts";
import { connect, type Sql } from "../../backend/database.ts";
import { type PostgresServer, startPostgres } from "../../backend/postgres/server.ts";
import { type Realtime, startRealtime } from "../../backend/realtime/realtime.ts";
import { loadSecrets, type Secrets } from "../../backend/secrets.ts";

type Payload = RealtimePostgresChangesPayload<Record<string, unknown>>;
type Filter = RealtimePostgresChangesFilter<"*">;

const POSTS: Filter = { event: "*", schema: "public", table: "posts" };
const NOTES: Filter = { event: "*", schema: "public", table: "notes" };
const ALICE = "00000000-0000-4000-8000-00000000000a";

const dataDir = mkdtempSync(join(tmpdir(), "realtime-"));
const httpServer = createServer();
const visitorAddress = new AsyncLocalStorage<string | null>();
const clients: SupabaseClient[] = [];
const leaving: Promise<unknown>[] = [];
const logged: string[] = [];
let secrets: Secrets;
let postgres: PostgresServer;
let sql: Sql;
let realtime: Realtime;
let url: string;

beforeAll(async () => {
  chmodSync(dataDir, 0o711);
  secrets = loadSecrets(dataDir);
  postgres = await startPostgres(dataDir, secrets.databasePassword);
  sql = connect(postgres.url, 4);
  await sql.unsafe(`
    create schema auth;
    create table auth.users (
      id uuid primary key, email text, email_change text,
      created_at timestamptz, last_sign_in_at timestamptz, invited_at timestamptz
    );
    create table auth.sessions (
      id uuid primary key, user_id uuid, user_agent text,
      created_at timestamptz, refreshed_at timestamp, not_after timestamptz
    );`);
  await apply("backend/sql/platform.sql");
  await apply("backend/storage/schema.sql");
  const migrations = readdirSync(join(import.meta.dirname, "../../supabase/migrations")).sort();
  for (const name of migrations) await apply(`supabase/migrations/${name}`);
  await sql.unsafe(`
    create table public.notes (
      body text primary key, author uuid, public boolean not null default false
    );
    alter table public.notes enable row level security;
    grant select on public.notes to anon, authenticated;
    create policy "Public or mine" on public.notes for select to anon, authenticated
      using (public or author = (select auth.uid()));
    create table public.hidden (id int primary key);
    create table public.unpublished (id int primary key);
    grant select on public.unpublished to anon;
    alter publication supabase_realtime add table public.notes, public.hidden;
  `);
  await startServer();
  httpServer.on("upgrade", (request, socket, head) => {
    // Replaces the real address, so that one test can act as several visitors.
    const visitor = request.headers["x-test-address"]?.toString() ?? null;
    visitorAddress.run(visitor, () => realtime.upgrade(request, socket, head));
  });
  httpServer.listen(0, "127.0.0.1");
  await once(httpServer, "listening");
  const address = httpServer.address();
  if (!address || typeof address === "string") throw new Error("no port");
  url = `http://127.0.0.1:${address.port}`;
}, 60_000);

beforeEach(async () => {
  await sql`truncate public.posts, public.testimonials, public.notes cascade`;
});

afterEach(() => {
  // Not awaited: realtime-js takes 0.3 s to close a socket.
  leaving.push(...clients.splice(0).map((client) => client.removeAllChannels()));
});

afterAll(async () => {
  httpServer.close();
  await realtime?.stop();
  await sql?.end();
  await postgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
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
  const id = await insertPost("Hello");
  await expectEvent({ eventType: "INSERT", new: { id }, old: {} });
  await sql`update public.posts set title = 'Hello again' where id = ${id}`;
  await expectEvent({ eventType: "UPDATE", new: { id }, old: { id } });
  await sql`delete from public.posts where id = ${id}`;
  await expectEvent({ eventType: "DELETE", new: {}, old: { id } });
});

test("a row deleted in its own transaction sends its delete only", async () => {
  const { events } = await subscribe(newClient(), NOTES);
  await sql.begin(async (transaction) => {
    await transaction`insert into public.notes (body, public) values ('short', true)`;
    await transaction`delete from public.notes where body = 'short'`;
  });
  expect(await events.next()).toMatchObject({ eventType: "DELETE", old: { body: "short" } });
});

test("a commit that others cannot see yet is not lost", async () => {
  const { events } = await subscribe(newClient(), NOTES);
  // Commits are written and then wait before others see them.
  await sql.unsafe("alter system set synchronous_standby_names = 'nobody'");
  await sql`select pg_reload_conf()`;
  const inserted: Promise<unknown>[] = [];
  try {
    // The checkpointer makes commits wait as soon as it has read the setting.
    await expect
      .poll(async () => {
        inserted.push(insertNote(`held ${inserted.length}`));
        return (await sql`select from pg_stat_activity where wait_event = 'SyncRep'`).length;
      })
      .toBeGreaterThan(0);
  } finally {
    // Otherwise every later commit would wait forever.
    await sql.unsafe("alter system reset synchronous_standby_names");
    await sql`select pg_reload_conf()`;
  }
  await Promise.all(inserted);
  for (let i = 0; i < inserted.length; i += 1) {
    expect((await events.next()).new).toMatchObject({ body: `held ${i}` });
  }
});

test("a row reaches only those whose policies let them read it", async () => {
  const visitor = await subscribe(newClient(), NOTES);
  const alice = await subscribe(newClient({ session: { token: await tokenOf(ALICE) } }), NOTES);
  const stranger = await subscribe(
    newClient({ session: { token: await tokenOf(randomUUID()) } }),
    NOTES,
  );
  await sql`insert into public.notes (body, author) values ('hers', ${ALICE})`;
  await insertNote("for all");

  expect((await alice.events.next()).new).toMatchObject({ body: "hers" });
  // Events keep their order, so the first to arrive shows that none came before it.
  for (const { events } of [visitor, stranger, alice]) {
    expect((await events.next()).new).toMatchObject({ body: "for all" });
  }
});

test("a signed-out channel loses access to what only its user may read", async () => {
  const session: Session = { token: await tokenOf(ALICE) };
  const client = newClient({ session });
  const { events, system } = await subscribe(client, NOTES);
  await sql`insert into public.notes (body, author) values ('first', ${ALICE})`;
  expect((await events.next()).new).toMatchObject({ body: "first" });

  session.token = null;
  await client.realtime.setAuth();
  // The server handles messages in order, so this join's reply follows the new token.
  await subscribe(client, NOTES);
  await sql`insert into public.notes (body, author) values ('hers', ${ALICE})`;
  await insertNote("for all");
  expect((await events.next()).new).toMatchObject({ body: "for all" });
  expect(system.size()).toBe(0);
});

test("each listener of one channel gets its events once", async () => {
  const client = newClient();
  const posts = mailbox<Payload>();
  const notes = mailbox<Payload>();
  const channel = client
    .channel("site")
    .on("postgres_changes", POSTS, posts.put)
    .on("postgres_changes", NOTES, notes.put);
  await joined(channel);
  await insertPost("One");
  await insertNote("two");
  expect((await notes.next()).table).toBe("notes");
  expect([posts.size(), notes.size()]).toEqual([1, 0]);
});

test("a channel leaves without the others, and can be joined again", async () => {
  const client = newClient();
  const first = await subscribe(client, POSTS, "posts");
  const other = await subscribe(client, POSTS);
  await client.removeChannel(first.channel);
  await insertPost("After");
  await other.events.next();
  const second = await subscribe(client, POSTS, "posts");
  await insertPost("Again");
  expect((await second.events.next()).eventType).toBe("INSERT");
  expect([first.events.size(), second.events.size()]).toEqual([0, 0]);
});

test.each([
  [{ ...POSTS, table: "unpublished" }, "not in the publication"],
  [{ ...POSTS, table: "nowhere" }, "not in the publication"],
  [{ ...POSTS, table: "hidden" }, "anon may not read"],
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
  const client = newClient({ session: { token: "not.a.token" } });
  await expect(joined(client.channel("room"))).rejects.toThrow("InvalidJWTToken");
  const channel = newClient().channel("room", { config: { private: true } });
  await expect(joined(channel)).rejects.toThrow("Private channels");
});

test("an expired token ends its channel with a message", async () => {
  const client = newClient({ session: { token: await tokenOf(ALICE, 2) } });
  const { statuses, system } = await subscribe(client, NOTES);
  expect(await system.next()).toMatchObject({ status: "error", message: /expired/ });
  expect(await statuses.next()).toBe("CHANNEL_ERROR");
});

test("the channels of an ended session are closed, those of other sessions stay open", async () => {
  const sessionId = randomUUID();
  const token = await tokenOf(ALICE, 3600, sessionId);
  const ended = await subscribe(newClient({ session: { token } }), NOTES);
  const other = await subscribe(newClient({ session: { token: await tokenOf(ALICE) } }), NOTES);
  const visitor = await subscribe(newClient(), NOTES);

  await sql`delete from auth.sessions where id = ${sessionId}`;
  await realtime.closeEndedSessions();

  expect(await ended.system.next()).toMatchObject({
    status: "error",
    message: "InvalidJWTToken: The session has ended",
  });
  expect(await ended.statuses.next()).toBe("CHANNEL_ERROR");
  await insertNote("for all");
  for (const { events, system } of [other, visitor]) {
    expect((await events.next()).new).toMatchObject({ body: "for all" });
    expect(system.size()).toBe(0);
  }
  expect(ended.events.size()).toBe(0);
  await expect(joined(newClient({ session: { token } }).channel("again"))).rejects.toThrow(
    "InvalidJWTToken",
  );
});

test("an unknown key, version or path is rejected before the upgrade", async () => {
  expect(await rejectionOf("/realtime/v1/websocket?apikey=wrong&vsn=2.0.0")).toBe(401);
  expect(await rejectionOf("/realtime/v1/websocket?vsn=2.0.0")).toBe(401);
  const key = secrets.publishableKey;
  expect(await rejectionOf(`/realtime/v1/websocket?apikey=${key}&vsn=1.0.0`)).toBe(400);
  expect(await rejectionOf(`/realtime/v1/other?apikey=${key}`)).toBe(404);
  expect(await rejectionOf(`//[/?apikey=${key}`)).toBe(404);
});

test("malformed messages close their own socket and no other", async () => {
  const { events } = await subscribe(newClient(), POSTS);
  expect(await closeCodeAfter("{")).toBe(1007);
  expect(await closeCodeAfter("[]")).toBe(1007);
  expect(await closeCodeAfter("null")).toBe(1007);
  expect(await closeCodeAfter(Buffer.from([3, 255, 255]))).toBe(1007);
  expect(await closeCodeAfter(Buffer.alloc(0))).toBe(1007);
  expect(await closeCodeAfter("x".repeat(300 * 1024))).toBe(1009);
  await insertPost("Still here");
  expect((await events.next()).eventType).toBe("INSERT");
});

test.each([
  null,
  5,
  "text",
  [],
  { config: 5 },
  { config: { postgres_changes: {} } },
  { config: { postgres_changes: [null] } },
  { config: { postgres_changes: Array(21).fill(POSTS) } },
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

test("a socket holds at most 5 channels, a channel 4 subscriptions, and none broadcasts", async () => {
  const socket = await openSocket();
  const replies = messagesOf(socket);
  for (let i = 0; i <= 5; i += 1) {
    socket.send(JSON.stringify([`${i}`, `${i}`, `realtime:${i}`, "phx_join", {}]));
  }
  const statuses: unknown[] = [];
  for (let i = 0; i <= 5; i += 1) statuses.push((await replies.next())[4]);
  expect(statuses.slice(0, 5)).toEqual(
    Array(5).fill({ status: "ok", response: { postgres_changes: [] } }),
  );
  expect(statuses[5]).toMatchObject(rejection);
  socket.send(JSON.stringify([null, "8", "realtime:0", "broadcast", {}]));
  expect((await replies.next())[4]).toMatchObject(rejection);
  const config = { postgres_changes: Array(5).fill(POSTS) };
  socket.send(JSON.stringify(["9", "9", "realtime:0", "phx_join", { config }]));
  expect((await replies.next())[4]).toMatchObject(rejection);
  socket.close();
});

test("a socket that joins no channel is closed", async () => {
  const silent = await openSocket();
  const busy = await openSocket();
  const heartbeats = setInterval(() => {
    busy.send(JSON.stringify([null, "1", "phoenix", "heartbeat", {}]));
  }, 100);
  const joined = await subscribe(newClient(), POSTS);
  expect((await once(silent, "close"))[0]).toBe(1006);
  if (busy.readyState !== WebSocket.CLOSED) await once(busy, "close");
  clearInterval(heartbeats);
  const id = await insertPost("Still joined");
  expect((await joined.events.next()).new).toEqual({ id });
});

test.each([
  ["messages", 200, ["phoenix", "heartbeat"]],
  ["joins", 80, ["realtime:x", "phx_join"]],
])("a socket that sends too many %s is closed", async (_what, count, [topic, event]) => {
  const socket = await openSocket();
  const closed = once(socket, "close");
  // Joining a channel avoids the timeout for sockets without one.
  socket.send(JSON.stringify(["0", "0", "realtime:x", "phx_join", {}]));
  for (let i = 0; i < count; i += 1) {
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
  const address = "192.0.2.7";
  const statuses = new Set<number | undefined>();
  for (let i = 0; i < 130; i += 1) {
    statuses.add(await rejectionOf("/realtime/v1/websocket?apikey=wrong&vsn=2.0.0", address));
  }
  expect([...statuses]).toEqual([401, 429]);
});

test("when all sockets are taken, addresses with many lose some to others and the site itself", async () => {
  await Promise.all(leaving);
  const taken = await Promise.all(
    Array.from({ length: 200 }, (_, i) => openSocket(`198.51.100.${Math.floor(i / 20)}`)),
  );
  const sites = await openSocket();
  const visitors = await openSocket("203.0.113.1");
  await expect
    .poll(() => taken.filter(({ readyState }) => readyState === WebSocket.CLOSED).length)
    .toBe(1);
  await closeAll([sites, visitors, ...taken]);
});

test("the 211th socket is rejected, and all 210 listeners receive a post", async () => {
  await Promise.all(leaving);
  const sockets = await Promise.all(Array.from({ length: 210 }, () => openSocket()));
  const inboxes = sockets.map(messagesOf);
  expect(await rejectionOf(socketPath())).toBe(503);
  for (const socket of sockets) {
    const config = { postgres_changes: [POSTS] };
    socket.send(JSON.stringify(["1", "1", "realtime:posts", "phx_join", { config }]));
  }
  for (const inbox of inboxes) {
    expect((await inbox.next())[4]).toMatchObject({ status: "ok" });
    expect((await inbox.next())[3]).toBe("system");
  }
  await insertPost("For everyone");
  for (const inbox of inboxes) expect((await inbox.next())[3]).toBe("postgres_changes");
  await closeAll(sockets);
});

test("a client that does not read is dropped and delays no other", async () => {
  // Not over TCP, which buffers megabytes before the server notices.
  const [client, accepted] = duplexPair();
  httpServer.emit("connection", accepted);
  const deaf = new WebSocket(`ws://localhost${socketPath()}`, { createConnection: () => client });
  await once(deaf, "open");
  const replies = messagesOf(deaf);
  const config = { postgres_changes: [NOTES] };
  deaf.send(JSON.stringify(["1", "1", "realtime:notes", "phx_join", { config }]));
  await replies.next();
  await replies.next();
  deaf.pause();
  const dropped = once(accepted, "close");
  const { events } = await subscribe(newClient(), NOTES);
  await sql`insert into public.notes (body, public) select i, true from generate_series(1, 800) as i`;
  for (let i = 1; i <= 800; i += 1) {
    expect((await events.next()).new).toEqual({ body: `${i}` });
  }
  await dropped;
});

test("after more changes at once than can be delivered soon, clients join again", async () => {
  const { statuses } = await subscribe(newClient(), NOTES);
  await sql`insert into public.notes (body, public) select i, true from generate_series(1, 5000) as i`;
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
  const id = await insertPost("After the gap");
  expect((await events.next()).new).toEqual({ id });
});

test("a stopped server closes its sockets, and a new one takes over", async () => {
  const { events, statuses } = await subscribe(newClient(), POSTS);
  await realtime.stop();
  expect(await statuses.next()).toBe("CHANNEL_ERROR");
  expect(await rejectionOf(socketPath())).toBe(503);
  await startServer();
  while ((await statuses.next()) !== "SUBSCRIBED");
  const id = await insertPost("From the new server");
  expect((await events.next()).new).toEqual({ id });
});

// Last: there is no database afterwards.
test("PostgreSQL stops while Realtime listens, and Realtime stops without it", async () => {
  await insertPost("The last");
  await sql.end();
  await postgres.stop();
  await realtime.stop();
  expect(logged.filter((line) => !line.includes("does not hear of changes"))).toEqual([]);
});

const rejection = { status: "error", response: { reason: expect.any(String) } };

async function startServer(): Promise<void> {
  const sessions = createSessions(sql);
  realtime = await startRealtime({
    databaseUrl: async () => postgres.url,
    sql,
    authenticate: createAuthenticate(secrets, sessions),
    sessions,
    visitorAddress: () => visitorAddress.getStore() ?? null,
    joinTimeout: 4000,
    log: (line) => logged.push(line),
  });
}

async function apply(file: string): Promise<void> {
  await sql.unsafe(readFileSync(join(import.meta.dirname, "../..", file), "utf8"));
}

/** The signed-in user that the auth client would report; null when signed out. */
interface Session {
  token: string | null;
}

function newClient({ session }: { session?: Session } = {}): SupabaseClient {
  const client = createClient(url, secrets.publishableKey, {
    accessToken: async () => session?.token ?? null,
    realtime: { reconnectAfterMs: () => 50 },
  });
  clients.push(client);
  return client;
}

/** An access token of a new session. */
async function tokenOf(
  userId: string,
  seconds = 3600,
  sessionId: string = randomUUID(),
): Promise<string> {
  await sql`insert into auth.sessions (id, user_id) values (${sessionId}, ${userId})`;
  return new SignJWT({ role: "authenticated", session_id: sessionId })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(userId)
    .setAudience("authenticated")
    .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
    .sign(new TextEncoder().encode(secrets.jwtSecret));
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

/** Makes callbacks awaitable. A missing item ends in the test's timeout. */
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
  return `/realtime/v1/websocket?apikey=${secrets.publishableKey}&vsn=2.0.0`;
}

/** @param from the visitor's address; without it, the site's own socket. */
function newSocket(path: string, from?: string): WebSocket {
  const headers = from ? { "x-test-address": from } : {};
  return new WebSocket(url.replace("http", "ws") + path, { headers });
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

async function closeCodeAfter(message: string | Buffer): Promise<number> {
  const socket = await openSocket();
  socket.send(message);
  const [code] = await once(socket, "close");
  return code;
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

function insertNote(body: string): Promise<unknown> {
  return sql`insert into public.notes (body, public) values (${body}, true)`.execute();
}

async function insertPost(title: string): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into public.posts (id, slug, title, category, author)
    values (${id}, ${id}, ${title}, 'Basics', 'Ann')`;
  return id;
}
