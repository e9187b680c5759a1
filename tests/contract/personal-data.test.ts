// What is stored about a visitor at the API: found by email address, erased, and kept as long as it must be.
import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FoundPerson } from "../../app/manage/personal-data/personal-data.ts";
import { connect, type Sql } from "../../backend/database.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

let project: Project;
let owner: SupabaseClient;
let visitor: SupabaseClient;
let admin: SupabaseClient;
/** The embedded backend's database: tests change times only there. */
let sql: Sql;

beforeAll(async () => {
  project = await startProject({ jobIntervals: { erasures: 50 } });
  sql = connect(project.backend?.databaseUrl ?? "", 2);
  owner = openClient(project) as SupabaseClient;
  visitor = openClient(project) as SupabaseClient;
  const { error } = await owner.auth.signInWithPassword(project.owner);
  if (error) throw error;
  admin = createClient(project.url, project.secretKey, { auth: { persistSession: false } });
});

afterAll(async () => {
  await sql.end();
  await project.stop();
});

const nothing = { messages: [], reviews: [], requests: [], consents: [] };

async function call(name: "find_person" | "erase_person", email: string): Promise<FoundPerson> {
  return (await owner.rpc(name, { email }).throwOnError()).data as FoundPerson;
}
const find = (email: string) => call("find_person", email);
const erase = (email: string) => call("erase_person", email);

const newAddress = () => `${randomUUID()}@example.com`;

async function addMessage(email: string, values: object = {}): Promise<string> {
  const row = { id: randomUUID(), name: "Ada", email, message: "Ten letters", ...values };
  await admin.from("contact_messages").insert(row).throwOnError();
  return row.id;
}

async function addReview(email: string | null, values: object = {}): Promise<string> {
  const row = { id: randomUUID(), name: "Ada", content: "Good.", rating: 5 };
  const answers = { relationship: "client", consent: "You may publish this.", email, ...values };
  await visitor
    .from("testimonials")
    .insert({ ...row, ...answers })
    .throwOnError();
  return row.id;
}

const consented = { phone: "555 0100", call_consent: "You may call me." };

/** Whole years from now, rounded. */
const yearsUntil = (time: string | null | undefined) =>
  Math.round((Date.parse(time ?? "") - Date.now()) / (365.25 * 24 * 3600_000));

test("messages, notes, reviews, requests and consents are found by an address in any case", async () => {
  const email = newAddress();
  const message = await addMessage(email.toUpperCase(), consented);
  const note = { note: "Private", deleted_at: new Date().toISOString() };
  await owner.from("contact_messages").update(note).eq("id", message).throwOnError();
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
  expect(found).toMatchObject({
    email,
    messages: [{ id: message, note: "Private", deleted_at: expect.any(String) }],
    requests: [{ name: "Ada" }],
  });
  expect(found.reviews.map(({ id }) => id).sort()).toEqual([review, asked].sort());
  expect(found.reviews[0]).toMatchObject({
    shown: { content: "Good." },
    versions: [{ event: "approved", document: { name: "Ada" } }],
    is_erased: false,
  });
  expect(found.consents.map(({ kind, wording }) => [kind, wording]).sort()).toEqual([
    ["calls", "You may call me."],
    ["publish", "You may publish this."],
    ["publish", "You may publish this."],
  ]);
});

test.each([
  ["an unknown address", "nobody@example.com"],
  ["no address", ""],
  ["a pattern", "%"],
  ["a long text", "x".repeat(10_000)],
])("nothing is stored of %s", async (_what, email) => {
  expect(await find(email)).toEqual({ email, ...nothing });
  expect(await erase(email)).toEqual({ email, ...nothing });
});

test("an erasure removes messages with their queued mails, and what was never public", async () => {
  const email = newAddress();
  await addMessage(email);
  const waiting = await addReview(email);
  // As if it had waited for approval from the beginning.
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await transaction`update public.testimonials set approved_at = null where id = ${waiting}`;
    await transaction`update public.archive_entries set is_public = false where item = ${waiting}`;
  });
  expect((await find(email)).reviews).toMatchObject([{ kept_until: null }]);

  expect(await erase(email.toUpperCase())).toEqual({ email, ...nothing });
  const leases = { max_count: 100, lease_seconds: 60, max_attempts: 3 };
  const { data: queued } = await admin.rpc("claim_contact_messages", leases).throwOnError();
  expect(queued.filter((message: { email: string }) => message.email === email)).toEqual([]);
  const versions =
    await sql`select document from public.testimonial_versions where testimonial_id = ${waiting}`;
  expect(new Set(versions.map(({ document }) => JSON.stringify(document)))).toEqual(
    new Set(['{"erased":true}']),
  );
});

test("a public review leaves the site, and the archive and the consents stay until their end", async () => {
  const email = newAddress();
  const message = await addMessage(email, consented);
  const review = await addReview(email);
  const before = await find(email);
  expect(yearsUntil(before.reviews[0]?.kept_until)).toBe(5);

  const kept = await erase(email);
  expect(kept).toMatchObject({
    messages: [],
    requests: [],
    reviews: [{ id: review, shown: null, is_erased: true, versions: [{ event: "approved" }] }],
  });
  expect(kept.consents.map(({ kind, is_erased }) => [kind, is_erased]).sort()).toEqual([
    ["calls", true],
    ["publish", true],
  ]);
  for (const { kept_until } of [...kept.reviews, ...kept.consents]) {
    expect(yearsUntil(kept_until)).toBe(5);
  }
  const { data: shown } = await visitor.from("testimonials").select("id").eq("id", review);
  expect(shown).toEqual([]);
  expect(await erase(email)).toEqual(kept);

  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    for (const item of [message, review]) {
      await transaction`update public.consents set given_at = given_at - interval '6 years' where subject_id = ${item}`;
      await transaction`update public.archive_entries set at = at - interval '6 years' where item = ${item}`;
      await transaction`update private.erasures set due_at = now() where item = ${item}`;
    }
  });
  await expect.poll(() => find(email)).toEqual({ email, ...nothing });
  const [row] = await sql`
    select count(*)::int as count from public.testimonial_versions
      where testimonial_id = ${review} and document ? 'name'`;
  expect(row?.count).toBe(0);
});

test("an old consent to calls is erased at once, and without an erasure it stays", async () => {
  const email = newAddress();
  const message = await addMessage(email, consented);
  await sql`update public.consents set given_at = given_at - interval '6 years' where subject_id = ${message}`;
  expect((await find(email)).consents).toMatchObject([{ kept_until: null, is_erased: false }]);
  expect(await erase(email)).toEqual({ email, ...nothing });
});
