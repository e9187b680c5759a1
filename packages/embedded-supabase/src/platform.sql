-- What a hosted Supabase project has before the first migration, as far as our migrations and the embedded backend use it.
-- Runs at every start, so each statement is safe to repeat.
-- Covers: the API roles, auth.uid() and its siblings, tables of Auth and Storage, private channels of Realtime. Does not
-- cover: extensions, vault, graphql, S3 and resumable uploads; the tables of Auth that @supabase/lite creates.

do $$
begin
  if not exists (select 1 from pg_roles where rolname = 'anon') then
    create role anon nologin noinherit;
  end if;
  if not exists (select 1 from pg_roles where rolname = 'authenticated') then
    create role authenticated nologin noinherit;
  end if;
  if not exists (select 1 from pg_roles where rolname = 'service_role') then
    create role service_role nologin noinherit bypassrls;
  end if;
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end;
$$;

grant usage on schema public to anon, authenticated, service_role;
create schema if not exists auth;
grant usage on schema auth to anon, authenticated, service_role;

create or replace function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb;
$$;

create or replace function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    auth.jwt() ->> 'sub'
  )::uuid;
$$;

create or replace function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    auth.jwt() ->> 'role'
  );
$$;

-- Tables that the Auth library lacks.

create table if not exists auth.recovery_links (
  token_hash text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  sent_at timestamptz not null default now()
);
alter table auth.recovery_links
  add column if not exists lifetime interval not null default interval '1 hour';
comment on table auth.recovery_links is
  'Links that sign in to set a password, for a forgotten one or an invitation, and have not been used.';
create index if not exists recovery_links_user_id_idx on auth.recovery_links (user_id);

create table if not exists auth.email_changes (
  token_hash text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  new_email text not null,
  sent_at timestamptz not null default now()
);
comment on table auth.email_changes is
  'Links that confirm a new email address and have not been used. A link is valid for one hour.';
create index if not exists email_changes_user_id_idx on auth.email_changes (user_id);

create table if not exists auth.setup_links (
  token_hash text primary key,
  created_at timestamptz not null default now()
);
comment on table auth.setup_links is
  'Links that create the first account and have not been used. A link is valid for one day.';

create table if not exists auth.mfa_factors (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text,
  factor_type text not null,
  status text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  secret text,
  last_step bigint
);
comment on table auth.mfa_factors is 'The authenticator apps of accounts.';
comment on column auth.mfa_factors.secret is
  'Encrypted with a key that is not in the database (auth/factors.ts).';
comment on column auth.mfa_factors.last_step is
  'The time of the last code that was used, in periods of 30 seconds: a code works once. Not in a hosted project.';
create unique index if not exists mfa_factors_user_friendly_name_unique
  on auth.mfa_factors (friendly_name, user_id) where trim(friendly_name) <> '';
create index if not exists mfa_factors_user_id_idx on auth.mfa_factors (user_id);

create table if not exists auth.mfa_challenges (
  id uuid primary key,
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  ip_address inet not null
);
comment on table auth.mfa_challenges is 'Requests to enter a code. A challenge is valid for five minutes.';

create table if not exists auth.mfa_amr_claims (
  id uuid primary key,
  session_id uuid not null references auth.sessions (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  authentication_method text not null,
  unique (session_id, authentication_method)
);
comment on table auth.mfa_amr_claims is 'How sessions were proved: by password, otp (a mailed link) or totp.';

create table if not exists auth.applied_settings (
  name text primary key,
  value text not null
);
comment on table auth.applied_settings is 'Settings as of the last start, to notice when one has changed.';

create schema if not exists storage;
grant usage on schema storage to anon, authenticated, service_role;

create table if not exists storage.buckets (
  id text primary key,
  name text not null,
  owner uuid,
  owner_id text,
  public boolean default false,
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
create unique index if not exists bname on storage.buckets (name);

create table if not exists storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text,
  owner uuid,
  owner_id text,
  -- Each upload has a new version, which names its file on disk.
  version text,
  metadata jsonb,
  user_metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now()
);
create unique index if not exists bucketid_objname on storage.objects (bucket_id, name);

alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;

-- These roles are restricted by policies only, as on a hosted project.
grant select, insert, update, delete on storage.buckets, storage.objects
  to anon, authenticated, service_role;

create or replace function storage.foldername(name text) returns text[]
language sql immutable set search_path = '' as $$
  select trim_array(string_to_array(name, '/'), 1);
$$;

create schema if not exists realtime;
grant usage on schema realtime to anon, authenticated, service_role;

create table if not exists realtime.messages (
  id uuid primary key default gen_random_uuid(),
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false
);
alter table realtime.messages enable row level security;
grant select on realtime.messages to anon, authenticated, service_role;
-- Who may read this row may join the private channel `realtime.topic()`. A hosted project inserts one for each join.
insert into realtime.messages (topic, extension)
  select '', 'broadcast' where not exists (select from realtime.messages);

create or replace function realtime.topic() returns text language sql stable as $$
  select nullif(current_setting('realtime.topic', true), '');
$$;

-- Sends the message at once. A hosted project stores it in realtime.messages, where Realtime reads it.
create or replace function realtime.send(
  payload jsonb, event text, topic text, private boolean default true
) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_notify(
    'realtime', jsonb_build_object('topic', topic, 'event', event, 'payload', payload)::text
  );
end;
$$;
