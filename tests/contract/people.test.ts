// The people who manage the site: invitations, roles, sessions and addresses, with supabase-js as the
// pages use it.
import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { hashPassword, storePassword } from "embedded-supabase/auth/passwords.ts";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { foldAddress } from "../../supabase/functions/_shared/invitation.ts";
import { publishSettings } from "../other-firm.ts";
import { decision, newPost, storeDraft, submitting } from "../post-calls.ts";
import { decodeMail } from "../smtp-server.ts";
import { openClient, setUpProject, setUpSmtp, signIn, startProject } from "../start-project.ts";

const smtp = await setUpSmtp();
const { project, sql, owner, admin, signInAs } = await setUpProject<SupabaseClient>({
  smtpUrl: smtp.url,
  jobIntervals: { mail: 200 },
});

afterEach(() => {
  smtp.mails.length = 0;
});

const newEmail = () => `${randomUUID()}@example.com`;

interface Person {
  id: string;
  email: string;
  role: string;
  name: string | null;
  is_invited: boolean;
}

async function findPerson(email: string): Promise<Person | undefined> {
  const { data } = await owner.rpc("list_people").throwOnError();
  return data.find((person: Person) => person.email === email);
}

/** As the page does, with the Origin that a browser sends. */
async function invite(client: SupabaseClient, invitation: object, origin = project.url) {
  const { data, error } = await client.functions.invoke("invite-person", {
    body: invitation,
    headers: { origin },
  });
  const status: number = error ? error.context.status : 200;
  return { status, body: error ? await error.context.json() : data };
}

/** The mail to an address that has these words; others tell about the role. */
async function mailTo(address: string, words: string): Promise<string> {
  const find = () =>
    smtp.mails
      .filter(({ envelope }) => envelope.join().includes(`<${address}>`))
      .map(decodeMail)
      .find((mail) => mail.includes(words));
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  return find() ?? "";
}

async function mailedLink(to: string): Promise<URL> {
  const link = (await mailTo(to, "/confirm#")).match(/https?:\/\/\S+\/confirm#\S+/)?.[0];
  return new URL(link ?? "the mail has no link");
}

/** Sends the token of a link, as the button of its page does. */
async function confirm(link: URL, type: "invite" | "email_change") {
  expect(`${link.origin}${link.pathname}${link.search}`).toBe(`${project.url}/confirm`);
  const fields = new URLSearchParams(link.hash.slice(1));
  expect(fields.get("type")).toBe(type);
  const client: SupabaseClient = openClient(project);
  const token_hash = fields.get("token_hash") ?? "";
  const { data, error } = await client.auth.verifyOtp({ type, token_hash });
  return { client, email: data.user?.email, code: error?.code };
}

/** Uses the link of an invitation and signs in by it. */
async function accept(link: URL): Promise<SupabaseClient> {
  const { client, code } = await confirm(link, "invite");
  expect(code).toBeUndefined();
  return client;
}

test("an invited person follows the mailed link once, sets a password and has the role from then on", async () => {
  const email = newEmail();
  const name = "Ada Lovelace";
  expect(await invite(owner, { email, name, role: "assistant" })).toEqual({
    status: 200,
    body: { outcome: "sent" },
  });
  expect(await findPerson(email)).toMatchObject({ role: "assistant", name, is_invited: true });
  const signIn = await openClient(project).auth.signInWithPassword({ email, password: "" });
  expect(signIn.error?.code).toBe("invalid_credentials");

  const link = await mailedLink(email);
  const client = await accept(link);
  expect((await confirm(link, "invite")).code).toBe("otp_expired");
  const password = randomUUID();
  expect((await client.auth.updateUser({ password })).error).toBeNull();
  expect(await findPerson(email)).toMatchObject({ role: "assistant", is_invited: false });

  const later: SupabaseClient = openClient(project);
  expect((await later.auth.signInWithPassword({ email, password })).error).toBeNull();
  expect((await later.rpc("my_profile")).data).toEqual([
    { name, role: "assistant", email, new_email: null },
  ]);
  expect((await later.from("contact_messages").select("id").limit(1)).error).toBeNull();
  const post = { id: randomUUID(), slug: randomUUID(), title: "A", category: "A", author: "A" };
  expect((await later.from("posts").insert(post)).error?.code).toBe("42501");
});

test("another invitation changes the role until a link is used, even without setting a password", async () => {
  const email = newEmail();
  await invite(owner, { email, role: "editor" });
  expect(await findPerson(email)).toMatchObject({ is_invited: true });
  smtp.mails.length = 0;
  const again = { email: email.toUpperCase(), role: "assistant", name: "Grace" };
  expect((await invite(owner, again)).body).toEqual({ outcome: "sent" });
  await accept(await mailedLink(email));
  const accepted = { role: "assistant", name: "Grace", is_invited: false };
  expect(await findPerson(email)).toMatchObject(accepted);
  expect((await invite(owner, { email, role: "editor" })).status).toBe(409);
});

test("an invited person whose password is set by the command line cannot be invited again", async () => {
  const email = newEmail();
  await invite(owner, { email, role: "editor" });
  const { id = "" } = (await findPerson(email)) ?? {};
  await storePassword(sql, id, await hashPassword(randomUUID()), null);
  expect(await findPerson(email)).toMatchObject({ is_invited: false });
  expect((await invite(owner, { email, role: "editor" })).status).toBe(409);
});

test("a person who helps already cannot be invited, and an account without a role gets one", async () => {
  const editor = await signInAs("editor");
  expect(await invite(owner, { email: editor.email, role: "owner" })).toEqual({
    status: 409,
    body: { error: `${editor.email} already helps to manage this site.` },
  });
  expect(await findPerson(editor.email)).toMatchObject({ role: "editor" });

  const stranger = await project.createStranger();
  const added = await invite(owner, { email: stranger.email, role: "editor" });
  expect(added.body).toEqual({ outcome: "added" });
  expect(
    await sql`select from public.mails where kind = 'invite' and recipient = ${stranger.email}`,
  ).toHaveLength(0);
  expect(await findPerson(stranger.email)).toMatchObject({ role: "editor" });
});

test("nobody but an owner can invite, and the response is the same for every address", async () => {
  const editor = await signInAs("editor");
  const anonymous = openClient(project);
  const stranger = await signIn(project, await project.createStranger());
  const invitations = () => sql`select id from public.mails where kind = 'invite' order by id`;
  const before = await invitations();
  for (const client of [editor.client, stranger, anonymous]) {
    const known = await invite(client, { email: project.owner.email, role: "owner" });
    expect(known.status).toBe(403);
    expect(await invite(client, { email: newEmail(), role: "owner" })).toEqual(known);
    expect(await invite(client, { email: "" })).toEqual(known);
  }
  expect(await invitations()).toEqual(before);
});

test.each([
  [{ email: "nobody", role: "editor" }, "Please enter a valid email address."],
  [{ email: "a@b.example", role: "admin" }, "Please choose a role."],
  [
    { email: "a@b.example", role: "editor", name: "x".repeat(101) },
    "A name has at most 100 characters.",
  ],
  [{ email: "a\u0000@b.example", role: "editor" }, "Please enter a valid email address."],
])("the invitation %j is rejected with the reason", async (invitation, error) => {
  expect(await invite(owner, invitation)).toEqual({ status: 400, body: { error } });
});

test.each(["https://evil.example", "null", "javascript:alert(1)"])(
  "an invitation from a page of %s leads to the site",
  async (origin) => {
    const email = newEmail();
    await invite(owner, { email, role: "editor" }, origin);
    expect((await mailedLink(email)).origin).toBe(project.url);
  },
);

test("a removed person has no rights and no session from then on", async () => {
  const { client, id, email, password } = await signInAs("owner");
  expect((await client.rpc("is_owner")).data).toBe(true);
  expect((await owner.rpc("remove_person", { id })).data).toBe(true);
  expect((await client.rpc("is_owner")).data).toBe(false);
  expect((await client.rpc("my_profile")).status).toBe(401);
  expect((await client.auth.refreshSession()).error).not.toBeNull();
  const again = await openClient(project).auth.signInWithPassword({ email, password });
  expect(again.error?.code).toBe("invalid_credentials");
  expect(await findPerson(email)).toBeUndefined();
  expect((await owner.rpc("remove_person", { id })).data).toBe(false);
});

test("the database gives the token of an ended session no rights", async () => {
  const { client, id } = await signInAs("owner");
  const { data } = await client.auth.getClaims();
  const claims = JSON.stringify(data?.claims);
  const rights = () =>
    sql.begin(async (transaction) => {
      await transaction`select set_config('request.jwt.claims', ${claims}, true)`;
      return transaction`
        select private.may('manage the site') as allowed, my_role() as role`;
    });
  expect(await rights()).toEqual([{ allowed: true, role: "owner" }]);
  await sql`select end_sessions(${id})`;
  expect(await rights()).toEqual([{ allowed: false, role: null }]);
  // The site forgets the session on a response with 401.
  await expect(sql`select my_profile()`).rejects.toMatchObject({ code: "PGRST" });
  await sql`select remove_person(${id})`;
});

test("each policy that asks for the account asks for its session, once per statement and not per row", async () => {
  const policies = await sql<{ policy: string; expression: string }[]>`
    select format('%s on %s', policyname, tablename) as policy, concat(qual, ' ', with_check) as expression
    from pg_policies`;
  expect(policies.filter(({ expression }) => /private\.may\(/.test(expression))).not.toEqual([]);
  for (const { policy, expression } of policies) {
    expect(expression, policy).not.toMatch(/(?<!SELECT )private\.may\(|auth\.\w+\(/);
  }
});

test("another role takes effect in the running session", async () => {
  const { client, id } = await signInAs("assistant");
  const read = () => client.from("contact_messages").select("id").limit(1);
  await admin
    .from("contact_messages")
    .insert({ id: randomUUID(), name: "Ada", email: "a@b.example", message: "Ten letters" })
    .throwOnError();
  expect((await read()).data).toHaveLength(1);
  await owner.rpc("set_person", { id, role: "editor", name: "" }).throwOnError();
  expect((await read()).data).toEqual([]);
  expect((await client.rpc("my_role")).data).toBe("editor");
});

test.each([
  ["admin", "Ada"],
  ["editor", "x".repeat(101)],
  ["editor", "two\nlines"],
])("the role %j and the name %j are rejected together", async (role, name) => {
  const { client, id, email } = await signInAs("assistant");
  expect((await owner.rpc("set_person", { id, role, name })).error).not.toBeNull();
  if (name !== "Ada") expect((await client.rpc("set_my_name", { name })).error).not.toBeNull();
  expect(await findPerson(email)).toMatchObject({ role: "assistant", name: null });
});

test("saving a role keeps a name that was changed meanwhile, and the other way round", async () => {
  const { id, email } = await signInAs("assistant");
  await owner.rpc("set_person", { id, role: null, name: "Ada" }).throwOnError();
  await owner.rpc("set_person", { id, role: "editor", name: null }).throwOnError();
  expect(await findPerson(email)).toMatchObject({ role: "editor", name: "Ada" });
  await owner.rpc("set_person", { id, role: null, name: "" }).throwOnError();
  expect(await findPerson(email)).toMatchObject({ role: "editor", name: null });
});

test("the last owner who has signed in can be neither removed, deleted nor demoted, whoever else is invited", async () => {
  const { id = "" } = (await findPerson(project.owner.email)) ?? {};
  const reason =
    "The site needs at least one owner who has signed in. Make someone else an owner, who signs in first.";
  const email = newEmail();
  await invite(owner, { email, name: "Ada", role: "owner" });
  const demoted = { id, role: "assistant", name: "" };
  for (const call of [
    owner.rpc("set_person", demoted),
    owner.rpc("remove_person", { id }),
    admin.rpc("remove_person", { id }),
    admin.rpc("add_person", { email: project.owner.email, role: "editor", name: "" }),
  ]) {
    expect((await call).error).toMatchObject({ message: reason });
  }
  await expect(sql`delete from auth.users where id = ${id}`).rejects.toThrow(reason);
  await expect(sql`delete from private.people`).rejects.toThrow(reason);
  expect((await owner.rpc("is_owner")).data).toBe(true);

  await accept(await mailedLink(email));
  await owner.rpc("set_person", demoted).throwOnError();
  expect((await owner.rpc("is_owner")).data).toBe(false);
  await sql`select public.make_owner(${id})`;
  await sql`select public.remove_person(id) from auth.users where email = ${email}`;
});

test("an owner who never signed in can be removed, and is kept before anybody has", async () => {
  const email = newEmail();
  await invite(owner, { email, name: "Ada", role: "owner" });
  const person = await findPerson(email);
  await sql
    .begin(async (transaction) => {
      await transaction`update auth.users set last_sign_in_at = null`;
      const others = transaction`
      select remove_person(user_id) from private.people where role = 'owner' and user_id <> ${person?.id ?? ""}`;
      expect((await others).length).toBeGreaterThan(0);
      await transaction
        .savepoint(async (last) => {
          await expect(last`select remove_person(${person?.id ?? ""})`).rejects.toThrow(
            "The site needs at least one owner",
          );
          throw new Error("Undone");
        })
        .catch(() => {});
      throw new Error("Undone");
    })
    .catch(({ message }) => expect(message).toBe("Undone"));
  expect((await owner.rpc("remove_person", { id: person?.id })).data).toBe(true);
});

test("what is kept names the account as it was at that moment, after a new name, a new address and a removal", async () => {
  const { client, id, email } = await signInAs("owner");
  await client.rpc("set_my_name", { name: "Ada" }).throwOnError();
  const post = newPost();
  const review = randomUUID();
  await openClient(project)
    .from("testimonials")
    .insert({ id: review, name: "Grace", content: "Good.", rating: 5 })
    .throwOnError();
  const publishLead = (lead: string) =>
    publishSettings(client, { blog: { lead, needApproval: false } });
  await publishLead("First");
  await client.from("posts").insert(post).throwOnError();
  await client.from("testimonials").update({ reply: "Thanks" }).eq("id", review).throwOnError();
  const { saved_at } = await storeDraft(client, { id: post.id });
  const submitted = client.rpc("submit", submitting(post, saved_at)).throwOnError();
  await client.rpc("decide", decision((await submitted).data)).throwOnError();

  await client.rpc("set_my_name", { name: "Grace" }).throwOnError();
  await sql`update auth.users set email = ${`new-${email}`} where id = ${id}`;
  await publishLead("Second");
  await sql`select remove_person(${id})`;

  const signatures = await sql`
    select concat_ws(' ', kind, event, document ->> 'lead') as kept, by_name, by_email
      from versions where by_id = ${id} order by number`;
  const ada = { by_name: "Ada", by_email: email };
  expect(signatures).toEqual([
    { kept: "section published First", ...ada },
    { kept: "post published", ...ada },
    { kept: "testimonial published", ...ada },
    { kept: "post submitted", ...ada },
    { kept: "post approved", ...ada },
    { kept: "section published Second", by_name: "Grace", by_email: `new-${email}` },
  ]);
  const received = await sql`
    select by_id, by_name, by_email from versions
    where thing = ${review} and by_id is null`;
  expect(received).toEqual([{ by_id: null, by_name: null, by_email: null }]);
  await sql`delete from posts where id = ${post.id}`;
  await sql`delete from site_settings where section = 'blog'`;
});

test.each([
  "JÖRG@Example.com",
  "JO\u0308RG@example.com",
  "Ada@EXAMPLE.com",
  "ΝΙΚΟΣ@example.com",
  "İ@ẞ.com",
  // Only its lower case is one letter.
  "J\u030CAN@example.com",
])("the database and the functions fold %s the same way, to composed letters", async (address) => {
  const [row] = await sql`select private.folded(${address}) as folded`;
  expect(row).toEqual({ folded: foldAddress(address) });
  expect(row?.folded).toBe(row?.folded.normalize("NFC"));
});

test("an account is found by its address in any Unicode form", async () => {
  const { id } = await signInAs("assistant");
  await sql`update auth.users set email = 'jörg-fold@example.com' where id = ${id}`;
  const person = { email: "JO\u0308RG-fold@example.com", role: "editor", name: "" };
  expect((await admin.rpc("add_person", person)).data).toBe("changed");
  await sql`select remove_person(${id})`;
});

test("owners who remove each other at the same time leave one", async () => {
  const id = (await findPerson(project.owner.email))?.id ?? "";
  for (let round = 0; round < 3; round += 1) {
    const other = await signInAs("owner");
    await Promise.all([
      other.client.rpc("set_person", { id, role: "editor", name: "" }),
      owner.rpc("set_person", { id: other.id, role: "editor", name: "" }),
    ]);
    const left = await sql`select user_id from private.people where role = 'owner'`;
    expect(left).toHaveLength(1);
    await sql`select public.make_owner(${id})`;
    await sql`delete from auth.users where id = ${other.id}`;
  }
});

test("each session is listed with its device, and one or all others can be ended", async () => {
  const account = await project.createStranger();
  const devices = ["Phone", "Tablet", "Laptop"];
  const clients = devices.map((device) =>
    createClient(project.url, project.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { headers: { "user-agent": device } },
    }),
  );
  const [phone, tablet, laptop] = clients;
  if (!phone || !tablet || !laptop) throw new Error("Three devices are needed");
  for (const client of clients) await client.auth.signInWithPassword(account);
  const list = async () => (await laptop.rpc("list_my_sessions").throwOnError()).data;
  const sessions: { id: string; user_agent: string; is_current: boolean }[] = await list();
  expect(sessions.map(({ user_agent }) => user_agent)).toEqual(["Laptop", "Tablet", "Phone"]);
  expect(sessions.map(({ is_current }) => is_current)).toEqual([true, false, false]);

  const unused = "2026-01-01T00:00:00.000Z";
  await sql`
    update auth.sessions
    set created_at = ${unused}, refreshed_at = ${unused}, updated_at = ${unused}
    where user_agent in ('Phone', 'Tablet')`;
  const used = new Date().toISOString();
  await phone.rpc("my_profile").throwOnError();
  const uses = (await list()).map(
    ({ user_agent, last_used_at }: { user_agent: string; last_used_at: string }) => {
      return [user_agent, new Date(last_used_at).toISOString() >= used];
    },
  );
  expect(uses).toEqual([
    ["Laptop", false],
    ["Phone", true],
    ["Tablet", false],
  ]);

  const { id } = sessions[1] ?? {};
  expect((await laptop.rpc("end_my_session", { id })).data).toBe(true);
  expect((await tablet.rpc("my_profile")).status).toBe(401);
  expect((await phone.rpc("my_profile")).status).toBe(200);
  await laptop.auth.signOut({ scope: "others" });
  expect((await phone.rpc("my_profile")).status).toBe(401);
  expect(await list()).toHaveLength(1);
});

async function requestNewEmail(
  client: SupabaseClient,
  current_password: string,
  email: string,
): Promise<void> {
  const { error } = await client.auth.updateUser({ email, current_password });
  expect(error).toBeNull();
}

test("a new address is announced to the current one and takes effect when its link is confirmed", async () => {
  const { client, email, password } = await signInAs("editor");
  const changed = newEmail();
  await requestNewEmail(client, password, changed);
  const notice = await mailTo(email, changed);
  expect(notice).not.toContain("/confirm");
  const pending = { email, new_email: changed };
  expect((await client.rpc("my_profile")).data).toMatchObject([pending]);
  expect((await openClient(project).auth.signInWithPassword({ email, password })).error).toBeNull();

  expect((await confirm(await mailedLink(changed), "email_change")).email).toBe(changed);
  const done = { email: changed, new_email: null };
  expect((await client.rpc("my_profile")).data).toMatchObject([done]);
  const refreshed = await client.auth.refreshSession();
  expect(refreshed.data.user?.email).toBe(changed);
  const withNew = { email: changed, password };
  expect((await openClient(project).auth.signInWithPassword(withNew)).error).toBeNull();
  const withOld = await openClient(project).auth.signInWithPassword({ email, password });
  expect(withOld.error?.code).toBe("invalid_credentials");
  await mailTo(email, `no longer with ${email}`);
});

test("a new password is told to its account", async () => {
  const { client, email, password } = await signInAs("editor");
  const change = { password: randomUUID(), current_password: password };
  expect((await client.auth.updateUser(change)).error).toBeNull();
  await mailTo(email, "Your account has a new password");
});

test("a call of the hook without Auth's signature queues nothing", async () => {
  const body = {
    user: { email: "ada@example.com" },
    email_data: { email_action_type: "recovery" },
  };
  const { error } = await openClient(project).functions.invoke("send-email/account", { body });
  expect(error?.context.status).toBe(401);
  expect(await sql`select from public.mails where recipient = 'ada@example.com'`).toHaveLength(0);
});

test("an account without a password cannot change the address", async () => {
  const email = newEmail();
  await invite(owner, { email, role: "editor" });
  const client = await accept(await mailedLink(email));
  for (const current_password of ["", randomUUID()]) {
    const { error } = await client.auth.updateUser({ email: newEmail(), current_password });
    expect(error?.code).toMatch(/^current_password_(required|invalid)$/);
  }
});

test("only the newest link confirms a change, once", async () => {
  const { client, password } = await signInAs("editor");
  const [first, second] = [newEmail(), newEmail()];
  await requestNewEmail(client, password, first);
  const former = await mailedLink(first);
  await requestNewEmail(client, password, second);
  const newest = await mailedLink(second);
  expect((await confirm(former, "email_change")).code).toBe("otp_expired");
  expect((await confirm(newest, "email_change")).email).toBe(second);
  expect((await confirm(newest, "email_change")).code).toBe("otp_expired");
});

test("a new password stops a change that is not confirmed", async () => {
  const { client, password } = await signInAs("editor");
  const changed = newEmail();
  await requestNewEmail(client, password, changed);
  const link = await mailedLink(changed);
  const change = { password: randomUUID(), current_password: password };
  expect((await client.auth.updateUser(change)).error).toBeNull();
  expect((await confirm(link, "email_change")).code).toBe("otp_expired");
  expect((await client.rpc("my_profile")).data).toMatchObject([{ new_email: null }]);
});

test("an address of another account gets no mail, and the response does not say so", async () => {
  const [{ client, email, password }, other] = [await signInAs("editor"), await signInAs("editor")];
  await requestNewEmail(client, password, other.email);
  expect((await client.rpc("my_profile")).data).toMatchObject([{ email, new_email: other.email }]);
  const free = newEmail();
  // Mails are sent in the order of the requests.
  await requestNewEmail(client, password, free);
  await mailedLink(free);
  const links =
    await sql`select from public.mails where kind = 'email_change' and recipient = ${other.email}`;
  expect(links).toHaveLength(0);
});

test("without a mail service an owner gets the link that confirms a new address, and nobody else does", async () => {
  const silent = await startProject();
  try {
    const client: SupabaseClient = await signIn(silent);
    const current_password = silent.owner.password;
    const stranger = await silent.createStranger();
    const taken = await client.auth.updateUser({ email: stranger.email, current_password });
    expect(taken.error?.code).toBe("email_exists");
    expect((await client.auth.getUser()).data.user?.new_email).toBeUndefined();
    const email = newEmail();
    const { data } = await client.auth.updateUser({ email, current_password });
    const link = new URL(
      z.object({ email_change_link: z.string() }).parse(data.user).email_change_link,
    );
    const token_hash = new URLSearchParams(link.hash.slice(1)).get("token_hash") ?? "";
    const other: SupabaseClient = await signIn(silent, stranger);
    const change = { email: newEmail(), current_password: stranger.password };
    expect((await other.auth.updateUser(change)).data.user).not.toHaveProperty("email_change_link");

    const confirmed = await other.auth.verifyOtp({ type: "email_change", token_hash });
    expect(confirmed.error?.code ?? confirmed.data.user?.email).toBe(email);
  } finally {
    await silent.stop();
  }
});
