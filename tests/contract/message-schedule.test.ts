// The schedule of a hosted project, on a database with stubs of what only Supabase's image has: pg_net, which sends the
// request, and the Vault, which holds the two settings.
import type { Sql, Transaction } from "embedded-supabase/database.ts";
import { beforeEach, expect, test } from "vitest";
import { interleave } from "../interleave.ts";
import { setUpPreparedDatabase } from "../set-up.ts";

const { sql } = await setUpPreparedDatabase();
await sql.unsafe(`
  create schema vault;
  create table vault.decrypted_secrets (name text, decrypted_secret text);
  create schema net;
  create table net.requests (url text, headers jsonb);
  create function net.http_post(
    url text, body jsonb default '{}', params jsonb default '{}',
    headers jsonb default '{}', timeout_milliseconds integer default 5000
  ) returns bigint language sql as $$
    insert into net.requests values (url, headers) returning 1::bigint
  $$;`);

beforeEach(async () => {
  await sql`truncate public.contact_messages, public.mails, vault.decrypted_secrets, net.requests`;
});

/** Runs both schedules. @returns the requests that they have made so far */
async function runSchedules() {
  await sql`select private.request_mail_delivery(), private.request_image_removal()`;
  return [...(await sql`select url, headers ->> 'apikey' as key from net.requests`)];
}

async function addImage(name: string, age: string) {
  await sql`
    insert into storage.objects (bucket_id, name, updated_at)
    values ('images', ${name}, now() - ${age}::interval)`;
  await sql`
    insert into private.unused_images (name, since) values (${name}, now() - ${age}::interval)`;
}

async function addMessage(status: string, next: string, deleted: string | null = null) {
  const [message] = await sql`
    insert into public.contact_messages (name, email, message, deleted_at)
    values ('Ada', 'ada@example.com', 'Please call me.', ${deleted}) returning id`;
  await sql`
    update public.mails set status = ${status}, next_attempt_at = ${next}
    where subject_id = ${message?.id}`;
}

async function addSettings() {
  await sql`
    insert into vault.decrypted_secrets values
      ('project_url', 'https://abc.supabase.co/'), ('secret_key', 'sb_secret_1')`;
}

test("the schedules call their functions with the secret key, once the Vault has it and something is due", async () => {
  await addSettings();
  await addMessage("waiting", "2199-01-01");
  await addMessage("sent", "2001-01-01");
  await addMessage("failed", "2001-01-01");
  await addMessage("waiting", "2001-01-01", "2001-01-02");
  await addImage("public/young.png", "23 hours");
  expect(await runSchedules()).toEqual([]);
  await addMessage("waiting", "2001-01-01");
  await addImage("public/old.png", "25 hours");
  await sql`truncate vault.decrypted_secrets`;
  expect(await runSchedules()).toEqual([]);
  await addSettings();
  expect(await runSchedules()).toEqual(
    ["send-email/deliver", "remove-unused-images"].map((path) => ({
      url: `https://abc.supabase.co/functions/v1/${path}`,
      key: "sb_secret_1",
    })),
  );
});

test("a mail that has expired is not sent, and what it says, and its token, are deleted", async () => {
  const add = (status: string, age: string) => sql`
    insert into public.mails (kind, recipient, status, data, expires_at)
    values ('recovery', 'ada@example.com', ${status}, '{"token": "secret"}', now() - ${age}::interval)`;
  await add("waiting", "1 second");
  await add("failed", "1 second");
  await add("waiting", "-1 hour");
  expect(await sql`select public.claim_mails(5, 60, 3, '[]')`).toHaveLength(1);
  const mails =
    await sql`select status, data ->> 'token' as token from public.mails order by expires_at, 1`;
  expect([...mails]).toEqual([
    { status: "expired", token: null },
    { status: "failed", token: null },
    { status: "waiting", token: "secret" },
  ]);
  await sql`update public.mails set created_at = now() - interval '31 days'`;
  await sql`select private.remove_old_mails()`;
  expect([...(await sql`select status from public.mails`)]).toEqual([{ status: "waiting" }]);
});

test("owners are warned at most once in 24 hours, of mails that fail for an hour and of what the backend knows", async () => {
  const warn = (...warnings: string[]) => sql`select private.warn_owners(${warnings}::text[])`;
  const mailed = async () =>
    (await sql`select data ->> 'warnings' as text from public.mails where kind = 'warning'`).map(
      ({ text }) => text,
    );
  await warn();
  expect(await mailed()).toEqual([]);
  await sql`
    insert into public.mails (kind, recipient, attempts, last_error, created_at)
    values ('invite', 'lee@example.com', 3, '451 later', now() - interval '61 minutes'),
      ('invite', 'new@example.com', 1, '451 later', now() - interval '59 minutes')`;
  await warn("The last backup is old.");
  await warn("Something else");
  expect(await mailed()).toEqual([
    "Mails to lee@example.com have failed for more than an hour. The reason: 451 later\nThe last backup is old.",
  ]);
});

test.each([
  [
    "confirmation",
    (on: Sql | Transaction, skipped: number) => on`
      select public.queue_confirmation(id)
      from (select id from public.contact_messages order by id offset ${skipped} limit 1) as message`,
  ],
  ["warning", (on: Sql | Transaction) => on`select private.warn_owners('{"Something"}')`],
] as const)("two processes that ask at the same time queue one %s", async (kind, queue) => {
  for (const _ of [1, 2]) await addMessage("sent", "2001-01-01");
  await interleave(
    sql,
    (transaction) => queue(transaction, 0),
    () => queue(sql, 1).execute(),
  );
  expect(await sql`select from public.mails where kind = ${kind}`).toHaveLength(1);
});

test("a message from an address that only the mail server's network knows gets no confirmation", async () => {
  await sql`
    insert into public.contact_messages (name, email, message)
    values ('A', 'ada@localhost', 'Call me'), ('A', 'ada@example.com', 'Call me')`;
  await sql`select public.queue_confirmation(id) from public.contact_messages`;
  const queued = await sql`select recipient from public.mails where kind = 'confirmation'`;
  expect([...queued]).toEqual([{ recipient: "ada@example.com" }]);
});

test("a message that arrives while mails are claimed keeps its own", async () => {
  let isOver = false;
  const claim = async () => {
    while (!isOver) await sql`select public.claim_mails(5, 60, 3, '["owner@example.com"]')`;
  };
  const claims = [claim(), claim()];
  for (let count = 0; count < 300; count += 1) await addMessage("waiting", "2001-01-01");
  isOver = true;
  await Promise.all(claims);
  const lost = await sql`
    select from public.contact_messages as message
      where not exists (select from public.mails where subject_id = message.id)`;
  expect(lost).toHaveLength(0);
});

test("a message whose last two mails are sent at the same time is sent", async () => {
  await addMessage("waiting", "2001-01-01");
  await sql`select public.claim_mails(5, 60, 3, '["one@example.com", "two@example.com"]')`;
  const send = (on: Sql | Transaction, to: string) =>
    on`update public.mails set status = 'sent', sent_at = now() where recipient = ${to}`;
  await interleave(
    sql,
    (transaction) => send(transaction, "one@example.com"),
    () => send(sql, "two@example.com").execute(),
  );
  expect([...(await sql`select status from public.contact_messages`)]).toEqual([
    { status: "sent" },
  ]);
});

test("the API roles may execute none of the jobs", async () => {
  const jobs = await sql`
    select proname, has_function_privilege(role, oid, 'execute') as may
      from pg_proc, unnest(array['anon', 'authenticated']) as role
      where pronamespace = 'private'::regnamespace and proname in (
        'request_mail_delivery', 'request_image_removal', 'note_unused_images',
        'remove_deleted_messages', 'finish_erasures', 'store_visits', 'remove_old_mails', 'queue_mail'
      )`;
  expect(jobs).toHaveLength(16);
  expect(jobs.filter(({ may }) => may)).toEqual([]);
});
