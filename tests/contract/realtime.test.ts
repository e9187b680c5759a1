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
import type postgres from "postgres";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { watchedTables } from "../../app/supabase/watched-tables.ts";
import { setUpProject } from "../start-project.ts";

type Payload = RealtimePostgresChangesPayload<Record<string, unknown>>;
type Filter = RealtimePostgresChangesFilter<"*">;

const changesOf = (table: string): Filter => ({ event: "*", schema: "public", table });
const POSTS = { ...changesOf("posts"), select: ["id"] };
const TESTIMONIALS = { ...changesOf("testimonials"), select: ["id"] };
const MESSAGES = "realtime contact_messages";

const clients: SupabaseClient[] = [];
const leaving: Promise<unknown>[] = [];
const { project, sql } = await setUpProject({ rateLimits: true, ownServer: true });

const [owner] = await sql`select user_id from private.people where role = 'owner'`;
const ownerId: string = owner?.user_id;

afterEach(() => {
  // Not awaited: realtime-js takes 0.3 s to close a socket.
  leaving.push(...clients.splice(0).map((client) => client.removeAllChannels()));
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

test("a subscription without a selection of columns receives the whole row", async () => {
  const { events } = await subscribe(newClient(), changesOf("posts"));
  const id = await insertPost();
  expect((await events.next()).new).toMatchObject({ id, title: "A post", content: [] });
  await sql`delete from public.posts where id = ${id}`;
  expect((await events.next()).old).toEqual({ id });
});

test("a change is read once for each role and session, however many channels, tokens and orders of columns ask for it", async () => {
  await Promise.all(leaving);
  // Each statement that reads posts asks the policy once.
  await sql.unsafe(`
    create sequence private.post_reads;
    create function private.count_post_read() returns boolean language sql security definer set search_path = ''
      as 'select nextval(''private.post_reads'') > 0';
    grant usage on schema private to anon;
    grant execute on function private.count_post_read() to anon, authenticated;
    create policy "Counts reads" on public.posts as restrictive for select to anon, authenticated
      using ((select private.count_post_read()));`);
  try {
    const columns = ["id", "slug", "title", "category", "author"];
    const shuffled = () => columns.toSorted(() => Math.random() - 0.5);
    const configOf = (channel: number) => ({
      postgres_changes: Array.from({ length: 4 }, (_, index) => ({
        ...changesOf("posts"),
        select: shuffled().slice(0, 2 + ((channel + index) % 4)),
      })),
    });
    const sockets = await Promise.all(Array.from({ length: 4 }, () => openSocket("192.0.2.20")));
    const inboxes = sockets.map(messagesOf);
    for (const [index, socket] of sockets.entries()) {
      for (let channel = 0; channel < 10; channel += 1) {
        const topic = `realtime:${channel}`;
        const join = { config: configOf(channel) };
        socket.send(JSON.stringify([`${channel}`, `${channel}`, topic, "phx_join", join]));
        expect((await inboxes[index]?.next())?.[3]).toBe("phx_reply");
        expect((await inboxes[index]?.next())?.[4]).toMatchObject({ status: "ok" });
      }
    }
    const session = randomUUID();
    const owner = await subscribe(newClient(await tokenOf(ownerId, 3600, session)), POSTS);
    await subscribe(newClient(await tokenOf(ownerId, 1800, session)), POSTS);
    await sql`select setval('private.post_reads', 1, false)`;
    const id = await insertPost();
    expect((await owner.events.next()).new).toEqual({ id });
    for (const inbox of inboxes) {
      for (let message = 0; message < 40; message += 1) {
        expect((await inbox.next())[3]).toBe("postgres_changes");
      }
    }
    const [reads] = await sql`select last_value::int as count from private.post_reads`;
    expect(reads?.count).toBe(2);
    await closeAll(sockets);
  } finally {
    await sql.unsafe(`
      drop policy "Counts reads" on public.posts;
      drop function private.count_post_read();
      drop sequence private.post_reads;`);
  }
});

test("each channel gets the columns that it asked for, without those that its role may not read", async () => {
  const { events: some } = await subscribe(newClient(), {
    ...changesOf("posts"),
    select: ["title"],
  });
  const { events: all } = await subscribe(newClient(), changesOf("posts"));
  const before = await insertPost();
  expect((await some.next()).new).toEqual({ id: before, title: "A post" });
  expect((await all.next()).new).toMatchObject({ id: before, title: "A post", content: [] });
  await sql.unsafe(`
    revoke select on public.posts from anon;
    grant select (id, slug) on public.posts to anon;`);
  try {
    const id = await insertPost();
    expect((await some.next()).new).toEqual({ id });
    expect((await all.next()).new).toEqual({ id, slug: id });
  } finally {
    await sql`grant select on public.posts to anon`;
  }
});

test("a hidden review reaches only those whose policies let them read it, its deletion everyone", async () => {
  const owner = await subscribe(newClient(await tokenOf(ownerId)), TESTIMONIALS);
  const stranger = await subscribe(newClient(await strangersToken()), TESTIMONIALS);
  const visitor = await subscribe(newClient(), TESTIMONIALS);
  const id = randomUUID();
  await sql`
    insert into public.testimonials (id, name, content, rating, refused_at, refusal_reason)
    values (${id}, 'Ada', 'Kind.', 5, now(), 'withdrawn')`;
  expect(await owner.events.next()).toMatchObject({ eventType: "INSERT", new: { id } });
  await sql`delete from public.testimonials where id = ${id}`;
  for (const { events } of [owner, stranger, visitor]) {
    // No policy can be evaluated on a row that is gone. Changes keep their order: no earlier one was sent.
    expect(await events.next()).toMatchObject({ eventType: "DELETE", new: {}, old: { id } });
  }
});

test("only those who may read messages join their channel, which sends the id of a single one", async () => {
  const inbox = await joinMessages(await tokenOf(ownerId));
  expect(await inbox.system.next()).toMatchObject({ status: "ok", extension: "system" });
  await expect(joinMessages(await strangersToken())).rejects.toThrow("Unauthorized");
  await expect(joinMessages()).rejects.toThrow("Unauthorized");
  await expect(joinMessages(await tokenOf(ownerId), "another")).rejects.toThrow("Unauthorized");
  const id = await insertMessage();
  expect(await inbox.events.next()).toMatchObject({ event: "INSERT", payload: { id } });
  await sql`update public.contact_messages set read_at = now() where id = ${id}`;
  expect(await inbox.events.next()).toMatchObject({ event: "UPDATE", payload: { id } });
  await insertMessage();
  await inbox.events.next();
  await sql`delete from public.contact_messages`;
  expect(await inbox.events.next()).toMatchObject({ event: "DELETE", payload: { id: null } });
  await sql`delete from public.contact_messages`;
  expect(inbox.events.size()).toBe(0);
});

test.each([
  ["consent_withdrawals", ["owner", "assistant"]],
  ["testimonial_requests", ["owner", "assistant"]],
  ["drafts", ["owner", "editor"]],
  ["content_states", ["owner", "editor"]],
  ["section_drafts", ["owner"]],
  ["people", ["owner", "editor", "assistant"]],
])("only those who may read %s join its channel", async (table, readers) => {
  const topic = `realtime ${table}`;
  const { id } = await project.createStranger();
  const account = await tokenOf(id);
  for (const role of ["owner", "editor", "assistant"]) {
    await sql`
      insert into private.people (user_id, role) values (${id}, ${role})
      on conflict (user_id) do update set role = excluded.role`;
    const joining = joinMessages(account, topic);
    if (!readers.includes(role)) await expect(joining).rejects.toThrow("Unauthorized");
    else expect(await (await joining).system.next()).toMatchObject({ status: "ok" });
  }
  await sql`delete from private.people where user_id = ${id}`;
  await expect(joinMessages(account, topic)).rejects.toThrow("Unauthorized");
  await expect(joinMessages(undefined, topic)).rejects.toThrow("Unauthorized");
});

test("every list that only accounts see hears of changes elsewhere, which tell no content", async () => {
  const { id } = await project.createStranger();
  const changes: [channel: string, event: string, key: string | null, statement: string][] = [
    ["people", "INSERT", null, `insert into private.people values ('${id}', 'editor')`],
    ["people", "UPDATE", null, `update private.people set name = 'A' where user_id = '${id}'`],
    ["people", "DELETE", null, `delete from auth.users where id = '${id}'`],
    [
      "drafts",
      "INSERT",
      id,
      `insert into drafts (kind, thing, document) values ('post', '${id}', '{}')`,
    ],
    ["drafts", "UPDATE", id, `update drafts set document = '{"title": "A"}' where thing = '${id}'`],
    [
      ...(["section_drafts", "INSERT", "notice"] as const),
      "insert into drafts (kind, thing, document) values ('section', 'notice', '{}')",
    ],
    ["section_drafts", "DELETE", "notice", "delete from drafts where kind = 'section'"],
    ["content_states", "INSERT", id, `insert into previews (kind, thing) values ('post', '${id}')`],
    [
      ...(["content_states", "INSERT", id] as const),
      `insert into versions (kind, thing, event, document) values ('post', '${id}', 'submitted', '{}')`,
    ],
    [
      ...(["content_states", "INSERT", id] as const),
      `insert into schedules (kind, thing, version, at) select 'post', '${id}', max(number), now() from versions`,
    ],
    ["content_states", "UPDATE", id, "update schedules set failure = 'A'"],
    ["content_states", "DELETE", id, "delete from schedules"],
    [
      "testimonial_requests",
      "INSERT",
      null,
      "insert into testimonial_requests (name) values ('A')",
    ],
    ["testimonial_requests", "DELETE", null, "delete from testimonial_requests"],
  ];
  const owner = await tokenOf(ownerId);
  const inboxes = new Map<string, Awaited<ReturnType<typeof joinMessages>>>();
  for (const channel of new Set(changes.map(([name]) => name))) {
    const inbox = await joinMessages(owner, `realtime ${channel}`);
    await inbox.system.next();
    inboxes.set(channel, inbox);
  }
  for (const [channel, event, key, statement] of changes) {
    await sql.unsafe(statement);
    const heard = await inboxes.get(channel)?.events.next();
    expect([heard?.event, heard?.payload]).toEqual([event, { id: key }]);
  }
  await sql`delete from public.drafts where thing = ${id}`;
});

test("the public key cannot subscribe to a table that only accounts may read", async () => {
  const tables = await sql`
    select tablename as name, has_table_privilege('anon', format('public.%I', tablename), 'select') as open
    from pg_publication_tables where pubname = 'supabase_realtime' order by 1`;
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(watchedTables).toSorted());
  expect(tables.every(({ open }) => open)).toBe(true);
  for (const filter of [
    changesOf("contact_messages"),
    changesOf("auth.users"),
    { ...POSTS, select: ["id", "none"] },
  ]) {
    const system = mailbox<{ status: string; message: string }>();
    const channel = newClient()
      .channel("refused")
      .on("postgres_changes", filter, () => {});
    await joined(channel.on("system", {}, system.put));
    const message = expect.stringContaining("Unable to subscribe");
    expect(await system.next()).toMatchObject({ status: "error", message });
  }
});

test("a change between the join and the message of the system is not sent", async () => {
  const system = mailbox<unknown>();
  const events = mailbox<Payload>();
  const other = await subscribe(newClient(), POSTS);
  // The answer about the columns waits for this lock.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const holding = sql.begin(async (transaction) => {
    await transaction`lock table pg_publication_rel in access exclusive mode`;
    lock();
    await released;
  });
  await locked;
  const channel = newClient().channel("early").on("postgres_changes", POSTS, events.put);
  await joined(channel.on("system", {}, system.put));
  const missed = await insertPost();
  expect((await other.events.next()).new).toEqual({ id: missed });
  expect(system.size()).toBe(0);
  release();
  await holding;
  expect(await system.next()).toMatchObject({ status: "ok", extension: "postgres_changes" });
  const id = await insertPost();
  expect((await events.next()).new).toEqual({ id });
});

test("the state of a table changes with every change that a visitor may see, and with no other", async () => {
  const review = { name: "Ada", content: "Kind.", rating: 5 };
  const changesOfOne = (state: object, id = randomUUID()) => [
    sql`insert into public.testimonials ${sql({ ...review, id, ...state })}`,
    sql`update public.testimonials set reply = 'Thanks' where id = ${id}`,
    sql`delete from public.testimonials where id = ${id}`,
  ];
  const approved_at = new Date();
  // The first testimonial would also change the settings, which say what there is to show.
  await sql`insert into public.testimonials ${sql({ ...review, approved_at })}`;
  const seen = [await readStates()];
  const refused_at = new Date();
  for (const change of changesOfOne({ refused_at, refusal_reason: "withdrawn" })) {
    await change;
    expect(await readStates()).toEqual(seen[0]);
  }
  for (const change of changesOfOne({ approved_at })) {
    await change;
    const states = await readStates();
    expect({ ...states, testimonials: "" }).toEqual({ ...seen[0], testimonials: "" });
    seen.push(states);
  }
  // Deleting the row restores the state of before.
  expect(new Set(seen.map(({ testimonials }) => testimonials)).size).toBe(3);
});

test("an account that may not read messages any more hears of none, and its channel is closed", async () => {
  const { id } = await project.createStranger();
  await sql`insert into private.people (user_id, role) values (${id}, 'assistant')`;
  const [lost, kept] = [
    await joinMessages(await tokenOf(id)),
    await joinMessages(await tokenOf(ownerId)),
  ];
  for (const { system } of [lost, kept]) await system.next();
  await sql`update private.people set role = 'editor' where user_id = ${id}`;
  await insertMessage();
  expect(await kept.events.next()).toMatchObject({ event: "INSERT" });
  const message = expect.stringContaining("permissions");
  expect(await lost.system.next()).toMatchObject({ status: "error", message });
  expect(await lost.statuses.next()).toBe("CLOSED");
  expect(lost.events.size()).toBe(0);
});

test("a signed-out channel of messages is closed", async () => {
  const session = await tokenOf(ownerId);
  const inbox = await joinMessages(session);
  await inbox.system.next();
  session.token = null;
  await inbox.channel.socket.setAuth();
  const message = expect.stringContaining("permissions");
  expect(await inbox.system.next()).toMatchObject({ status: "error", message });
  expect(await inbox.statuses.next()).toBe("CLOSED");
});

test("each listener of one channel gets its events once", async () => {
  const heard: unknown[][] = [];
  const hear = ({ table, new: row }: Payload) => heard.push([table, Reflect.get(row, "id")]);
  const channel = newClient()
    .channel("site")
    .on("postgres_changes", POSTS, hear)
    .on("postgres_changes", TESTIMONIALS, hear);
  const system = mailbox();
  await joined(channel.on("system", {}, system.put));
  await system.next();
  const post = await insertPost();
  const review = randomUUID();
  await sql`insert into public.testimonials (id, name, content, rating, approved_at)
    values (${review}, 'Ada', 'Kind.', 5, now())`;
  // Changes of earlier tests may arrive as well.
  const own = () => heard.filter(([, id]) => id === post || id === review);
  const expected = [
    ["posts", post],
    ["testimonials", review],
  ];
  await expect.poll(own).toEqual(expected);
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

test("an invalid token is rejected", async () => {
  const client = newClient({ token: "not.a.token" });
  await expect(joined(client.channel("room"))).rejects.toThrow("InvalidJWTToken");
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
  expect(await statuses.next()).toBe("CLOSED");
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
  ...[
    { ...POSTS, filter: "title=eq.a" },
    { ...POSTS, select: [] },
    { ...POSTS, event: "INSERT" },
    { ...POSTS, schema: "*" },
    { event: "*", schema: "public" },
  ].map((change) => ({ config: { postgres_changes: [change] } })),
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

test("a socket holds at most 10 channels, and none broadcasts", async () => {
  const socket = await openSocket();
  const replies = messagesOf(socket);
  const statuses: unknown[] = [];
  for (let i = 0; i <= 10; i += 1) {
    socket.send(JSON.stringify([`${i}`, `${i}`, `realtime:${i}`, "phx_join", {}]));
    statuses.push((await replies.next())[4]);
  }
  const ok = { status: "ok", response: { postgres_changes: [] } };
  expect(statuses).toEqual([...Array(10).fill(ok), rejection]);
  socket.send(JSON.stringify([null, "12", "realtime:0", "broadcast", {}]));
  expect((await replies.next())[4]).toMatchObject(rejection);
  socket.close();
});

test("a socket that joins no channel is closed", { tags: "long" }, async () => {
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

test("200 sockets receive a post; then addresses with many lose one to others and the site itself", {
  tags: "long",
}, async () => {
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

test("a client that does not read is dropped and delays no other", { tags: "long" }, async () => {
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

test("after more changes at once than can be delivered soon, clients join again", {
  tags: "long",
}, async () => {
  const { statuses } = await subscribe(newClient(), POSTS);
  await insertPosts(5000);
  expect(await statuses.next()).toBe("CHANNEL_ERROR");
  while ((await statuses.next()) !== "SUBSCRIBED");
});

test("after its database connection is killed, clients join again and receive the next change", async () => {
  const { events, statuses, system } = await subscribe(newClient(), POSTS);
  const killed = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen "realtime"'`;
  expect(killed).toHaveLength(1);
  expect(await statuses.next()).toBe("CHANNEL_ERROR");
  while ((await system.next()).status !== "ok");
  const id = await insertPost();
  // Changes of the test before may still be under way.
  while (Reflect.get((await events.next()).new, "id") !== id);
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

/** An access token of a new session, or of the one with this id. */
async function tokenOf(userId: string, seconds = 3600, id = randomUUID()): Promise<Session> {
  await sql`insert into auth.sessions (id, user_id) values (${id}, ${userId}) on conflict do nothing`;
  const token = await new SignJWT({ role: "authenticated", session_id: id })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(userId)
    .setAudience("authenticated")
    .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
    .sign(new TextEncoder().encode(project.jwtSecret ?? ""));
  return { token };
}

async function subscribe(client: SupabaseClient, filter: Filter, name: string = randomUUID()) {
  const events = mailbox<Payload>();
  const opened = await open(client.channel(name).on("postgres_changes", filter, events.put));
  const { system } = opened;
  expect(await system.next()).toMatchObject({ status: "ok", extension: "postgres_changes" });
  return { ...opened, events };
}

async function joinMessages(session?: Session, name = MESSAGES) {
  const events = mailbox<{ event: string; payload: unknown }>();
  const config = { private: true, broadcast: { replication_ready: true } };
  const channel = newClient(session).channel(name, { config });
  return { ...(await open(channel.on("broadcast", { event: "*" }, events.put))), events };
}

async function open(channel: RealtimeChannel) {
  const statuses = mailbox<string>();
  const system = mailbox<{ status: string; message: string }>();
  await joined(channel.on("system", {}, system.put), statuses);
  return { channel, statuses, system };
}

async function readStates(): Promise<Record<string, string>> {
  return (await newClient().rpc("table_states").throwOnError()).data;
}

/** Of an account without a role. */
async function strangersToken(): Promise<Session> {
  const { id } = await project.createStranger();
  return tokenOf(id);
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
