// What is stored about a visitor at the API: found by email address, erased, and kept as long as it must be.
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { changeHistory } from "../change-history.ts";
import { callSentence } from "../consent-sentences.ts";
import { later } from "../post-calls.ts";
import { setUpProject } from "../start-project.ts";
import { newReview } from "../testimonial-answers.ts";

const { project, sql, visitor, owner, admin } = await setUpProject<SupabaseClient>();
const finishErasures = () => sql`select private.finish_erasures()`;

interface Found {
  email: string;
  entries: {
    kind: string;
    state: string | null;
    kept_until: string | null;
    is_erased: boolean;
    data: unknown;
    record: string | null;
  }[];
}

async function find(email: string): Promise<Found> {
  return (await owner.rpc("find_person", { email }).throwOnError()).data as Found;
}

/** @param keep the ids of messages that the firm keeps */
async function erase(email: string, keep: string[] = []): Promise<Found> {
  const erasure = { email, received_on: "2026-11-20", keep };
  return (await owner.rpc("erase_person", erasure).throwOnError()).data as Found;
}

async function requestsOf(email: string) {
  return (await owner.rpc("list_privacy_requests", { email, first: 0 }).throwOnError()).data;
}

const newAddress = () => `${randomUUID()}@example.com`;

async function addMessage(email: string, values: object = {}): Promise<string> {
  const row = { id: randomUUID(), name: "Ada", email, message: "Ten letters", ...values };
  await admin.from("contact_messages").insert(row).throwOnError();
  return row.id;
}

async function addReview(email: string | null, values: object = {}): Promise<string> {
  const row = newReview({ email, ...values });
  await visitor.from("testimonials").insert(row).throwOnError();
  return row.id;
}

const consented = { phone: "555 0100", call_consent: callSentence };

/** Whole years from now, rounded. */
const yearsUntil = (time: string | null | undefined) =>
  Math.round((Date.parse(time ?? "") - Date.now()) / (365.25 * 24 * 3600_000));

test("messages, reviews, requests and consents are found by an address in any case, without private notes", async () => {
  const email = newAddress();
  const message = await addMessage(email.toUpperCase(), consented);
  const note = { note: "Private", deleted_at: new Date().toISOString() };
  await owner.from("contact_messages").update(note).eq("id", message).throwOnError();
  const spam = await addMessage(email, { spam_at: new Date().toISOString() });
  const review = await addReview(email);
  const { data: request } = await owner
    .from("testimonial_requests")
    .insert({ name: "Ada", email })
    .select("token")
    .single()
    .throwOnError();
  const asked = await addReview(null, { request: request.token });
  await addMessage(newAddress(), consented);
  await addReview(newAddress());

  const found = await find(`  ${email.toUpperCase()}\n`);
  expect(found.email).toBe(email);
  const dataOf = (kind: string) =>
    found.entries.filter((entry) => entry.kind === kind).map(({ data }) => data);
  expect(dataOf("message")).toMatchObject([
    { id: spam },
    { id: message, deleted_at: expect.any(String) },
  ]);
  expect(JSON.stringify(found)).not.toMatch(/Private|"note/);
  expect(dataOf("request")).toMatchObject([{ name: "Ada" }]);
  expect(dataOf("testimonial")).toMatchObject([
    [{ thing: asked, event: "published", document: { name: "Ada" } }],
    [{ thing: review, document: { content: "Kind." } }],
  ]);
  expect(dataOf("calls")).toMatchObject([{ wording: callSentence }]);
  expect(dataOf("publish")).toHaveLength(2);
});

test.each([
  ["composed", "jörg", "JO\u0308RG"],
  ["in capitals", "JÖRG", "jörg"],
  ["decomposed", "jo\u0308rg", "JÖRG"],
])(
  "an address that was typed %s is found and erased in any Unicode form",
  async (_how, typed, asked) => {
    const host = newAddress();
    await addMessage(`${typed}.${host}`, consented);
    await addReview(`${typed}.${host}`);
    await owner
      .from("testimonial_requests")
      .insert({ name: "Ada", email: `${typed}.${host}` })
      .throwOnError();
    const kinds = ({ entries }: Found) => entries.map(({ kind }) => kind).sort();
    const found = await find(`${asked}.${host}`);
    expect(kinds(found)).toEqual(["calls", "message", "publish", "request", "testimonial"]);
    expect(JSON.stringify(found)).not.toContain("by_email");
    expect(kinds(await erase(`${asked}.${host}`))).toEqual(["calls", "publish", "testimonial"]);
  },
);

test.each([
  ["an unknown address", "nobody@example.com"],
  ["no address", ""],
  ["a pattern", "%"],
  ["a long text", "x".repeat(10_000)],
])("nothing is stored of %s", async (_what, email) => {
  expect(await find(email)).toEqual({ email, entries: [] });
  expect(await erase(email)).toEqual({ email, entries: [] });
});

test("an erasure removes messages with their queued mails, and the name of what was never public", async () => {
  const email = newAddress();
  const message = await addMessage(email);
  const waiting = await addReview(email);
  // As if it had waited for approval from the beginning.
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await transaction`update public.testimonials set approved_at = null where id = ${waiting}`;
    await transaction`
      update public.versions set event = 'submitted', document = document || '{"approved_at": null}'
        where thing = ${waiting}`;
  });
  const [found] = (await find(email)).entries.filter(({ kind }) => kind === "testimonial");
  expect(found).toMatchObject({ state: "hidden", kept_until: null });

  expect(await erase(email.toUpperCase())).toEqual({ email, entries: [] });
  const queued = await sql`
    select from public.mails where status = 'waiting' and recipient is not distinct from ${email}
      or subject_id in (${waiting}, ${message})`;
  expect(queued).toHaveLength(0);
  const [request] = await requestsOf(email);
  const versions = await sql`
    select document from public.versions where thing = ${waiting} order by number`;
  const left = { content: "Kind.", rating: 5, approved_at: null, erased: request.number };
  expect(versions.map(({ document }) => document)).toMatchObject([
    { ...left, refusal_reason: null },
    { ...left, refusal_reason: "withdrawn" },
    { ...left, refusal_reason: "withdrawn" },
  ]);
  for (const { document } of versions) {
    expect(document).not.toHaveProperty("name");
    expect(document.removed).toContain("name");
  }
});

test("a refused review keeps its text, stars and reason, without the name, for the years of the archive", async () => {
  const email = newAddress();
  const review = await addReview(email, { name: "Una Unhappy", content: "Too slow.", rating: 1 });
  const refusal = { approved_at: null, refused_at: later(0), refusal_reason: "false" };
  await owner.from("testimonials").update(refusal).eq("id", review).throwOnError();
  // It was public until then.
  await changeHistory(
    sql,
    (on) =>
      on`update public.versions set event = 'submitted' where thing = ${review} and event = 'published'`,
  );
  await erase(email);
  const documents = async () =>
    (await sql`select document from public.versions where thing = ${review} order by number`).map(
      ({ document }) => document,
    );
  const words = { content: "Too slow.", rating: 1 };
  expect(await documents()).toMatchObject([words, { ...words, refusal_reason: "false" }, words]);
  expect(JSON.stringify(await documents())).not.toContain("Una");
  expect(JSON.stringify(await sql`select * from private.erasures`)).not.toContain(email);
  const [request] = await requestsOf(email);
  expect(request.kept).toMatchObject([
    { what: "text and stars of a testimonial", item: review, why: expect.any(String) },
  ]);
  expect(yearsUntil(request.kept[0].until)).toBe(7);
  const period = { starts: "2000-01-01T00:00:00Z", ends: "2200-01-01T00:00:00Z", first: 0 };
  const { data: changes } = await owner.rpc("archive_changes", period).throwOnError();
  expect(changes.filter(({ thing }: { thing: string }) => thing === review)).toMatchObject([
    { event: "submitted" },
    { event: "unpublished", document: words },
    { event: "deleted", document: { erased: request.number } },
  ]);

  await changeHistory(
    sql,
    (on) => on`update public.versions set at = at - interval '9 years' where thing = ${review}`,
  );
  await finishErasures();
  for (const document of await documents()) expect(document).not.toHaveProperty("content");
  expect(await documents()).toMatchObject([{ rating: 1 }, { refusal_reason: "false" }, {}]);
  expect(await sql`select from private.erasures where item = ${review}`).toEqual([]);
});

test("an erased review is not restored, and a request that finds nothing is logged as well", async () => {
  const [email, stranger] = [newAddress(), newAddress()];
  const review = await addReview(email);
  await erase(email);
  const undone = { kind: "testimonial", thing: review };
  expect((await owner.rpc("undo_deletion", undone).throwOnError()).data).toBe(false);
  await owner.rpc("record_copy", { email: stranger, received_on: "2026-11-19" }).throwOnError();
  expect(await requestsOf(stranger)).toMatchObject([{ kind: "copy", found: {}, kept: [] }]);
});

test("each request is logged with what was found and kept and why, without the address, and never changes", async () => {
  const email = newAddress();
  await addMessage(email, consented);
  const record = await addMessage(email, { message: "Please surrender my policy 123." });
  const named = (await find(email)).entries.filter(({ kind }) => kind === "message");
  expect(named.map(({ record }) => record)).toEqual([
    "It may be an instruction or a complaint about a policy.",
    "It has a consent to calls and texts.",
  ]);
  await owner.rpc("record_copy", { email, received_on: "2026-11-19" }).throwOnError();
  const { entries } = await erase(email, [record]);
  expect(entries.map(({ kind, is_erased }) => [kind, is_erased])).toEqual([
    ["message", false],
    ["calls", true],
  ]);
  const requests = await requestsOf(email.toUpperCase());
  const found = { message: 2, calls: 1 };
  const by = { by_email: project.owner.email, by_role: "owner" };
  expect(requests).toMatchObject([
    {
      ...{ kind: "erasure", received_on: "2026-11-20", found, ...by },
      kept: [
        {
          what: "consent to calls and texts",
          why: "It proves whether calls and texts were allowed.",
        },
        { what: "message", item: record, until: null },
      ],
    },
    { kind: "copy", received_on: "2026-11-19", found, kept: [], ...by },
  ]);
  expect(JSON.stringify(requests)).not.toContain(email);
  const future = { email, received_on: "2100-01-01", keep: [] };
  expect((await owner.rpc("erase_person", future)).error?.message).toContain("in the future");
  for (const statement of [
    "update private.privacy_requests set kept = '[]'",
    "delete from private.privacy_requests",
    "truncate private.privacy_requests",
  ]) {
    await expect(sql.unsafe(statement)).rejects.toThrow("The archive keeps every row");
  }
});

test("a request is logged when everything is kept, with the consent of a message that is kept", async () => {
  const email = newAddress();
  const message = await addMessage(email, consented);
  const { entries } = await erase(email, [message]);
  expect(entries.map(({ is_erased }) => is_erased)).toEqual([false, false]);
  const [request] = await requestsOf(email);
  expect(request).toMatchObject({
    found: { message: 1, calls: 1 },
    kept: [
      { what: "consent to calls and texts", item: message, until: null },
      { what: "message", item: message, until: null },
    ],
  });
  // Nothing is left, so the response to the last call was lost.
  await erase(email);
  await sql`update public.consents set given_at = given_at - interval '6 years' where subject_id = ${message}`;
  await finishErasures();
  for (const _ of [1, 2]) expect(await erase(email)).toEqual({ email, entries: [] });
  expect(await requestsOf(email)).toHaveLength(2);
});

test("a verification finds a version that was erased without a request", async () => {
  const verify = async () =>
    (await sql`select private.verify_archive() as problem`).map(({ problem }) => problem);
  expect(await verify()).toEqual([]);
  const review = await addReview(newAddress());
  const [row] = await sql<{ number: string }[]>`
    select number::text from public.versions where thing = ${review}`;
  await changeHistory(
    sql,
    (on) => on`update public.versions set document = '{"erased": 999}' where thing = ${review}`,
  );
  expect(await verify()).toEqual([
    `Version ${row?.number} of a testimonial was erased without a request.`,
  ]);
  await changeHistory(sql, (on) => on`delete from public.versions where thing = ${review}`);
});

test("a review without a consent is found by the address that was left with it", async () => {
  const email = newAddress();
  const review = await addReview(email.toUpperCase(), { consent: null });
  expect((await find(email)).entries).toMatchObject([
    { kind: "testimonial", state: "public", data: [{ thing: review }] },
  ]);
  expect((await erase(email)).entries).toMatchObject([{ state: "archived", is_erased: true }]);
  expect(
    await sql`select from private.testimonial_addresses where testimonial_id = ${review}`,
  ).toEqual([]);
});

test("a public review leaves the site, and the archive and the consents stay until their end", async () => {
  const email = newAddress();
  const message = await addMessage(email, consented);
  const review = await addReview(email);
  const before = (await find(email)).entries.find(({ kind }) => kind === "testimonial");
  expect([before?.state, yearsUntil(before?.kept_until)]).toEqual(["public", 7]);

  const kept = await erase(email);
  expect(kept.entries.map(({ kind, state }) => [kind, state]).sort()).toEqual([
    ["calls", null],
    ["publish", null],
    ["testimonial", "archived"],
  ]);
  for (const { kind, kept_until, is_erased } of kept.entries) {
    expect([yearsUntil(kept_until), is_erased]).toEqual([kind === "calls" ? 5 : 7, true]);
  }
  const { data: shown } = await visitor.from("testimonials").select("id").eq("id", review);
  expect(shown).toEqual([]);
  expect(await erase(email)).toEqual(kept);

  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    for (const item of [message, review]) {
      await transaction`update public.consents set given_at = given_at - interval '8 years' where subject_id = ${item}`;
      await transaction`update public.versions set at = at - interval '8 years' where thing = ${item}`;
    }
  });
  await finishErasures();
  expect(await find(email)).toEqual({ email, entries: [] });
  const [row] = await sql`
    select count(*)::int as count from public.versions
      where thing = ${review} and document ? 'name'`;
  expect(row?.count).toBe(0);
});

test("a link for a review is erased with its review, and an unused one 30 days after it expired", async () => {
  const email = newAddress();
  const add = async () => {
    const links = owner.from("testimonial_requests").insert({ name: "Ada" });
    return (await links.select("token").single().throwOnError()).data.token as string;
  };
  const [used, recent, old] = [await add(), await add(), await add()];
  const remaining = async () =>
    (await sql`select token from testimonial_requests where token in ${sql([used, recent, old])}`)
      .map(({ token }) => token)
      .sort();
  await addReview(email, { request: used });
  expect((await find(email)).entries.map(({ kind }) => kind)).toContain("request");
  await sql`
    update testimonial_requests
      set expires_at = now() - case when token = ${recent} then interval '29 days' else interval '31 days' end
      where token in ${sql([used, recent, old])}`;
  await finishErasures();
  expect(await remaining()).toEqual([used, recent].sort());
  expect((await erase(email)).entries.map(({ kind }) => kind)).not.toContain("request");
  expect(await remaining()).toEqual([recent]);
});

test("a withdrawal is found with its consent, and keeps it for five years after", async () => {
  const email = newAddress();
  const message = await addMessage(email, consented);
  const [consent] = await sql`
    update public.consents set given_at = given_at - interval '3 years'
      where subject_id = ${message} returning id`;
  const withdrawal = { received_at: new Date().toISOString(), channel: "phone", note: "Rang." };
  await owner.rpc("withdraw_consent", { consent: consent?.id, ...withdrawal }).throwOnError();
  const found = (await find(email)).entries.filter(({ kind }) => kind !== "message");
  expect(found).toMatchObject([
    { kind: "withdrawal", state: "calls", data: { channel: "phone" } },
    { kind: "calls", state: null },
  ]);
  expect(JSON.stringify(found)).not.toContain("Rang.");
  expect(JSON.stringify(found)).not.toContain(project.owner.email);
  for (const { kept_until } of found) expect(yearsUntil(kept_until)).toBe(5);
  expect((await erase(email)).entries).toHaveLength(2);
  await sql`
    update public.consent_withdrawals set received_at = received_at - interval '6 years'
      where id = ${consent?.id}`;
  await sql`
    update public.consents set given_at = given_at - interval '6 years' where id = ${consent?.id}`;
  await finishErasures();
  expect(await find(email)).toEqual({ email, entries: [] });
});

test("an old consent to calls is erased at once, and without an erasure it stays", async () => {
  const email = newAddress();
  const message = await addMessage(email, consented);
  await sql`update public.consents set given_at = given_at - interval '6 years' where subject_id = ${message}`;
  expect((await find(email)).entries).toMatchObject([
    { kind: "message" },
    { kind: "calls", kept_until: null, is_erased: false },
  ]);
  expect(await erase(email)).toEqual({ email, entries: [] });
});
