// Testimonials that wait for approval: which roles see, approve and hide them, and the mail about a new one.
import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import {
  countNewTestimonials,
  markSeen,
} from "../../app/manage/testimonials/manage-testimonials.ts";
import { listTestimonials } from "../../app/testimonials/testimonials.ts";
import { publishSettings } from "../other-firm.ts";
import { decodeMail, headerOf } from "../smtp-server.ts";
import { type openClient, setUpProject, setUpSmtp } from "../start-project.ts";

const smtp = await setUpSmtp();
const { project, sql, visitor, owner, signInAs } = await setUpProject({
  smtpUrl: smtp.url,
  retryPauses: "0.2",
  jobIntervals: { mail: 200 },
});

beforeEach(async () => {
  smtp.mails.length = 0;
  await set("testimonials", { approveFirst: false, askConsent: false });
  await set("mail", {});
});

const approval = { approved_at: new Date().toISOString(), refused_at: null, refusal_reason: null };
const refusal = {
  approved_at: null,
  refused_at: new Date().toISOString(),
  refusal_reason: "unverified",
};

async function set(section: string, document: Record<string, unknown>): Promise<void> {
  await publishSettings(owner, { [section]: document });
}

/** Leaves a review as a visitor. @returns its id */
async function leaveReview(content = "Kind."): Promise<string> {
  const id = randomUUID();
  const { error } = await visitor
    .from("testimonials")
    .insert({ id, name: "Ada <b>", content, rating: 5 });
  expect(error).toBeNull();
  return id;
}

async function sees(client: ReturnType<typeof openClient>, id: string): Promise<boolean> {
  const { data, error } = await client.from("testimonials").select("id").eq("id", id);
  expect(error).toBeNull();
  return data?.length === 1;
}

async function count(client: ReturnType<typeof openClient>): Promise<number | null> {
  return (await client.from("testimonials").select("id", { count: "exact", head: true })).count;
}

test("without approval a new review is visible at once, and its writer reads it back", async () => {
  const row = { id: randomUUID(), name: "Ada", content: "Kind.", rating: 5 };
  const { data, error } = await visitor.from("testimonials").insert(row).select().single();
  expect(error).toBeNull();
  // The overview tells of it as new as long as both times are the same.
  expect(data?.approved_at).toBe(data?.created_at);
});

test("while the page is switched off nobody leaves a review, and stored ones stay readable", async () => {
  const id = await leaveReview();
  await set("pages", { hidden: ["testimonials"] });
  for (const client of [visitor, owner]) {
    const row = { id: randomUUID(), name: "Ada", content: "Kind.", rating: 5 };
    const { error } = await client.from("testimonials").insert(row);
    expect(error).toMatchObject({
      code: "42501",
      message: "This site takes no reviews at the moment.",
    });
  }
  expect(await sees(visitor, id)).toBe(true);
  await set("pages", { hidden: ["blog"] });
  await leaveReview();
});

test("with approval a new review is visible to owners and assistants alone until it is approved", async () => {
  await set("testimonials", { approveFirst: true, askConsent: false });
  const { client: editor } = await signInAs("editor");
  const { client: assistant } = await signInAs("assistant");
  const before = await count(visitor);
  const id = await leaveReview();
  const seen = () => Promise.all([visitor, editor, assistant, owner].map((each) => sees(each, id)));
  expect(await seen()).toEqual([false, false, true, true]);
  expect(await count(visitor)).toBe(before);

  const approved = await assistant.from("testimonials").update(approval).eq("id", id).select("id");
  expect(approved.data).toEqual([{ id }]);
  expect(await seen()).toEqual([true, true, true, true]);
  expect(await count(visitor)).toBe((before ?? 0) + 1);

  // These are more reviews than a visitor may leave.
  for (let time = 0; time < 5; time += 1) {
    const hidden = await assistant.from("testimonials").update(refusal).eq("id", id).select("id");
    expect([hidden.error, hidden.data]).toEqual([null, [{ id }]]);
    expect(await seen()).toEqual([false, false, true, true]);
    await assistant.from("testimonials").update(approval).eq("id", id);
  }
});

test("a new review is new until it was seen in the list, which never shows a hidden one again", async () => {
  const id = await leaveReview();
  const before = await countNewTestimonials(owner);
  const { data } = await owner.from("testimonials").select("*").eq("id", id).throwOnError();
  await owner.from("testimonials").update(refusal).eq("id", id).throwOnError();
  await markSeen(owner, data);
  expect(await sees(visitor, id)).toBe(false);

  const shown = await leaveReview();
  expect(await countNewTestimonials(owner)).toBe(before);
  await markSeen(owner, (await owner.from("testimonials").select("*").eq("id", shown)).data ?? []);
  expect(await countNewTestimonials(owner)).toBe(before - 1);
  expect(await sees(visitor, shown)).toBe(true);
});

test("open windows learn of an approval and of a hidden review, and never of a waiting one", async () => {
  await set("testimonials", { approveFirst: true, askConsent: false });
  const events: { type: string; id: string }[] = [];
  const joined = new Promise<void>((resolve) => {
    visitor
      .channel("approval")
      .on("postgres_changes", { event: "*", schema: "public", table: "testimonials" }, (change) => {
        const row = change.eventType === "DELETE" ? change.old : change.new;
        events.push({ type: change.eventType, id: String(row.id) });
      })
      .on(
        "postgres_changes",
        { event: "*", schema: "public", table: "public_site_settings" },
        ({ eventType, new: row }) =>
          events.push({ type: eventType, id: "section" in row ? String(row.section) : "" }),
      )
      .subscribe((status) => {
        if (status === "SUBSCRIBED") resolve();
      });
  });
  await joined;
  const [id, other] = [await leaveReview(), await leaveReview()];
  // Changes arrive in the order of their commits, so an earlier one would have arrived before this one.
  await owner.from("testimonials").delete().eq("id", other);
  await expect.poll(() => events).toEqual([{ type: "DELETE", id: other }]);
  const decide = (decision: typeof approval | typeof refusal) =>
    owner.from("testimonials").update(decision).eq("id", id);
  await decide(approval);
  await expect.poll(() => events.slice(1)).toEqual([{ type: "UPDATE", id }]);
  await decide(refusal);
  await expect.poll(() => events.slice(2)).toEqual([{ type: "UPDATE", id: "content" }]);
  await visitor.removeAllChannels();
});

test("a mail announces a new review once, to the recipients of the settings; without the setting, none does", async () => {
  await leaveReview();
  const states = async () => {
    const mails = await sql`select status from public.mails where kind = 'testimonial'`;
    return mails.map(({ status }) => status);
  };
  expect(await states()).toEqual([]);
  await set("mail", {
    notifyTestimonials: true,
    recipients: ["one@example.com", "two@example.com"],
  });
  await set("testimonials", { approveFirst: true, askConsent: false });
  await leaveReview("<script>alert(1)</script>");
  const announced = () =>
    smtp.mails.filter((mail) => headerOf(mail, "Subject")?.includes("Review"));
  await expect.poll(() => announced().length, { timeout: 20_000 }).toBe(2);
  const to = announced().map((mail) => headerOf(mail, "To"));
  expect(to.toSorted()).toEqual(["one@example.com", "two@example.com"]);
  const [mail] = announced();
  if (!mail) throw new Error("No mail");
  expect(headerOf(mail, "Subject")).toContain("by Ada <b>");
  const text = decodeMail(mail);
  expect(text).toContain("until you approve it");
  expect(text).toContain(`${project.url}/manage/testimonials`);
  expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  await expect.poll(states).toEqual(["sent", "sent"]);
  expect(announced()).toHaveLength(2);
});

test("an owner gets a test mail, a few times", async () => {
  await sql`insert into private.request_limits values ('test_mail', 'everyone', 5, '10 minutes')`;
  const ask = async () => (await owner.functions.invoke("send-email/test", { body: "" })).data;
  const answers = [];
  for (let time = 0; time < 6; time += 1) answers.push(await ask());
  expect(answers.slice(0, 5)).toEqual(
    Array(5).fill({
      accepted: true,
      text: expect.stringContaining(`accepted the test mail to ${project.owner.email}.`),
      // Null where the machine has no DNS.
      sender: expect.toBeOneOf([null, expect.any(Array)]),
    }),
  );
  expect(answers[5]).toEqual({
    accepted: false,
    text: "Too many test mails were sent just now. Please try again in 10 minutes.",
  });
  expect(smtp.mails).toHaveLength(5);
  smtp.fault = "rejects permanently";
  await sql`delete from private.counted_requests`;
  expect(await ask()).toMatchObject({
    accepted: false,
    ...{
      text: "The mail server refused the sender. Enter an address as sender that belongs to your account there.",
      answer: "554 never",
    },
  });
  smtp.fault = null;
});

test("a review with a filled-in honeypot waits in any case and is not mailed, unless its client was asked", async () => {
  await set("mail", { notifyTestimonials: true });
  const leave = async (values: object) => {
    const row = { id: randomUUID(), name: "Ada", content: "Kind.", rating: 5, may_be_spam: true };
    await visitor
      .from("testimonials")
      .insert({ ...row, ...values })
      .throwOnError();
    const stored = owner.from("testimonials").select("*").eq("id", row.id).single();
    return (await stored.throwOnError()).data;
  };
  const held = await leave({});
  expect(held).toMatchObject({ may_be_spam: true, approved_at: null });
  expect(await sees(visitor, held.id)).toBe(false);
  const request = owner.from("testimonial_requests").insert({ name: "Ada" }).select("token");
  const { data: link } = await request.single().throwOnError();
  const asked = await leave({ request: link.token });
  expect(asked).toMatchObject({ may_be_spam: false, approved_at: expect.any(String) });
  const mails = await sql`select subject_id from mails where kind = 'testimonial'`;
  const subjects = mails.map(({ subject_id }) => subject_id);
  expect(subjects).toContain(asked.id);
  expect(subjects).not.toContain(held.id);

  await owner.from("testimonials").update(approval).eq("id", held.id).throwOnError();
  const { data: shown } = await visitor.from("testimonials").select("*").eq("id", held.id).single();
  expect(shown).toMatchObject({ may_be_spam: false, approved_at: expect.any(String) });
});

test("the owner shows some testimonials first, in an order of their own, and the rest follow, newest first", async () => {
  const ids: string[] = [];
  for (const content of ["One.", "Two.", "Three.", "Four."]) ids.push(await leaveReview(content));
  const [one = "", two = "", three = "", four = ""] = ids;
  const place = async (id: string, place: number | null) => {
    await owner.rpc("place_testimonial", { id, place }).throwOnError();
  };
  const shown = async () => {
    const rows = await listTestimonials(visitor, false, 0, 100);
    return rows.map(({ id }) => id).filter((id) => ids.includes(id));
  };
  expect(await shown()).toEqual([four, three, two, one]);
  await place(one, 1);
  await place(two, 1);
  await place(three, 9);
  expect(await shown()).toEqual([two, one, three, four]);
  await place(three, 2);
  expect(await shown()).toEqual([two, three, one, four]);
  await place(two, 3);
  expect(await shown()).toEqual([three, one, two, four]);
  await place(three, null);
  expect(await shown()).toEqual([one, two, four, three]);

  // One that leaves the site loses its place, and another one can be put where it was.
  await owner.from("testimonials").update(refusal).eq("id", one).throwOnError();
  await owner.from("testimonials").update(approval).eq("id", one).throwOnError();
  await place(four, 1);
  expect(await shown()).toEqual([four, two, three, one]);
  const { data: versions } = await owner.from("versions").select("event").eq("thing", two);
  expect(versions).toHaveLength(1);

  const waiting = await owner.rpc("place_testimonial", { id: randomUUID(), place: 1 });
  expect(waiting.error?.message).toBe("The testimonial is not on the site any more");
});
