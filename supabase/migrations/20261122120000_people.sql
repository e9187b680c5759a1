-- The accounts that manage the site, and what each role may do. The API does not expose the schema private.

-- Each function grants execute to the roles that may call it. By default PostgreSQL grants it to everybody, and a hosted
-- project to both roles of the API.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke execute on functions from anon, authenticated;

create schema private;
revoke all on schema private from public;

create function private.folded(address text)
returns text
language sql
immutable
set search_path = ''
as $$
  -- The locale of the database may fold ASCII alone. Lower case can have a composed letter that upper case lacks.
  select normalize(lower(address collate "und-x-icu"), nfc);
$$;
comment on function private.folded(text) is
  'An email address as it is compared everywhere: in Unicode lower case, composed. The same as foldAddress of the functions.';
-- For the index of consents, whose rows service_role inserts.
grant execute on function private.folded(text) to service_role;

create function private.trimmed(words text)
returns text
language sql
immutable
set search_path = ''
as $$
  select btrim(
    words,
    E' \t\n\x0b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
  );
$$;
comment on function private.trimmed(text) is
  'A text without white space at its ends, of the same characters as trim() of JavaScript. btrim alone removes only spaces.';
-- CHECKs call it as the role that writes.
grant execute on function private.trimmed(text) to anon, authenticated, service_role;

create function private.is_one_line(text)
returns boolean
language sql
immutable
set search_path = ''
as $$
  select $1 !~ '[\u0000-\u001f\u007f-\u009f\u2028\u2029]';
$$;
comment on function private.is_one_line(text) is
  'Whether a text has no control characters, tabs or line breaks. Not [[:cntrl:]], which depends on the locale.';
-- CHECKs call it as the role of the caller.
grant execute on function private.is_one_line(text) to anon, authenticated, service_role;

create type private.role as enum ('owner', 'editor', 'assistant', 'editor_assistant');
create type private.task as enum ('manage the site', 'write posts', 'moderate testimonials', 'handle messages');

create table private.permissions (
  role private.role,
  task private.task,
  primary key (role, task)
);
comment on table private.permissions is
  'What each role may do. Pages have the same in supabase/functions/_shared/roles.ts, which a test compares.';
alter table private.permissions enable row level security;
insert into private.permissions (role, task) values
  ('owner', 'manage the site'),
  ('owner', 'write posts'),
  ('owner', 'moderate testimonials'),
  ('owner', 'handle messages'),
  ('editor', 'write posts'),
  ('assistant', 'moderate testimonials'),
  ('assistant', 'handle messages'),
  ('editor_assistant', 'write posts'),
  ('editor_assistant', 'moderate testimonials'),
  ('editor_assistant', 'handle messages');

create table private.people (
  user_id uuid primary key references auth.users (id) on delete cascade,
  role private.role not null,
  name text,
  created_at timestamptz not null default now(),
  accepted_at timestamptz,
  constraint people_name_length check (char_length(private.trimmed(name)) between 1 and 100),
  constraint people_name_line check (private.is_one_line(name))
);
comment on table private.people is 'The accounts that manage the site, each with one role.';
comment on column private.people.name is 'Greeted and shown as the author of posts; null for the name of the adviser.';
comment on column private.people.accepted_at is
  'When an invited person opened the site for the first time; null for who was not invited.';
alter table private.people enable row level security;

-- A token stays valid for up to an hour after its session has ended. Auth checks the session; REST and Storage do not.
create function private.user_id()
returns uuid
language sql
stable
security definer
set search_path = ''
as $$
  select user_id from auth.sessions
    where id = ((select auth.jwt()) ->> 'session_id')::uuid and user_id = (select auth.uid())
      -- Who has an authenticator app must have entered a code of it.
      and (
        (select auth.jwt()) ->> 'aal' = 'aal2'
        or not exists (
          select from auth.mfa_factors as factor
            where factor.user_id = sessions.user_id and factor.status = 'verified'
        )
      );
$$;
comment on function private.user_id() is
  'The signed-in account; null once its session has ended, and while the second step of its sign-in is missing.';

create function private.may(task private.task)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
    select from private.people
      join private.permissions using (role)
      where people.user_id = (select private.user_id()) and permissions.task = may.task
  );
$$;
comment on function private.may(private.task) is
  'Whether the role of the signed-in user allows a task. Policies and functions ask this.';
-- Policies call it as the role of the caller, who cannot use the schema.
grant execute on function private.may(private.task) to anon, authenticated, service_role;

create function public.my_role()
returns text
language sql
stable
security definer
set search_path = ''
as $$
  select role::text from private.people where user_id = (select private.user_id());
$$;
comment on function public.my_role() is
  'The role of the signed-in user; null without one. For the site and its Edge Functions; policies call private.may.';
grant execute on function public.my_role() to anon, authenticated, service_role;

create function public.is_owner()
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select private.may('manage the site');
$$;
comment on function public.is_owner() is 'Whether the signed-in user is an owner. For the server of the site; policies call private.may.';
grant execute on function public.is_owner() to anon, authenticated, service_role;

create function private.own_name()
returns text
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(person.name, account.email::text)
    from private.people as person
    join auth.users as account on account.id = person.user_id
    where person.user_id = (select private.user_id());
$$;
comment on function private.own_name() is 'The name of the signed-in person, or the email address.';

create function private.own_email()
returns text
language sql
stable
security definer
set search_path = ''
as $$
  select account.email::text
    from private.people as person
    join auth.users as account on account.id = person.user_id
    where person.user_id = (select private.user_id());
$$;
comment on function private.own_email() is
  'The email address of the signed-in person; null without a role, and for the secret key and jobs.';

create function public.make_owner(id uuid)
returns boolean
language sql
security definer
set search_path = ''
as $$
  with made as (
    insert into private.people as person (user_id, role) values (id, 'owner')
    on conflict (user_id) do update set role = 'owner' where person.role <> 'owner'
    returning true
  )
  select exists (select from made);
$$;
comment on function public.make_owner(uuid) is
  'Makes an account an owner, the secret key only. Safe to repeat; returns whether something changed.';
grant execute on function public.make_owner(uuid) to service_role;

-- Also prevents the deletion of the last owner's account, which would delete the row here.
create function private.keep_one_owner()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- One at a time, so that two owners cannot remove each other.
  perform pg_advisory_xact_lock(hashtext('private.people'), hashtext('owner'));
  perform from private.people as other
    join auth.users as account on account.id = other.user_id
    where other.role = 'owner' and other.user_id <> old.user_id
      -- An owner who never signed in may be unable to, so the site keeps one who has. Before the first sign-in, it
      -- keeps any owner.
      and (
        account.last_sign_in_at is not null
        or exists (
          select from auth.users as own where own.id = old.user_id and own.last_sign_in_at is null
        )
      )
    limit 1
    for share of other;
  if not found then
    raise exception 'The site needs at least one owner who has signed in. Make someone else an owner, who signs in first.'
      using errcode = '23514', constraint = 'people_one_owner', table = 'people', schema = 'private';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end;
$$;
comment on function private.keep_one_owner() is 'Rejects the change that would leave the site without an owner.';

create trigger people_keep_owner_on_update
  before update on private.people
  for each row when (old.role = 'owner' and (new.role <> 'owner' or new.user_id <> old.user_id))
  execute function private.keep_one_owner();
create trigger people_keep_owner_on_delete
  before delete on private.people
  for each row when (old.role = 'owner')
  execute function private.keep_one_owner();

create function private.require_owner()
returns void
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  -- The API switches to the caller's role. The secret key, and scripts on the database itself, need no account.
  if current_setting('role') in ('anon', 'authenticated') and not private.may('manage the site') then
    raise exception 'Only an owner of the site may do this.' using errcode = '42501';
  end if;
end;
$$;
comment on function private.require_owner() is 'Rejects callers who are not owners.';

create function private.require(task private.task)
returns void
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  if not private.may(task) then
    raise exception 'Your account may not %', task using errcode = '42501';
  end if;
end;
$$;
comment on function private.require(private.task) is 'Rejects callers whose role does not allow a task.';

create function public.list_people()
returns table (
  id uuid,
  email text,
  name text,
  role text,
  created_at timestamptz,
  last_sign_in_at timestamptz,
  is_invited boolean
)
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  perform private.require_owner();
  return query
    select person.user_id, account.email::text, person.name, person.role::text, person.created_at,
           account.last_sign_in_at,
           account.invited_at is not null and account.email_confirmed_at is null
      from private.people as person
      join auth.users as account on account.id = person.user_id
      order by person.created_at, person.user_id;
end;
$$;
comment on function public.list_people() is
  'Everyone with a role, for owners. is_invited: has not used the link of the invitation yet.';
grant execute on function public.list_people() to authenticated, service_role;

create function public.set_person(id uuid, role text, name text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_owner();
  update private.people as person
    set role = coalesce(set_person.role::private.role, person.role),
        name = nullif(private.trimmed(coalesce(set_person.name, person.name)), '')
    where person.user_id = set_person.id;
  return found;
end;
$$;
comment on function public.set_person(uuid, text, text) is
  'Changes the role and the name of a person, for owners; false when there is no such person. Null changes nothing, because it may have changed since.';
grant execute on function public.set_person(uuid, text, text) to authenticated, service_role;

create function public.remove_person(id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_owner();
  -- First, because private.keep_one_owner reads the account.
  delete from private.people as person where person.user_id = remove_person.id;
  if not found then
    return false;
  end if;
  -- With the account its sessions end.
  delete from auth.users as account where account.id = remove_person.id;
  return true;
end;
$$;
comment on function public.remove_person(uuid) is
  'Deletes the account of a person, for owners; false when there is no such person.';
grant execute on function public.remove_person(uuid) to authenticated, service_role;

create function public.add_person(email text, role text, name text)
returns text
language plpgsql
security definer
set search_path = ''
as $$
declare
  account_id uuid;
  former private.people;
  new_name text := nullif(private.trimmed(add_person.name), '');
begin
  select account.id into account_id
    from auth.users as account
    where private.folded(account.email) = private.folded(add_person.email)
    order by account.created_at
    limit 1;
  if account_id is null then
    return 'unknown';
  end if;
  select * into former from private.people as person where person.user_id = account_id;
  if former.role::text = add_person.role and (new_name is null or new_name = former.name) then
    return 'unchanged';
  end if;
  insert into private.people as person (user_id, role, name)
    values (account_id, add_person.role::private.role, new_name)
    on conflict (user_id) do update
      set role = excluded.role, name = coalesce(excluded.name, person.name);
  return case when former.user_id is null then 'added' else 'changed' end;
end;
$$;
comment on function public.add_person(text, text, text) is
  'Gives the account with an address a role, the secret key only: added, changed, unchanged, or unknown without an account.';
grant execute on function public.add_person(text, text, text) to service_role;

create function public.my_profile()
returns table (name text, role text, email text, new_email text)
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Each window calls this when it opens. Auth itself notes the use of a session once an hour, with its new token.
  update auth.sessions as session set updated_at = now()
    where session.id = ((select auth.jwt()) ->> 'session_id')::uuid
      and session.user_id = (select auth.uid());
  if not found then
    -- The site forgets a session after a response with 401.
    raise sqlstate 'PGRST' using
      message = '{"code": "PGRST301", "message": "The session has ended", "details": null, "hint": null}',
      detail = '{"status": 401, "headers": {}}';
  end if;
  if private.user_id() is null then
    raise sqlstate 'PGRST' using
      message = '{"code": "42501", "message": "The second step of the sign-in is missing", "details": null, "hint": null}',
      detail = '{"status": 403, "headers": {}}';
  end if;
  update private.people as person set accepted_at = now()
    from auth.users as account
    where person.user_id = (select auth.uid()) and account.id = person.user_id and accepted_at is null
      and account.invited_at is not null and account.email_confirmed_at is not null;
  return query
    select person.name, person.role::text, account.email::text,
           -- A new password stops the change: Auth deletes the time and the links, not the address.
           case when account.email_change_sent_at is not null then nullif(account.email_change, '') end::text
      from auth.users as account
      left join private.people as person on person.user_id = account.id
      where account.id = (select auth.uid());
end;
$$;
comment on function public.my_profile() is
  'The signed-in account: its role and name, which are null without a role, and an address that waits for confirmation. Notes the use of the session.';
grant execute on function public.my_profile() to authenticated;

create function public.set_my_name(name text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  update private.people as person
    set name = nullif(private.trimmed(set_my_name.name), '')
    where person.user_id = (select private.user_id());
  return found;
end;
$$;
comment on function public.set_my_name(text) is 'Changes the name of the caller; false for an account without a role.';
grant execute on function public.set_my_name(text) to authenticated;

create function public.list_my_sessions()
returns table (
  id uuid,
  created_at timestamptz,
  last_used_at timestamptz,
  user_agent text,
  is_current boolean
)
language sql
stable
security definer
set search_path = ''
as $$
  select session.id, session.created_at,
         -- Auth stores refreshed_at in UTC without a time zone.
         greatest(session.updated_at, session.refreshed_at at time zone 'utc', session.created_at),
         session.user_agent,
         session.id::text = coalesce((select auth.jwt()) ->> 'session_id', '')
    from auth.sessions as session
    where session.user_id = (select private.user_id())
      and (session.not_after is null or session.not_after > now())
    order by 5 desc, 3 desc
    limit 100;
$$;
comment on function public.list_my_sessions() is 'Where the caller is signed in, this session first.';
grant execute on function public.list_my_sessions() to authenticated;

create function public.end_my_session(id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Its refresh tokens are deleted with it.
  delete from auth.sessions as session
    where session.id = end_my_session.id and session.user_id = (select private.user_id());
  return found;
end;
$$;
comment on function public.end_my_session(uuid) is
  'Ends one session of the caller; false when there is no such session.';
grant execute on function public.end_my_session(uuid) to authenticated;

create function public.end_sessions(id uuid)
returns void
language sql
security definer
set search_path = ''
as $$
  delete from auth.sessions as session where session.user_id = end_sessions.id;
$$;
comment on function public.end_sessions(uuid) is 'Ends every session of an account, the secret key only.';
grant execute on function public.end_sessions(uuid) to service_role;
