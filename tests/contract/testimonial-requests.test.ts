// What comes with a testimonial: the relationship and the consent of its reviewer, the client's link that it came in
// through, and the version that each decision leaves. Sent past the form, as anyone can.
import { createHash, randomUUID } from "node:crypto";
import type { Sql, Transaction } from "embedded-supabase/database.ts";
import { beforeEach, expect, test } from "vitest";
import { completeSettings, defaultSettings } from "../../app/config/site.ts";
import { sectionSchemas } from "../../app/config/site-schema.ts";
import { readLink } from "../../app/testimonials/client-link.ts";
import {
  questionNames,
  testimonialQuestions,
} from "../../supabase/functions/_shared/testimonial-fields.ts";
import { publishSentence } from "../consent-sentences.ts";
import { interleave } from "../interleave.ts";
import { setUpProject } from "../start-project.ts";
import { newReview, testimonialAnswers } from "../testimonial-answers.ts";

const { sql, visitor, owner } = await setUpProject();

beforeEach(async () => {
  await sql`delete from private.counted_requests`;
  await sql`delete from public.site_settings`;
});

/** Stores published settings as publish does. */
async function publish(sections: Record<string, object>): Promise<void> {
  await sql`delete from public.site_settings`;
  for (const [section, document] of Object.entries(sections)) {
    await sql`insert into public.site_settings (section, document, version)
      values (${section}, ${sql.json(document as never)}, 1)`;
  }
}

/** A review without the answers that a site may ask for. */
const review = (more: object = {}) => ({
  ...{ id: randomUUID(), name: "Ada", content: "Kind.", rating: 5 },
  ...more,
});

/** Sends a review as a visitor. @returns the message of its rejection */
async function send(row: ReturnType<typeof review>): Promise<string | undefined> {
  return (await visitor.from("testimonials").insert(row)).error?.message;
}

async function findRow(id: string) {
  const { data } = await owner.from("testimonials").select("*").eq("id", id).maybeSingle();
  return data;
}

/** A client's link, as an owner makes it. */
async function newLink(): Promise<string> {
  const request = { name: "Grace Hopper", email: "grace@example.com" };
  const { data, error } = await owner
    .from("testimonial_requests")
    .insert(request)
    .select("token, created_at, expires_at")
    .single();
  if (error) throw error;
  const days = (Date.parse(data.expires_at) - Date.parse(data.created_at)) / 86_400_000;
  expect(days).toBe(30);
  return data.token;
}

const cannotUse = "This link was used before or has ended. You can send your review without it.";

test.each<[what: string, published: Record<string, object>]>([
  ["a new site", {}],
  ["the fictional firm", { firm: { name: defaultSettings.firm.name } }],
  ["another firm", { firm: { name: "Marlow & Crane" } }],
  ["a section without the settings", { testimonials: { lead: "" } }],
  ["a section that asks", { testimonials: { askConsent: true, approveFirst: false } }],
  [
    "another firm that does not ask",
    { firm: { name: "Marlow & Crane" }, testimonials: { askConsent: false } },
  ],
])(
  "the database asks the same as the form, and lets reviews wait as the form says: %s",
  async (_what, published) => {
    await publish(published);
    const { firm, testimonials } = published;
    const { askConsent, approveFirst } = completeSettings({
      ...(firm && { firm: sectionSchemas.firm.parse(firm) }),
      ...(testimonials && { testimonials: sectionSchemas.testimonials.parse(testimonials) }),
    }).testimonials;
    expect((await send(review())) === undefined).toBe(!askConsent);
    const answered = newReview();
    expect(await send(answered)).toBeUndefined();
    expect((await findRow(answered.id))?.approved_at === null).toBe(approveFirst);
  },
);

test("where the form asks, a review without an answer or the consent is rejected, and stores nothing", async () => {
  await publish({ testimonials: { askConsent: true } });
  const answers = { ...testimonialAnswers, consent: publishSentence };
  for (const missing of [
    ...[...questionNames, "rating"].map((name) => ({ [name]: null })),
    ...[{ consent: null }, { consent: " \n" }],
  ]) {
    const row = review({ ...answers, ...missing });
    await sql`delete from private.counted_requests`;
    expect(await send(row)).toMatch(/^This site asks for stars, whether you are a client/);
    expect(await findRow(row.id)).toBeNull();
    expect(await sql`select from public.consents where subject_id = ${row.id}`).toHaveLength(0);
  }
  // The owner has emptied the wording, so there is no box.
  await publish({ testimonials: { askConsent: true, consent: "" } });
  expect(await send(review({ ...testimonialAnswers, relationship: "none" }))).toBeUndefined();
});

test("where the form does not ask, a review needs no answers, and five stars are preset", async () => {
  await publish({ testimonials: { askConsent: false } });
  const { rating: _, ...row } = review();
  expect(await send(row as never)).toBeUndefined();
  const nothing = { relationship: null, compensation: null, connection: null, statement: null };
  expect(await findRow(row.id)).toMatchObject({ ...nothing, rating: 5 });
});

test("every answer of the form is stored as it was given", async () => {
  await publish({ testimonials: { askConsent: true, consent: "" } });
  for (const [name, { answers }] of Object.entries(testimonialQuestions)) {
    for (const answer of Object.keys(answers)) {
      const given = { ...testimonialAnswers, [name]: answer };
      const details = given.compensation === "given" ? "A gift card." : null;
      const row = review({ ...given, compensation_details: details });
      await sql`delete from private.counted_requests`;
      expect(await send(row)).toBeUndefined();
      expect(await findRow(row.id)).toMatchObject({ ...given, compensation_details: details });
    }
  }
});

test("a consent is stored word for word with its version and the database's time, apart from the review", async () => {
  const consent = "  I agree “fully”,\n\tas shown.  ";
  await publish({ testimonials: { askConsent: true, consent } });
  const email = " ada@example.com ";
  const row = newReview({ consent, email, created_at: "2001-01-01T00:00:00Z" });
  expect(await send(row)).toBeUndefined();
  expect(await findRow(row.id)).toMatchObject({
    ...{ is_asked: false, consent: null, email: null, request: null },
  });
  const { data } = await owner.from("consents").select("*").eq("subject_id", row.id).single();
  expect(data).toMatchObject({
    ...{ kind: "publish", name: "Ada", email: "ada@example.com", wording: consent },
    version: createHash("sha256").update(consent).digest("hex").slice(0, 12),
  });
  expect(Math.abs(Date.parse(data?.given_at ?? "") - Date.now())).toBeLessThan(60_000);
  const [version] = await sql`
    select document::text from public.versions where thing = ${row.id}`;
  expect(version?.document).not.toMatch(/consent|email|request|ada@/);
  expect(await send(newReview({ consent, email: "ada@" }))).toBe("The email address is not valid.");
});

test("a client's link is good for one review, which is marked, and a rejected review does not use it", async () => {
  const token = await newLink();
  expect(await readLink(visitor, token)).toMatchObject({ name: "Grace Hopper" });
  expect(await send(review({ name: " ", request: token }))).toContain("name_length");
  const row = review({ request: token });
  expect(await send(row)).toBeUndefined();
  expect(await findRow(row.id)).toMatchObject({ is_asked: true, request: null });
  expect(
    await sql`
    select testimonial_id, used_at > now() - interval '1 minute' as used
      from public.testimonial_requests where token = ${token}`,
  ).toEqual([{ testimonial_id: row.id, used: true }]);
  const again = review({ request: token });
  expect(await send(again)).toBe(cannotUse);
  expect(await findRow(again.id)).toBeNull();
  const problem = "Your link was used before. You can leave a review without it.";
  expect(await readLink(visitor, token)).toEqual({ problem });
});

test("of two reviews through one link at the same time, one is stored", async () => {
  await sql`delete from public.testimonial_requests`;
  for (let round = 0; round < 5; round += 1) {
    await sql`delete from private.counted_requests`;
    const token = await newLink();
    const sent = [review({ request: token }), review({ request: token })];
    const messages = await Promise.all(sent.map(send));
    expect(messages.toSorted()).toEqual([cannotUse, undefined]);
    const rows = await Promise.all(sent.map(({ id }) => findRow(id)));
    expect(rows.filter(Boolean)).toHaveLength(1);
  }
});

test("the id of a review is used once, also after its deletion, and adds no consent and uses no link", async () => {
  const row = review();
  expect(await send(row)).toBeUndefined();
  const request = await newLink();
  const answers = [{}, { consent: publishSentence, email: "eve@example.com" }, { request }];
  const isRejected = async (more: object) => {
    // What PostgREST does with 'resolution=ignore-duplicates', which the embedded backend does not offer.
    const again = sql.begin(async (transaction) => {
      await transaction`set local role anon`;
      await transaction`insert into public.testimonials ${sql({ ...row, ...more, content: "Bad." })}
        on conflict do nothing`;
    });
    await expect(again).rejects.toMatchObject({ code: "23505" });
    expect((await owner.from("testimonials").insert({ ...row, ...more })).error?.code).toBe(
      "23505",
    );
  };
  for (const more of answers) await isRejected(more);
  await owner.from("testimonials").delete().eq("id", row.id).throwOnError();
  for (const more of answers) await isRejected(more);
  expect(await findRow(row.id)).toBeNull();
  expect(await sql`select from public.consents where subject_id = ${row.id}`).toHaveLength(0);
  expect(await readLink(visitor, request)).toEqual({ name: "Grace Hopper" });
});

test("of two reviews with one id at the same time, the second one adds no consent", async () => {
  const row = review();
  const insert = (on: Sql | Transaction, more: object = {}) =>
    on`insert into public.testimonials ${sql({ ...row, ...more })} on conflict do nothing`;
  const consent = { consent: publishSentence, email: "eve@example.com" };
  const both = interleave(sql, insert, () => insert(sql, consent).execute());
  await expect(both).rejects.toMatchObject({ code: "23505" });
  expect(await sql`select from public.consents where subject_id = ${row.id}`).toHaveLength(0);
});

test("a link ends after 30 days by the database's clock; unknown and cut ones say so", async () => {
  const token = await newLink();
  await sql`update public.testimonial_requests set expires_at = now() where token = ${token}`;
  const problem = "Your link has expired. You can leave a review without it.";
  expect(await readLink(visitor, token)).toEqual({ problem });
  expect(await send(review({ request: token }))).toBe(cannotUse);
  expect(await send(review({ request: randomUUID() }))).toBe(cannotUse);
  for (const unknown of [randomUUID(), token.slice(0, 20), ""]) {
    expect(await readLink(visitor, unknown)).toMatchObject({
      problem: expect.stringContaining("is incomplete, or was revoked"),
    });
  }
});

test("a link can be revoked until it is used", async () => {
  const revoke = (token: string) =>
    owner.from("testimonial_requests").delete().eq("token", token).select("token").throwOnError();
  const token = await newLink();
  expect((await revoke(token)).data).toEqual([{ token }]);
  expect(await send(review({ request: token }))).toBe(cannotUse);
  const used = await newLink();
  expect(await send(newReview({ request: used }))).toBeUndefined();
  expect((await revoke(used)).data).toEqual([]);
});

test("each decision leaves one version with every column, also of samples and when it leaves the site", async () => {
  const events = async (id: string) =>
    sql`select event, document, by_id from public.versions
      where thing = ${id} order by number`;
  const names = async (id: string) => (await events(id)).map(({ event }) => event);
  const [sample] = await sql`select id from public.testimonials where is_sample limit 1`;
  expect(await names(sample?.id)).toEqual(["published"]);

  await publish({ testimonials: { askConsent: false, approveFirst: true } });
  const row = review({ request: await newLink(), relationship: "former" });
  const change = async (values: object) => {
    // The values are checked by the database.
    const changed = owner.from("testimonials").update(values as never);
    return (await changed.eq("id", row.id).select("*").throwOnError()).data[0];
  };
  await send(row);
  // Changes nothing.
  await change({ approved_at: null, statement: null });
  const approval = { approved_at: "2001-01-01T00:00:00Z", refused_at: null, refusal_reason: null };
  const approved = await change(approval);
  expect(Math.abs(Date.parse(approved?.approved_at ?? "") - Date.now())).toBeLessThan(60_000);
  // Who only looks at it again leaves no version.
  await change({ approved_at: "2002-01-01T00:00:00Z" });
  const answered = await change({ reply: "Thank you.", statement: "A voucher" });
  expect(answered).toMatchObject({ reply: "Thank you.", is_asked: true });
  expect(Math.abs(Date.parse(answered?.replied_at ?? "") - Date.now())).toBeLessThan(60_000);
  const refusal = { approved_at: null, refused_at: "2001-01-01", refusal_reason: "withdrawn" };
  await change(refusal);
  const { approved_at: _, refused_at: __, refusal_reason: ___, ...content } = answered ?? {};
  const stored = await findRow(row.id);
  expect(stored).toMatchObject({ ...content, approved_at: null, refusal_reason: "withdrawn" });
  expect(Math.abs(Date.parse(stored?.refused_at ?? "") - Date.now())).toBeLessThan(60_000);
  await change(approval);
  await owner.from("testimonials").delete().eq("id", row.id).throwOnError();

  expect(await names(row.id)).toEqual([
    ...["submitted", "published", "published", "unpublished", "published", "deleted"],
  ]);
  const [received, , , refused] = await events(row.id);
  expect(received).toMatchObject({ by_id: null, document: { relationship: "former" } });
  const { data: session } = await owner.auth.getUser();
  expect(refused).toMatchObject({
    by_id: session.user?.id,
    document: { reply: "Thank you.", refusal_reason: "withdrawn" },
  });
});
