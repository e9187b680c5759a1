// What visitors agreed to at the API: only sentences that the site showed, and what was withdrawn since.
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { Sql } from "embedded-supabase/database.ts";
import { beforeEach, expect, test } from "vitest";
import { callSentence, publishSentence } from "../consent-sentences.ts";
import { publishSettings } from "../other-firm.ts";
import { setUpProject } from "../start-project.ts";
import { newReview } from "../testimonial-answers.ts";

const { project, sql, visitor, owner, admin } = await setUpProject<SupabaseClient>();

const sections = { publish: "testimonials", calls: "disclosures" } as const;

beforeEach(async () => {
  await sql`delete from private.counted_requests`;
  await asReplica((transaction) => [
    transaction`delete from public.site_settings`,
    transaction`delete from public.versions where kind = 'section'`,
  ]);
});

/** Without triggers, which reject changes of what is kept. */
async function asReplica(change: (transaction: Sql) => PromiseLike<unknown>[]): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    // A transaction answers the same calls.
    for (const query of change(transaction as unknown as Sql)) await query;
  });
}

const pageChanged = "The page has changed. Please reload it.";
const debt = "The firm owes me $1,000,000.";

/** Publishes the sentence of a consent. @returns its version */
async function publish(kind: keyof typeof sections, sentence: string): Promise<number> {
  const section = sections[kind];
  const field = kind === "publish" ? "consent" : "callConsent";
  await publishSettings(owner, { [section]: { [field]: sentence } });
  const stored = owner.from("site_settings").select("version").eq("section", section).single();
  return (await stored.throwOnError()).data.version;
}

/** Makes all versions of a section older. */
async function age(kind: keyof typeof sections, minutes: number): Promise<void> {
  await asReplica((transaction) => [
    transaction`
      update public.versions
        set at = at - make_interval(mins => ${minutes})
        where thing = ${sections[kind]}`,
  ]);
}

interface Sent {
  id: string;
  problem: string | undefined;
}

interface Person {
  email?: string | null;
  phone?: string;
  /** Of a message. A browser that repeats a request sends the same one. */
  key?: string;
}

/** Sends a review or a message with a consent, as a visitor does. */
const send = {
  async publish(sentence: string, { email = null }: Person = {}): Promise<Sent> {
    const row = newReview({ email, consent: sentence });
    await sql`delete from private.counted_requests`;
    const { error } = await visitor.from("testimonials").insert(row);
    return { id: row.id, problem: error?.message };
  },
  async calls(sentence: string, person: Person = {}): Promise<Sent> {
    const { email = "ada@example.com", phone = "555 0100", key = randomUUID() } = person;
    const response = await fetch(`${project.url}/functions/v1/send-email`, {
      method: "POST",
      headers: { "idempotency-key": key },
      body: JSON.stringify({
        ...{ name: "Ada", email, phone, call_consent: sentence },
        message: "Ten letters",
      }),
    });
    const { id, error } = await response.json();
    expect(response.status).toBe(error ? 409 : 200);
    return { id, problem: error };
  },
};

async function consentOf(subject: string) {
  const { data } = await owner.from("consents").select("*").eq("subject_id", subject).maybeSingle();
  return data;
}

const releases = { publish: publishSentence, calls: callSentence };
const kinds = ["publish", "calls"] as const;

test.each(kinds)(
  "a sentence that the site never showed is no consent (%s), and nothing is stored",
  async (kind) => {
    const count = async () =>
      (
        await sql`
        select (select count(*) from public.consents) + (select count(*) from public.testimonials)
          + (select count(*) from public.contact_messages) as rows`
      )[0]?.rows;
    const before = await count();
    for (const sentence of [debt, `${releases[kind]} ${debt}`, releases[kind].slice(1)]) {
      expect((await send[kind](sentence)).problem).toBe(pageChanged);
    }
    await publish(kind, "I agree to this.");
    expect((await send[kind](debt)).problem).toBe(pageChanged);
    // The setting was emptied: the form has no box.
    await age(kind, 61);
    await publish(kind, "");
    await age(kind, 61);
    expect((await send[kind]("I agree to this.")).problem).toBe(pageChanged);
    expect(await count()).toBe(before);
  },
);

test("the database itself rejects a foreign sentence and a consent to calls without a number", async () => {
  const row = { name: "Ada", email: "ada@example.com", message: "Ten letters" };
  const insert = async (table: string, values: object) =>
    (await admin.from(table).insert(values)).error?.message;
  const message = { ...row, phone: "555 0100", call_consent: debt };
  expect(await insert("contact_messages", message)).toBe(pageChanged);
  const consent = { subject_id: randomUUID(), name: "Ada" };
  for (const kind of kinds) {
    expect(await insert("consents", { ...consent, kind, wording: debt })).toBe(pageChanged);
  }
  expect(await insert("contact_messages", { ...row, call_consent: callSentence })).toContain(
    "call_consent_phone",
  );
});

test.each(kinds)(
  "a consent names the version that published its sentence (%s), also one that was replaced within the hour",
  async (kind) => {
    const accepted = async (sentence: string) => {
      const { id, problem } = await send[kind](sentence);
      expect(problem).toBeUndefined();
      return consentOf(id);
    };
    const release = { wording: releases[kind], settings_version: null };
    expect(await accepted(releases[kind])).toMatchObject(release);
    // Forms trim a sentence and change its line breaks.
    const first = "  I agree “fully”,\n\tas shown.  ";
    const version = await publish(kind, first);
    const sent = "I agree “fully”,\r\n\tas shown.";
    expect(await accepted(sent)).toMatchObject({ wording: first, settings_version: version });
    // A page that was open before the first publication.
    expect(await accepted(releases[kind])).toMatchObject(release);

    // Published long ago, and shown until just now.
    await age(kind, 100_000);
    const second = await publish(kind, "I agree.");
    expect(await accepted(first)).toMatchObject({ settings_version: version });
    expect((await send[kind](releases[kind])).problem).toBe(pageChanged);
    await age(kind, 59);
    expect(await accepted(first)).toMatchObject({ settings_version: version });
    expect(await accepted("I agree.")).toMatchObject({ settings_version: second });
    await age(kind, 2);
    expect((await send[kind](first)).problem).toBe(pageChanged);
    expect(await accepted("I agree.")).toMatchObject({ settings_version: second });
  },
);

async function withdraw(
  consent: string,
  { client = owner, at = new Date().toISOString(), channel = "phone", note = "" } = {},
) {
  const { data, error } = await client.rpc("withdraw_consent", {
    ...{ consent, channel, note },
    received_at: at,
  });
  return error ? error.message : data;
}

const withdrawn = async (...consents: string[]) =>
  (await sql`select id from public.consent_withdrawals where id in ${sql(consents)}`).length;

async function newConsent(kind: keyof typeof sections, person: Person): Promise<string> {
  const { id, problem } = await send[kind](releases[kind], person);
  expect(problem).toBeUndefined();
  return (await consentOf(id))?.id;
}

async function findMessages(query: string) {
  const found = { query, filter: "all", first: 0, count: 20 };
  const { data } = await owner.rpc("search_messages", found).throwOnError();
  return data.rows as { consent: { id: string } | null; withdrawal: object | null }[];
}

const newAddress = () => `${randomUUID()}@example.com`;
/** A number of ten digits. */
const newNumber = () =>
  String(Math.floor(2_000_000_000 + Math.random() * 7_000_000_000)).replace(
    /(...)(...)/,
    "($1) $2-",
  );

test("a withdrawn consent to calls is shown at every message of that number or address, until she agrees again", async () => {
  const [email, other, phone, otherPhone] = [newAddress(), newAddress(), newNumber(), newNumber()];
  const consent = await newConsent("calls", { email, phone });
  const spelled = `+1 ${phone.replaceAll(/\D/g, "-")} ext. 7`;
  const second = await newConsent("calls", { email: other, phone: spelled });
  const addMessage = (values: object) =>
    admin
      .from("contact_messages")
      .insert({ name: "Ada", message: "Ten letters", ...values })
      .throwOnError();
  await addMessage({ email: email.toUpperCase(), phone: otherPhone });
  const stranger = await newConsent("calls", { email: newAddress(), phone: newNumber() });

  expect(await withdraw(consent, { note: " Rang us up.\n" })).toMatchObject({ phone });
  expect([await withdrawn(consent, second), await withdrawn(stranger)]).toEqual([2, 0]);
  for (const query of [email, other]) {
    for (const found of await findMessages(query)) {
      expect(found).toMatchObject({
        consent: null,
        withdrawal: {
          ...{ channel: "phone", note: "Rang us up." },
          by_email: project.owner.email,
        },
      });
    }
  }
  expect(await findMessages(email)).toHaveLength(2);
  // Again by somebody else changes nothing.
  expect(await withdraw(consent, { channel: "letter" })).toMatchObject({ channel: "phone" });

  const again = await newConsent("calls", { email, phone: otherPhone });
  expect((await findMessages(email))[0]).toMatchObject({
    consent: { id: again },
    withdrawal: { channel: "phone" },
  });
});

test("a withdrawal is later than its consent and not in the future, and ends no later consent", async () => {
  const [email, phone] = [newAddress(), newNumber()];
  const [first, later] = [
    await newConsent("calls", { email, phone }),
    await newConsent("calls", { email, phone }),
  ];
  await sql`update public.consents set given_at = now() - interval '2 days' where id = ${first}`;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const refused = "A withdrawal is received after the consent was given, and not in the future.";
  expect(await withdraw(first, { at: daysAgo(3) })).toBe(refused);
  expect(await withdraw(first, { at: daysAgo(-1) })).toBe(refused);
  expect(await withdraw(first, { channel: "pigeon" })).toContain("consent_withdrawals_channel");
  expect(await withdraw(randomUUID())).toContain("was not found");
  await withdraw(first, { at: daysAgo(1) });
  expect([await withdrawn(first), await withdrawn(later)]).toEqual([1, 0]);
  expect((await findMessages(email))[0]?.consent).toMatchObject({ id: later });
  // The form knows minutes.
  const minute = new Date(Date.now() - (Date.now() % 60_000)).toISOString();
  await withdraw(later, { at: minute });
  expect(await withdrawn(later)).toBe(1);
});

test("a withdrawn publication ends that consent alone, and is named at the other reviews of the address", async () => {
  const email = newAddress();
  const consent = await newConsent("publish", { email });
  const other = await newConsent("publish", { email: email.toUpperCase() });
  await withdraw(consent, { channel: "email" });
  const consents =
    await sql`select subject_id from public.consents where id in ${sql([consent, other])}`;
  const subjects = consents.map(({ subject_id }) => subject_id);
  const listed = async (filter: string) => {
    const page = { filter, subjects, first: 0, count: 10 };
    return (await owner.rpc("list_consents", page).throwOnError()).data;
  };
  expect(await listed("all")).toMatchObject({
    counts: { all: 2, publish: 2, withdrawn: 1 },
    rows: [
      { id: other, withdrawal: null, other_withdrawal: { channel: "email" } },
      // The review stays until somebody decides.
      { id: consent, withdrawal: { channel: "email" }, other_withdrawal: null, is_public: true },
    ],
  });
  expect((await listed("withdrawn")).rows).toHaveLength(1);
  expect((await listed("calls")).rows).toEqual([]);
});

test.each([
  ["(503) 555-0142", "5035550142"],
  ["+1 503.555.0142 x12", "5035550142"],
  ["001 503 555 0142", "5035550142"],
  ["0049 30 123456", "4930123456"],
  ["+49 30 123456", "4930123456"],
  ["５０３５５５０１４２", "5035550142"],
  ["no number", null],
])("the number %s is compared as %s", async (phone, expected) => {
  const [row] = await sql`select private.comparable_number(${phone}) as number`;
  expect(row?.number).toBe(expected);
});

test("a message that was deleted for good is stored again when it is sent again, with its first consent", async () => {
  const person = { email: newAddress(), key: randomUUID() };
  const { id } = await send.calls(callSentence, person);
  const given = await consentOf(id);
  await owner.from("contact_messages").delete().eq("id", id).throwOnError();
  expect(await send.calls(callSentence, person)).toEqual({ id, problem: undefined });
  const stored = owner.from("contact_messages").select("email").eq("id", id).single();
  expect((await stored.throwOnError()).data).toEqual({ email: person.email });
  expect(await consentOf(id)).toEqual(given);
});
