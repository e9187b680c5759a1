// Which changes in the database queue a mail, to whom, and which settings switch it off.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeEach, expect, test } from "vitest";
import {
  changeTestimonial,
  decisionOf,
} from "../../app/manage/testimonials/manage-testimonials.ts";
import { listWarnings } from "../../server/embedded/live-facts.ts";
import { publishSentence } from "../consent-sentences.ts";
import { publishSettings } from "../other-firm.ts";
import { decision, newPost, scheduling, storeDraft, submitting } from "../post-calls.ts";
import { setUpFolder } from "../set-up.ts";
import { openClient, setUpProject } from "../start-project.ts";
import { newReview } from "../testimonial-answers.ts";

// Without a mail service, mails stay in the queue.
const { project, sql, owner, signInAs } = await setUpProject<SupabaseClient>();
const { client: editor, email: ed } = await signInAs("editor", "Ed");
const ada = project.owner.email;
const folder = await setUpFolder("warnings");

beforeEach(async () => {
  await publishSettings(owner, { mail: {}, testimonials: {} });
  await sql`delete from public.mails`;
});

/** What was queued since the last call, sorted. */
async function queued(): Promise<unknown[][]> {
  const mails = await sql`delete from public.mails returning kind, recipient, data`;
  return mails.map(({ kind, recipient, data }) => [kind, recipient, data]).toSorted();
}

/** @returns the number of the submission */
async function submit(client: SupabaseClient, title: string): Promise<number> {
  const post = newPost({ title });
  const { saved_at } = await storeDraft(client, { id: post.id, title });
  return (await client.rpc("submit", submitting(post, saved_at)).throwOnError()).data;
}

async function decide(submission: number, is_approved: boolean, comment = "") {
  const args = decision(submission, { is_approved, comment });
  expect((await owner.rpc("decide", args).throwOnError()).data).toBeNull();
}

test("the owners hear of a submission, and who submitted of the decision", async () => {
  const submissions = [await submit(editor, "Annuities"), await submit(editor, "Trusts")] as const;
  expect(await queued()).toMatchObject([
    ["approval_asked", ada, { by: "Ed", title: "Annuities" }],
    ["approval_asked", ada, { by: "Ed", title: "Trusts" }],
  ]);
  await decide(submissions[0], true);
  await decide(submissions[1], false, "Name the source.");
  expect(await queued()).toMatchObject([
    ["approval_decided", ed, { by: "The owner", title: "Annuities", event: "approved" }],
    ["approval_decided", ed, { title: "Trusts", event: "returned", comment: "Name the source." }],
  ]);
});

test("nobody hears of what she did herself, and the setting switches these mails off", async () => {
  await decide(await submit(owner, "Wills"), true);
  expect(await queued()).toEqual([]);
  await publishSettings(owner, { mail: { notifyApprovals: false } });
  await decide(await submit(editor, "Wills again"), true);
  expect(await queued()).toEqual([]);
});

test("the owners hear once of a scheduled post that could not be published, unless it is switched off", async () => {
  const fail = async (title: string) => {
    await sql`alter table public.posts drop constraint if exists fails`;
    await owner.rpc("schedule", scheduling(newPost({ title }))).throwOnError();
    await sql`alter table public.posts add constraint fails check (title !~ '^Fails') not valid`;
    await sql`update public.schedules set at = now() - interval '1 minute'`;
    await sql`select private.publish_due()`;
    await sql`update public.schedules set retry_at = now()`;
    await sql`select private.publish_due()`;
  };
  await fail("Fails");
  expect(await queued()).toMatchObject([
    ["not_published", ada, { title: "Fails", failure: expect.stringContaining("fails") }],
  ]);
  await publishSettings(owner, { mail: { notifySchedule: false } });
  await fail("Fails again");
  expect(await queued()).toEqual([]);
});

test("a reviewer hears once whether the review is shown, if that is switched on and she left an address", async () => {
  const receive = async (email: string, consent: string | null = publishSentence) => {
    const review = newReview({ email, consent });
    await openClient(project).from("testimonials").insert(review).throwOnError();
    return { id: review.id, approved_at: null, refused_at: null };
  };
  const reviews = [await receive("cy@example.com"), await receive("di@example.com")] as const;
  const others = [await receive(""), await receive("off@example.com")] as const;
  await changeTestimonial(owner, others[1], decisionOf(null));
  // A form without a box for the consent still asks for the address.
  const mail = { answerReviewers: true, notifyTestimonials: true };
  await publishSettings(owner, { mail, testimonials: { consent: "" } });
  const unasked = await receive("ann@example.com", null);
  expect(
    await sql`select public.claim_mails(5, 60, 3, '["team@example.com"]') as mail`,
  ).toMatchObject([{ mail: { kind: "testimonial", data: { email: "ann@example.com" } } }]);
  await queued();
  await changeTestimonial(owner, unasked, decisionOf(null));
  await changeTestimonial(owner, reviews[0], decisionOf(null));
  await changeTestimonial(owner, reviews[1], decisionOf("promise"));
  await changeTestimonial(owner, others[0], decisionOf(null));
  // Changed later.
  const { data: refused } = await owner
    .from("testimonials")
    .select()
    .eq("id", reviews[1].id)
    .single();
  await changeTestimonial(owner, refused, decisionOf(null));
  expect(await queued()).toEqual([
    ["testimonial_answer", "ann@example.com", { decision: "shown" }],
    ["testimonial_answer", "cy@example.com", { decision: "shown" }],
    ["testimonial_answer", "di@example.com", { decision: "refused" }],
  ]);
});

test("a new role, a removal and an accepted invitation are told to the person and the owners", async () => {
  const { email, id } = await project.createStranger();
  const both = (by: string | null, role: string | null) =>
    [
      ["role_of_person", ada],
      ["your_role", email],
    ].map(([kind, to]) => [kind, to, { email, role, by, name: "Bo" }]);
  await sql`select public.add_person(${email}, 'editor', 'Bo')`;
  expect(await queued()).toEqual(both(null, "editor"));
  await owner.rpc("set_person", { id, role: "assistant", name: "Bo" }).throwOnError();
  expect(await queued()).toEqual(both(ada, "assistant"));
  await sql`update private.people set accepted_at = null where user_id = ${id}`;
  await sql`update private.people set accepted_at = now() where user_id = ${id}`;
  expect(await queued()).toMatchObject([["accepted", ada, { email, role: "assistant" }]]);
  await owner.rpc("remove_person", { id }).throwOnError();
  expect(await queued()).toEqual(both(ada, null));
});

test("a backup older than a week is told every day; that there never was one, once a week", async () => {
  const warnings = async (age: string) => {
    await sql`update auth.users set created_at = now() - ${age}::interval`;
    return listWarnings(sql, folder);
  };
  expect(await warnings("6 days")).toEqual([]);
  expect(await warnings("7 days 1 hour")).toEqual([
    "The site is older than a week and has no backup. Without one, it cannot be brought back.",
  ]);
  expect(await warnings("9 days")).toEqual([]);
  expect(await warnings("14 days 1 hour")).toHaveLength(1);
  writeFileSync(join(folder, "last-backup"), "2026-01-31T03:00:00.000Z");
  expect(await warnings("9 days")).toEqual([
    "The last backup was made on 2026-01-31, more than a week ago.",
  ]);
});
