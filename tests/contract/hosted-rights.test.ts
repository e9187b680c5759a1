// The migrations, the seed and our functions with the rights of the role `postgres` on a hosted project.
import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "embedded-supabase/database.ts";
import { migrate, seedWhenEmpty } from "embedded-supabase/migrations.ts";
import { afterAll, expect, test } from "vitest";
import { embeddedConfig } from "../../embedded.config.ts";
import { callSentence } from "../consent-sentences.ts";
import { setUpHostedPlatform } from "../hosted-platform.ts";

const supabase = join(import.meta.dirname, "../../supabase");
const account = "00000000-0000-4000-8000-000000000001";
/** The session of the account has the same id. */
const claims = JSON.stringify({ sub: account, session_id: account, aal: "aal2" });

const { database, migrations, url } = await setUpHostedPlatform("hosted-rights");
/** Connected as the role `postgres` of a hosted project. */
const hosted = connect(url, 1);
afterAll(() => hosted.end());

test("every migration and the seed need only the rights of a hosted project", async () => {
  const files = await readdir(migrations);
  expect(await migrate(hosted, migrations)).toHaveLength(files.length);
  expect(await seedWhenEmpty(hosted, join(supabase, "seed.sql"), embeddedConfig.seededTables)).toBe(
    true,
  );
});

test("every schedule is created and runs", async () => {
  await hosted`
    select vault.create_secret('https://project.example/', 'project_url'),
           vault.create_secret('sb_secret_test', 'secret_key')`;
  await database.sql`
    insert into contact_messages (name, email, message, phone, call_consent)
    values ('Visitor', 'visitor@example.com', 'A message that waits', '555 0100', ${callSentence})`;
  await database.sql`
    insert into storage.objects (bucket_id, name, updated_at)
    values ('deleted-images', 'public/old.gif', now() - interval '31 days')`;
  const jobs = await hosted<{ jobname: string; command: string; username: string }[]>`
    select jobname, command, username from cron.job order by 1`;
  expect(jobs.map(({ jobname }) => jobname)).toEqual([
    "delete-expired-files",
    "deliver-mails",
    "finish-erasures",
    "publish-due",
    "remove-deleted-messages",
    "remove-old-mails",
    "remove-old-runs",
    "remove-unused-images",
    "warn-owners",
  ]);
  for (const { command, username } of jobs) {
    expect(username).toBe("hosted");
    await hosted.unsafe(command);
  }
  expect(await database.sql`select url, headers ->> 'apikey' as key from net.requests`).toEqual(
    ["send-email/deliver", "remove-unused-images"].map((path) => ({
      url: `https://project.example/functions/v1/${path}`,
      key: "sb_secret_test",
    })),
  );
});

/** Calls of our functions that use the platform's tables, ordered so that each finds something to do. */
const calls = {
  add_person: "select add_person('editor@example.com', 'editor', '')",
  list_people: "select * from list_people()",
  submit: `
    select submit('post', '${account}', '{"title": "T", "slug": "t", "category": "C", "author": "A"}', null)`,
  mail_changes_of_content: `
    select submit('post', '${account}', '{"title": "U", "slug": "t", "category": "C", "author": "A"}', null)`,
  mail_changes_of_people: "update private.people set role = 'assistant' where role = 'editor'",
  queue_mail: `select private.queue_mail('warning', 'owners', '{"warnings": "Late"}')`,
  user_id: "select private.user_id()",
  own_name: "select private.own_name()",
  own_email: "select private.own_email()",
  signature_of: `select * from private.signature_of('${account}')`,
  is_of_account: "select private.is_of_account('Ada', 'ada@example.com')",
  my_profile: "select * from my_profile()",
  has_just_signed_in: "select has_just_signed_in(), create_recovery_codes()",
  spend_recovery_code: `
    insert into private.recovery_codes values ('${account}', private.recovery_code_hash('a'));
    select private.spend_recovery_code('${account}', 'a', 'password')`,
  store_mail_service: `
    select store_mail_service('{"kind": "smtp", "host": "smtp.example.com", "port": 587, "user": "a"}', 'hunter2'),
      store_mail_service('{"kind": "resend"}', 're_1')`,
  read_mail_service: "select read_mail_service()",
  list_code_uses: "select * from list_code_uses()",
  use_recovery_code: `
    insert into auth.mfa_factors (id, user_id, factor_type, status)
      values ('${account}', '${account}', 'totp', 'verified');
    insert into private.recovery_codes values ('${account}', private.recovery_code_hash('b'));
    delete from private.code_uses;
    select use_recovery_code('b')`,
  remove_factors: `select private.remove_factors('${account}')`,
  list_my_sessions: "select * from list_my_sessions()",
  end_my_session: "select end_my_session(id) from auth.sessions",
  end_sessions: `select end_sessions('${account}')`,
  claim_recovery_code: `
    insert into private.recovery_codes values ('${account}', private.recovery_code_hash('c'));
    select claim_recovery_code('owner@example.com', 'c', '{}')`,
  has_image_name: "select private.has_image_name(id, name) from storage.objects",
  note_unused_images: "select private.note_unused_images()",
  list_expired_images: "select list_expired_images(10)",
  project_facts: "select * from project_facts()",
  keep_one_owner: `
    select set_person(id, 'owner', ''), set_person(id, 'editor', '') from auth.users where email = 'editor@example.com'`,
  broadcast_changes: "update contact_messages set read_at = now()",
  // The schedules above run these.
  call_function: "",
  schedule_jobs: "",
  scheduled_jobs: "",
  remove_person: "select remove_person(id) from auth.users where email = 'editor@example.com'",
};

test("our functions have the rights that they need on the platform's tables", async () => {
  const found = await database.sql<{ name: string }[]>`
    select distinct proname as name from pg_proc
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and prosrc ~ '(from|join|perform|into|update) (auth|storage|realtime|vault|net|cron)[.]'`;
  expect(found.map(({ name }) => name).sort()).toEqual(Object.keys(calls).sort());
  const other = account.replace(/1$/, "2");
  await database.sql`
    insert into auth.users (id, email)
    values (${account}, 'owner@example.com'), (${other}, 'editor@example.com')`;
  await database.sql`
    insert into auth.sessions (id, user_id) values (${other}, ${account}), (${account}, ${account})`;
  await hosted`select make_owner(${account}), set_config('request.jwt.claims', ${claims}, false)`;
  for (const call of Object.values(calls)) await hosted.unsafe(call);
  expect(await database.sql`select secret from private.mail_service`).toEqual([{ secret: null }]);
  expect(await hosted`select email from auth.users`).toEqual([{ email: "owner@example.com" }]);
  expect(await hosted`select from auth.sessions`).toHaveLength(0);
});

test("the statement with which Storage moves a file passes the policies, unless it renames the file", async () => {
  await database.sql`insert into auth.sessions (id, user_id) values (${account}, ${account})`;
  await database.sql`insert into storage.objects (bucket_id, name) values ('images', 'public/a.gif')`;
  const move = (bucket: string, name: string) =>
    hosted.begin(async (transaction) => {
      await transaction`
        select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`;
      return transaction`
        update storage.objects
        set name = ${name}, bucket_id = ${bucket}, version = ${name}, owner_id = ${account}
        where name = 'public/a.gif' returning *`;
    });
  for (const bucket of ["deleted-images", "images"]) {
    await expect(move(bucket, "public/b.gif")).rejects.toThrow("row-level security");
    expect(await move(bucket, "public/a.gif")).toHaveLength(1);
  }
});

test("the statement with which Storage checks an upload or a copy passes the policies for images only", async () => {
  const insert = (metadata: { mimetype: string } | null, ending = "") =>
    hosted.begin(async (transaction) => {
      await transaction`
        select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`;
      await transaction`
        insert into storage.objects (bucket_id, name, metadata)
        values ('images', ${`public/${randomUUID()}${ending}`}, ${transaction.json(metadata)})`;
    });
  for (const mimetype of ["image/svg+xml", "text/html", "image/png\n", "IMAGE/PNG", ""]) {
    await expect(insert({ mimetype }), mimetype).rejects.toThrow("row-level security");
  }
  for (const mimetype of ["image/jpeg", "image/png", "image/gif", "image/webp"]) {
    await insert({ mimetype });
    const placeholder = insert({ mimetype }, ".emptyFolderPlaceholder");
    await expect(placeholder).rejects.toThrow("row-level security");
  }
  await insert(null);
});
