// The embedded Realtime server against the real supabase-js and a real PostgreSQL: what the website
// relies on, and what hostile or failing clients must not break.
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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
      id bigint generated always as identity primary key,
      body text, author uuid, public boolean not null default false
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

test.each(["1.0.0", "2.0.0"])(
  "two visitors receive a post's insert, update and delete (vsn %s)",
  async (vsn) => {
    const one = await subscribe(newClient({ vsn }), POSTS);
    const two = await subscribe(newClient({ vsn }), POSTS);
    const id = await insertPost("Hello");
    for (const { events } of [one, two]) {
      const inserted = await events.next();
      expect(inserted).toMatchObject({
        eventType: "INSERT",
        schema: "public",
        table: "posts",
        errors: null,
        old: {},
        new: {
          id,
          title: "Hello",
          content: [{ type: "paragraph", text: "Ünï" }],
          related_services: ["iul"],
          image_url: null,
          published_date: "2026-11-21T09:06:07.47+00:00",
        },
      });
      expect(Math.abs(Date.parse(inserted.commit_timestamp) - Date.now())).toBeLessThan(10_000);
    }
    await sql`update public.posts set title = 'Hello again' where id = ${id}`;
    for (const { events } of [one, two]) {
      expect(await events.next()).toMatchObject({
        eventType: "UPDATE",
        new: { id, title: "Hello again" },
        old: { id },
      });
    }
    await sql`delete from public.posts where id = ${id}`;
    for (const { events } of [one, two]) {
      const deleted = await events.next();
      expect(deleted).toMatchObject({ eventType: "DELETE", new: {} });
      expect(deleted.old).toEqual({ id });
    }
  },
);

test("a testimonial's rating arrives as a number, its delete with the id only", async () => {
  const { events } = await subscribe(newClient(), { ...POSTS, table: "testimonials" });
  const [row] = await sql`
    insert into public.testimonials (name, content, rating) values ('Ann', 'Good', 4) returning id`;
  expect((await events.next()).new).toMatchObject({ rating: 4, role: null });
  await sql`delete from public.testimonials where id = ${row?.id}`;
  expect((await events.next()).old).toEqual({ id: row?.id });
});

test("a row deleted before its visibility check sends its delete only", async () => {
  const { events } = await subscribe(newClient(), NOTES);
  await sql.begin(async (transaction) => {
    await transaction`insert into public.notes (id, public) overriding system value values (-7, true)`;
    await transaction`delete from public.notes where id = -7`;
  });
  expect(await events.next()).toMatchObject({ eventType: "DELETE", old: { id: -7 } });
});

test("a commit streamed before it is visible to others is not lost", async () => {
  const { events } = await subscribe(newClient(), NOTES);
  // Delays a commit between its WAL record, which the stream follows, and its visibility.
  await sql.unsafe("alter system set synchronous_standby_names = 'nobody'");
  await sql`select pg_reload_conf()`;
  const inserted: Promise<unknown>[] = [];
  const insert = (values: { body: string; public: boolean }) =>
    inserted.push(sql`insert into public.notes ${sql(values)}`.execute());
  const waiting = () => sql`
    select 1 from pg_stat_activity, pg_stat_replication
      where wait_event = 'SyncRep' and sent_lsn >= pg_current_wal_flush_lsn()`;
  try {
    // The checkpointer makes commits wait as soon as it has read the setting. This row reaches no one.
    await expect
      .poll(async () => {
        if (inserted.length < 5) insert({ body: "probe", public: false });
        return (await waiting()).length;
      })
      .toBeGreaterThan(0);
    const probes = (await waiting()).length;
    insert({ body: "held", public: true });
    await expect.poll(waiting, { interval: 5 }).toHaveLength(probes + 1);
    // Time for a check that runs too early, which leaves nothing to await.
    await sleep(50);
  } finally {
    // Otherwise every later commit would wait forever.
    await sql.unsafe("alter system reset synchronous_standby_names");
    await sql`select pg_reload_conf()`;
  }
  await Promise.all(inserted);
  expect((await events.next()).new).toMatchObject({ body: "held" });
});

test("a row reaches only those whose policies let them read it", async () => {
  const visitor = await subscribe(newClient(), NOTES);
  const alice = await subscribe(newClient({ session: { token: await tokenOf(ALICE) } }), NOTES);
  const stranger = await subscribe(
    newClient({ session: { token: await tokenOf(randomUUID()) } }),
    NOTES,
  );
  await sql`insert into public.notes (body, author) values ('hers', ${ALICE})`;
  await sql`insert into public.notes (body, public) values ('for all', true)`;

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
  await sql`insert into public.notes (body, public) values ('for all', true)`;
  expect((await events.next()).new).toMatchObject({ body: "for all" });
  expect(system.size()).toBe(0);
});

test("a filter and an event type narrow what arrives", async () => {
  const client = newClient();
  const three = await subscribe(client, { ...NOTES, filter: "body=eq.three" });
  const some = await subscribe(client, { ...NOTES, filter: "body=in.(two,three)" });
  const { events: updates } = await subscribe(client, { ...NOTES, event: "UPDATE" } as never);
  for (const body of ["one", "two", "three"]) {
    await sql`insert into public.notes (body, public) values (${body}, true)`;
  }
  await sql`update public.notes set body = 'four' where body = 'one'`;
  expect((await three.events.next()).new).toMatchObject({ body: "three" });
  expect((await some.events.next()).new).toMatchObject({ body: "two" });
  expect((await some.events.next()).new).toMatchObject({ body: "three" });
  expect(await updates.next()).toMatchObject({ eventType: "UPDATE", new: { body: "four" } });
});

test("a whole schema can be subscribed to", async () => {
  const { events } = await subscribe(newClient(), { event: "*", schema: "public" });
  await sql`insert into public.notes (public) values (true)`;
  await insertPost("Also");
  expect((await events.next()).table).toBe("notes");
  expect((await events.next()).table).toBe("posts");
});

test("each listener of one channel gets its events once", async () => {
  const client = newClient();
  const posts = mailbox<Payload>();
  const inserts = mailbox<Payload>();
  const notes = mailbox<Payload>();
  const channel = client
    .channel("site")
    .on("postgres_changes", POSTS, posts.put)
    .on("postgres_changes", { ...POSTS, event: "INSERT" }, inserts.put)
    .on("postgres_changes", NOTES, notes.put);
  await joined(channel);
  await insertPost("One");
  await sql`insert into public.notes (public) values (true)`;
  expect((await notes.next()).table).toBe("notes");
  expect([posts.size(), inserts.size(), notes.size()]).toEqual([1, 1, 0]);
});

test("two channels share a socket, and one leaves without the other", async () => {
  const client = newClient();
  const one = await subscribe(client, POSTS);
  const two = await subscribe(client, POSTS);
  await client.removeChannel(one.channel);
  await insertPost("After");
  await two.events.next();
  expect(one.events.size()).toBe(0);
});

test("a channel of the same name can be joined again after leaving", async () => {
  const client = newClient();
  const first = await subscribe(client, POSTS, "posts");
  await client.removeChannel(first.channel);
  const second = await subscribe(client, POSTS, "posts");
  await insertPost("Again");
  expect((await second.events.next()).eventType).toBe("INSERT");
  expect([first.events.size(), second.events.size()]).toEqual([0, 0]);
});

test("broadcast and presence are acknowledged and not delivered", async () => {
  const received = mailbox<unknown>();
  const listener = newClient().channel("room").on("broadcast", { event: "*" }, received.put);
  await joined(listener);
  const sender = newClient().channel("room", { config: { broadcast: { ack: true, self: true } } });
  sender.on("broadcast", { event: "*" }, received.put);
  await joined(sender);
  expect(await sender.send({ type: "broadcast", event: "hi", payload: { a: 1 } })).toBe("ok");
  expect(await sender.track({ name: "me" })).toBe("ok");
  expect(received.size()).toBe(0);
});

test.each([
  [{ ...POSTS, table: "unpublished" }, "not in the publication"],
  [{ ...POSTS, table: "nowhere" }, "not in the publication"],
  [{ ...POSTS, table: "hidden" }, "anon may not read"],
  [{ ...POSTS, filter: "title=ilike.a" }, "operator"],
  [{ ...POSTS, select: ["id"] }, "select"],
  [{ ...POSTS, event: "TRUNCATE" } as never, "MalformedJoin"],
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
  await expect(joined(channel)).rejects.toThrow("private channels");
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
  await sql`insert into public.notes (body, public) values ('for all', true)`;
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
  expect(await rejectionOf(`/realtime/v1/websocket?apikey=${key}&vsn=9`)).toBe(400);
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

test("a socket holds at most 5 channels, and a channel 4 subscriptions", async () => {
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
  await insertPost("Still joined");
  expect((await joined.events.next()).new).toMatchObject({ title: "Still joined" });
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
    statuses.add(await rejectionOf("/realtime/v1/websocket?apikey=wrong", address));
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
  const deaf = await openSocket();
  const replies = messagesOf(deaf);
  const config = { postgres_changes: [NOTES] };
  deaf.send(JSON.stringify(["1", "1", "realtime:notes", "phx_join", { config }]));
  await replies.next();
  await replies.next();
  deaf.pause();
  const { events } = await subscribe(newClient(), NOTES);
  const body = "x".repeat(1_000_000);
  // The operating system buffers a few megabytes before the server notices.
  for (let i = 0; i < 30; i += 1) {
    await sql`insert into public.notes (body, public) values (${body}, true)`;
    await events.next();
  }
  deaf.resume();
  expect((await once(deaf, "close"))[0]).toBe(1006);
});

test("after its replication connection is killed, clients join again and receive the next change", async () => {
  const { events, statuses } = await subscribe(newClient(), POSTS);
  const killed = await sql`select pg_terminate_backend(pid) from pg_stat_replication`;
  expect(killed).toHaveLength(1);
  expect(await statuses.next()).toBe("CHANNEL_ERROR");
  while ((await statuses.next()) !== "SUBSCRIBED");
  await insertPost("After the gap");
  expect((await events.next()).new).toMatchObject({ title: "After the gap" });
});

test("a replication slot ends with its connection and retains no WAL", async () => {
  const { events } = await subscribe(newClient(), POSTS);
  await insertPost("Something to read");
  await events.next();
  await expect
    .poll(
      () => sql`
      select temporary, confirmed_flush_lsn >= pg_current_wal_insert_lsn() - 1000000 as is_near
      from pg_replication_slots`,
    )
    .toEqual([{ temporary: true, is_near: true }]);
});

test("a stopped server closes its sockets and its slot, and a new one takes over", async () => {
  const { events, statuses } = await subscribe(newClient(), POSTS);
  await realtime.stop();
  expect(await statuses.next()).toBe("CHANNEL_ERROR");
  expect(await rejectionOf(socketPath())).toBe(503);
  await expect.poll(() => sql`select 1 from pg_replication_slots`).toHaveLength(0);

  await startServer();
  while ((await statuses.next()) !== "SUBSCRIBED");
  await insertPost("From the new server");
  expect((await events.next()).new).toMatchObject({ title: "From the new server" });
});

// Last: there is no database afterwards.
test("PostgreSQL stops while Realtime listens, and Realtime stops without it", async () => {
  await insertPost("The last");
  await sql.end();
  await postgres.stop();
  await realtime.stop();
  expect(logged.filter((line) => !line.includes("lost the replication connection"))).toEqual([]);
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

function newClient(options: { vsn?: string; session?: Session } = {}): SupabaseClient {
  const { vsn, session } = options;
  const client = createClient(url, secrets.publishableKey, {
    accessToken: async () => session?.token ?? null,
    realtime: { vsn, reconnectAfterMs: () => 50 },
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

async function insertPost(title: string): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into public.posts
      (id, slug, title, category, author, content, related_services, published_date)
    values (
      ${id}, ${id}, ${title}, 'Basics', 'Ann', ${sql.json([{ type: "paragraph", text: "Ünï" }])},
      ${sql.json(["iul"])}, '2026-11-21 01:06:07.47-08'
    )`;
  return id;
}
