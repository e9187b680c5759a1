// A PostgreSQL with the roles and rights of a hosted project, for tests. The platform's role `postgres`, which is not a superuser
// there, owns nothing in the schemas of the platform, and may create, change and drop policies there, is called `hosted` here.
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setUpDatabase, setUpFolder } from "./set-up.ts";

const supabase = join(import.meta.dirname, "../supabase");

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
    create table vault.secrets (id uuid primary key default gen_random_uuid(), name text unique, secret text);
    create view vault.decrypted_secrets as select name, secret as decrypted_secret from vault.secrets;
    create function vault.create_secret(
      new_secret text, new_name text default null, new_description text default '', new_key_id uuid default null
    ) returns uuid
      language sql security definer as $$ insert into vault.secrets (name, secret) values ($2, $1) returning id $$;
    create function vault.update_secret(
      secret_id uuid, new_secret text default null, new_name text default null, new_description text default null,
      new_key_id uuid default null
    ) returns void
      language sql security definer as $$ update vault.secrets set secret = $2 where id = $1 $$;
    grant select, delete on vault.secrets, vault.decrypted_secrets to hosted;`,
};

/** Prepares the database as the platform does. */
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

/** The folder has a copy of `supabase/` whose migrations `hosted` may apply; `url` connects as this role. */
export async function setUpHostedPlatform(name: string) {
  const folder = await setUpFolder(name);
  await mkdir(join(folder, "extension"));
  for (const [name, script] of Object.entries(extensions)) {
    const file = join(folder, "extension", name);
    await writeFile(`${file}.control`, "default_version = '1'\ntrusted = true\n");
    await writeFile(`${file}--1.sql`, script);
  }
  await cp(supabase, join(folder, "supabase"), { recursive: true });
  const migrations = join(folder, "supabase/migrations");
  for (const file of await readdir(migrations)) {
    const text = await readFile(join(migrations, file), "utf8");
    await writeFile(join(migrations, file), withPolicyGrants(text));
  }
  const database = await setUpDatabase(join(folder, "data"), new Set());
  await database.sql.unsafe(platform);
  await database.sql.unsafe(`alter role hosted set extension_control_path = '${folder}:$system'`);
  const url = new URL(database.url);
  url.username = url.password = "hosted";
  return { folder, migrations, database, url: url.href };
}
