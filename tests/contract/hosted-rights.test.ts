// The migrations, the seed and our functions with the rights of the role `postgres` on a hosted project, which is not a
// superuser, owns nothing in the schemas of the platform, and may create, change and drop policies there.
import { randomUUID } from "node:crypto";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "embedded-supabase/database.ts";
import { migrate, seedWhenEmpty } from "embedded-supabase/migrations.ts";
import { afterAll, expect, test } from "vitest";
import { embeddedConfig } from "../../embedded.config.ts";
import { callSentence } from "../consent-sentences.ts";
import { setUpDatabase, setUpFolder } from "../set-up.ts";

const supabase = join(import.meta.dirname, "../../supabase");
const account = "00000000-0000-4000-8000-000000000001";
/** The session of the account has the same id. */
const claims = JSON.stringify({ sub: account, session_id: account, aal: "aal2" });

/** Stand-ins with the signatures and grants of a hosted project. As there, a superuser owns what they create. */
const extensions = {
  pg_cron: `
    create schema cron;
    create table cron.job (
      jobname text, schedule text, command text, username text default session_user, jobid bigint, active boolean default true
    );
    create table cron.job_run_details (runid bigint, jobid bigint, status text, end_time timestamptz);
    create function cron.schedule(job_name text, schedule text, command text) returns bigint
      language sql security definer as $$ insert into cron.job values ($1, $2, $3) returning 1 $$;
    grant usage on schema cron to hosted;
    grant select on cron.job to hosted;
    grant all on cron.job_run_details to hosted;`,
  pg_net: `
    create schema net;
    create table net.requests (url text, headers jsonb);
    create function net.http_post(
      url text, body jsonb default '{}', params jsonb default '{}', headers jsonb default '{}',
      timeout_milliseconds integer default 5000
    ) returns bigint
      language sql security definer as $$ insert into net.requests values ($1, $4) returning 1 $$;
    grant usage on schema net to hosted;`,
  supabase_vault: `
    create view vault.decrypted_secrets as
      select * from (values ('project_url', 'https://project.example/'), ('secret_key', 'sb_secret_test'))
        as secrets (name, decrypted_secret);
    grant select on vault.decrypted_secrets to hosted;`,
};

/** Prepares the database as the platform does. The platform's role `postgres` is called `hosted` here. */
const platform = `
  create role hosted login password 'hosted' createdb createrole replication bypassrls;
  grant anon, authenticated, service_role to hosted;
  grant postgres to hosted with inherit false, set true;
  grant all on database postgres to hosted;
  grant all on schema public to hosted;
  create schema vault;
  grant usage on schema auth, storage, realtime, vault to hosted;
  grant all on all tables in schema auth, storage, realtime, supabase_migrations to hosted;
  grant all on all sequences in schema auth, storage to hosted;
  grant usage on schema supabase_migrations to hosted;
  alter publication supabase_realtime owner to hosted;
  alter table auth.users enable row level security;
  alter table auth.sessions enable row level security;
  alter table auth.mfa_factors enable row level security;
  create function storage.protect_delete() returns trigger language plpgsql as $$
    begin raise exception 'Direct deletion from storage tables is not allowed' using errcode = '42501'; end;
  $$;
  create trigger protect_objects_delete before delete on storage.objects
    for each statement execute function storage.protect_delete();`;

const policyStatement =
  /^(?:create|alter|drop|comment on) policy (?:--[^\n]*|'(?:[^']|'')*'|[^;'])*;/gm;
const openTables =
  /\son (?:auth\.(?:identities|refresh_tokens|sessions|users)|realtime\.messages|storage\.(?:buckets|objects))\b/;

/** Lets a superuser execute the statements for which the platform's extension supautils does so; not renaming a policy. */
function withPolicyGrants(migration: string): string {
  return migration.replace(policyStatement, (statement) =>
    openTables.test(statement) && !statement.includes(" rename to ")
      ? `set local role postgres; ${statement} reset role;`
      : statement,
  );
}

const folder = await setUpFolder("hosted-rights");
await mkdir(join(folder, "extension"));
for (const [name, script] of Object.entries(extensions)) {
  const file = join(folder, "extension", name);
  await writeFile(`${file}.control`, "default_version = '1'\ntrusted = true\n");
  await writeFile(`${file}--1.sql`, script);
}
const database = await setUpDatabase(join(folder, "data"), new Set());
await database.sql.unsafe(platform);
await database.sql.unsafe(`alter role hosted set extension_control_path = '${folder}:$system'`);
const url = new URL(database.url);
url.username = url.password = "hosted";
/** Connected as the role `postgres` of a hosted project. */
const hosted = connect(url.href, 1);
afterAll(() => hosted.end());

test("every migration and the seed need only the rights of a hosted project", async () => {
  const migrations = join(folder, "migrations");
  await cp(join(supabase, "migrations"), migrations, { recursive: true });
  const files = await readdir(migrations);
  for (const file of files) {
    const text = await readFile(join(migrations, file), "utf8");
    await writeFile(join(migrations, file), withPolicyGrants(text));
  }
  expect(await migrate(hosted, migrations)).toHaveLength(files.length);
  expect(await seedWhenEmpty(hosted, join(supabase, "seed.sql"), embeddedConfig.seededTables)).toBe(
    true,
  );
});

test("every schedule is created and runs", async () => {
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
