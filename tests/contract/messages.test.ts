// The owner's inbox at the API: search, notes, flags and recoverable deletion, with 10,000 messages.
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, test } from "vitest";
import { callSentence } from "../consent-sentences.ts";
import { setUpProject } from "../start-project.ts";

const { project, sql, owner, admin } = await setUpProject<SupabaseClient>();

const many = 10_000;

beforeAll(async () => {
  await sql`
    insert into public.contact_messages (name, email, message, created_at, status)
    select 'Filler ' || number, 'filler@example.com', repeat('Über ten letters. ', 20),
           '2026-01-01'::timestamptz + make_interval(mins => number), 'sent'
      from generate_series(1, ${many}::int) as number`;
});

interface Found {
  counts: Record<string, number>;
  rows: { id: string; name: string }[];
}

async function search(query: string, filter = "all", first = 0, count = 20): Promise<Found> {
  const { data, error } = await owner.rpc("search_messages", { query, filter, first, count });
  if (error) throw error;
  return data as Found;
}

async function idsOf(query: string, filter?: string): Promise<string[]> {
  return (await search(query, filter)).rows.map(({ id }) => id);
}

async function add(values: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID();
  const row = { id, name: "Ada", email: "ada@example.com", message: "Ten letters", ...values };
  const { error } = await admin.from("contact_messages").insert(row);
  if (error) throw error;
  return id;
}

async function update(id: string, change: Record<string, unknown>) {
  return owner.from("contact_messages").update(change).eq("id", id).select("*");
}

test("10,000 messages are read page by page, newest first, with their number", async () => {
  const first = await search("", "all", 0, 200);
  const second = await search("", "all", 200, 200);
  const last = await search("", "all", many - 1, 200);
  expect(first.rows).toHaveLength(200);
  expect(first.counts.all).toBe(many);
  expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(400);
  expect([first.rows[0]?.name, second.rows[0]?.name, last.rows.at(-1)?.name]).toEqual([
    `Filler ${many}`,
    `Filler ${many - 200}`,
    "Filler 1",
  ]);
});

test("one page has at most 200 messages, whatever the caller asks for", async () => {
  expect((await search("", "all", 0, 2_000_000_000)).rows).toHaveLength(200);
  expect((await search("", "all", -5, -5)).rows).toEqual([]);
  expect((await search("", "all", 2_000_000_000, 20)).rows).toEqual([]);
});

test("every word is found in name, email, phone, message and note, also as a part", async () => {
  const id = await add({
    name: "Zoë Müller-Åström",
    email: "Zoe.M@Example.org",
    phone: "+1 (503) 555-0142",
    message: "Ist eine RISIKOLEBENSVERSICHERUNG\nfür uns sinnvoll?",
  });
  await update(id, { note: "Call back on Thursday — ask for Jérôme" });
  for (const query of [
    "zoë",
    "ZOE",
    "muller astrom",
    "zoe.m@example",
    "(503) 555-0142",
    "5035550142",
    "lebensversicherung",
    "für sinnvoll risiko",
    "  thursday   jerome ",
    "Zoe\u0308",
    "ZOE thursday",
  ]) {
    expect([query, await idsOf(query)]).toEqual([query, [id]]);
  }
  expect(await idsOf("zoe friday")).toEqual([]);
});

test("characters with a meaning in patterns, SQL, JSON and URLs are matched literally", async () => {
  const hostile = [
    ..."100% a_b % _ \\ \\% ' \" ( (or) a,b * .* [a-z]+ {a} $1 & | ! :* null <b> -- /* ; eq.1".split(
      " ",
    ),
    ...["''; drop table posts; --", "\u202e", "👩‍👧", "退職計画", "not.is.null"],
  ];
  const ids: string[] = [];
  for (const text of hostile) {
    ids.push(await add({ name: `Hostile ${text}`, email: "h@x.example" }));
  }
  for (const text of hostile) {
    const words = text.toLowerCase().split(" ");
    const expected = hostile.filter((other) => {
      const searched = `hostile ${other} h@x.example ten letters`.toLowerCase();
      return words.every((word) => searched.includes(word));
    });
    const found = await search(`h@x.example ${text}`, "all", 0, 200);
    const names = found.rows.map(({ name }) => name);
    expect([text, names.toSorted()]).toEqual([
      text,
      expected.map((other) => `Hostile ${other}`).toSorted(),
    ]);
  }
  await admin.from("contact_messages").delete().in("id", ids);
});

test("a query of 1,000 characters is matched literally, and a longer one is rejected", async () => {
  expect(await idsOf("%".repeat(1000))).toEqual([]);
  expect(await idsOf("% ".repeat(500))).toEqual([]);
  const { error, status } = await owner.rpc("search_messages", {
    query: "a".repeat(1001),
    filter: "all",
    first: 0,
    count: 20,
  });
  expect({ code: error?.code, status }).toEqual({ code: "22001", status: 400 });
});

test("a query with a NUL character, an unknown filter and missing arguments find nothing", async () => {
  const call = async (values: Record<string, unknown>) => {
    const { data, error, status } = await owner.rpc("search_messages", values);
    return error ? status : (data as Found).rows;
  };
  expect(await call({ query: "\u0000", filter: "all", first: 0, count: 20 })).toBe(400);
  expect(await call({ query: "", filter: "secret", first: 0, count: 20 })).toEqual([]);
  expect(await call({ query: null, filter: null, first: null, count: null })).toEqual([]);
  expect(await call({ query: "" })).toBe(404);
});

test("a message is found by its id, wherever it is, and the counts stay those of the query", async () => {
  const id = await add({ spam_at: "2026-11-22T09:00:00Z" });
  const found = await search("", id, 0, 1);
  expect(found.rows.map((row) => row.id)).toEqual([id]);
  expect(Object.keys(found.counts)).not.toContain(id);
});

test("each filter has its messages, and the counts belong to the query", async () => {
  const mark = randomUUID();
  const time = "2026-11-22T09:00:00Z";
  const values = { message: `Filtered ${mark}`, status: "sent" };
  const ids = {
    plain: await add(values),
    answered: await add({ ...values, read_at: time, answered_at: time }),
    flagged: await add({ ...values, read_at: time, flagged_at: time }),
    failed: await add({ ...values, read_at: time, status: "failed" }),
    deleted: await add({ ...values, flagged_at: time, deleted_at: new Date().toISOString() }),
    spam: await add({ ...values, flagged_at: time, spam_at: new Date().toISOString() }),
  };
  const { plain, answered, flagged, failed, deleted, spam } = ids;
  for (const [filter, expected] of Object.entries({
    all: [plain, answered, flagged, failed],
    unread: [plain],
    unanswered: [plain, flagged, failed],
    answered: [answered],
    flagged: [flagged],
    failed: [failed],
    deleted: [deleted],
    spam: [spam],
  })) {
    const { rows, counts } = await search(mark, filter);
    expect([filter, rows.map(({ id }) => id).toSorted(), counts[filter]]).toEqual([
      filter,
      expected.toSorted(),
      expected.length,
    ]);
  }
});

test("a note is saved only over the version that its writer read", async () => {
  const id = await add();
  const save = async (note: string, version: string | null) => {
    const rows = owner.from("contact_messages").update({ note }).eq("id", id);
    const seen = version ? rows.eq("noted_at", version) : rows.is("noted_at", null);
    return (await seen.select("*").throwOnError()).data;
  };
  const [first] = await save("First", null);
  expect(first).toMatchObject({ note: "First", noted_at: expect.any(String) });
  expect(await save("Late", null)).toEqual([]);
  const [next] = await save(" \n", first.noted_at);
  expect(next.note).toBeNull();
  expect(next.noted_at).not.toBe(first.noted_at);

  // Other changes keep the version.
  const flagged = await update(id, { flagged_at: new Date().toISOString() });
  expect(flagged.data?.[0]?.noted_at).toBe(next.noted_at);
});

test("the time of a deletion is the database's, and a restored message is as before", async () => {
  const id = await add({ name: "Restored" });
  const before = await search("Restored");
  for (const time of ["2001-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "infinity"]) {
    const { data } = await update(id, { deleted_at: time });
    expect(Math.abs(Date.parse(data?.[0]?.deleted_at) - Date.now())).toBeLessThan(60_000);
    expect(await idsOf("Restored")).toEqual([]);
    expect(await idsOf("Restored", "deleted")).toEqual([id]);
  }
  await update(id, { deleted_at: null });
  expect(await search("Restored")).toEqual(before);
});

async function claimedSubjects(): Promise<string[]> {
  const options = { max_count: 100, lease_seconds: 60, max_attempts: 3 };
  const team = JSON.stringify(["adviser@example.com"]);
  const { data } = await admin.rpc("claim_mails", { ...options, team }).throwOnError();
  return data.map(({ subject_id }: { subject_id: string }) => subject_id);
}

test("a deleted message is mailed only after it was restored", async () => {
  const id = await add();
  const claim = async () => (await claimedSubjects()).includes(id);
  await update(id, { deleted_at: new Date().toISOString() });
  expect(await claim()).toBe(false);
  await update(id, { deleted_at: null });
  expect(await claim()).toBe(true);
});

test("a message with a filled-in honeypot is spam, and like the others once it was moved to them", async () => {
  const given = { name: "Spam Ada", email: "spam@example.com", phone: "555 0100" };
  const body = { ...given, message: "Ten letters", call_consent: callSentence };
  const send = async (path: string) => {
    const response = await fetch(`${project.url}/functions/v1/${path}`, {
      method: "POST",
      headers: { "idempotency-key": "spam" },
      body: JSON.stringify(body),
    });
    return [response.status, (await response.json()).id];
  };
  const [status, id] = await send("send-email/spam");
  expect(status).toBe(200);
  expect(await send("send-email/spam")).toEqual([200, id]);
  expect((await search("Spam Ada")).counts).toEqual({ spam: 1 });
  expect((await search("Spam Ada", "spam")).rows).toMatchObject([{ id, ...body }]);
  expect(await claimedSubjects()).not.toContain(id);
  // What was agreed to is proven by the moment at which it was sent.
  const consents = owner.from("consents").select("phone, wording").eq("subject_id", id);
  expect((await consents).data).toEqual([{ phone: "555 0100", wording: callSentence }]);
  // Sent again with an empty honeypot.
  const [, other] = await send("send-email");
  expect(await idsOf("Spam Ada")).toEqual([other]);
  await owner.from("contact_messages").delete().eq("id", other).throwOnError();

  const moved = await update(id, { spam_at: null });
  expect(moved.data).toMatchObject([{ id, spam_at: null, status: "stored" }]);
  expect(await idsOf("Spam Ada")).toEqual([id]);
  expect((await search("Spam Ada")).counts).toEqual({ all: 1, unread: 1, unanswered: 1 });
  expect((await claimedSubjects()).filter((each) => each === id)).toHaveLength(1);
});

test("spam is removed after 30 days, but not what was moved or deleted meanwhile", async () => {
  const day = 24 * 60 * 60_000;
  const ago = (days: number) => new Date(Date.now() - days * day).toISOString();
  const values = { name: "Sieve", created_at: ago(40) };
  const young = await add({ ...values, spam_at: ago(29.9) });
  const deleted = await add({ ...values, spam_at: ago(29.9), deleted_at: ago(1) });
  const moved = await add({ ...values, spam_at: ago(29.9) });
  await update(moved, { spam_at: null });
  const old = await add({ ...values, spam_at: ago(30.1) });
  const remaining = async () =>
    (await sql`select id from contact_messages where name = 'Sieve'`).map(({ id }) => id);
  await sql`select private.remove_deleted_messages()`;
  expect(await remaining()).not.toContain(old);
  expect((await remaining()).toSorted()).toEqual([young, deleted, moved].toSorted());
  expect(await idsOf("Sieve", "spam")).toEqual([young]);
  expect(await idsOf("Sieve", "deleted")).toEqual([deleted]);
});

test("messages are removed 30 days after their deletion, and no other message is", async () => {
  const day = 24 * 60 * 60_000;
  const deletedAgo = (days: number) => new Date(Date.now() - days * day).toISOString();
  const [old, young, kept] = [
    await add({ name: "Removal", deleted_at: deletedAgo(30.1) }),
    await add({ name: "Removal", deleted_at: deletedAgo(29.9) }),
    await add({ name: "Removal", created_at: deletedAgo(400) }),
  ];
  const remaining = async () => [
    ...(await idsOf("Removal", "deleted")),
    ...(await idsOf("Removal")),
  ];
  await sql`select private.remove_deleted_messages()`;
  expect(await remaining()).not.toContain(old);
  expect(await remaining()).toEqual([young, kept]);
});

test("a consent to calls is stored once, word for word, and outlives its message", async () => {
  const given = {
    name: "Ada",
    email: "consents@example.com",
    phone: "555 0100",
    call_consent: callSentence,
  };
  const send = () =>
    fetch(`${project.url}/functions/v1/send-email`, {
      method: "POST",
      headers: { "idempotency-key": "consent" },
      body: JSON.stringify({ ...given, message: "Ten letters" }),
    });
  const [first, again] = await Promise.all(
    [send(), send()].map(async (sent) => (await sent).json()),
  );
  expect(again).toEqual(first);
  const consents = () => owner.from("consents").select("*").eq("subject_id", first.id);
  const { call_consent: wording, ...person } = given;
  const expected = [{ kind: "calls", ...person, wording }];
  expect((await consents()).data).toMatchObject(expected);
  expect((await search("consents@example.com")).rows).toMatchObject([given]);

  await owner.from("contact_messages").delete().eq("id", first.id).throwOnError();
  expect((await consents()).data).toMatchObject(expected);
});
