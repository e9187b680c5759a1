-- Recovery codes, which an account prints and keeps. One replaces one thing that is lost: the password, or the authenticator app.

create table private.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
comment on table private.recovery_codes is
  'Codes that replace the password or the authenticator app of an account, once each.';
alter table private.recovery_codes enable row level security;

create table private.code_uses (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  replaced text not null,
  used_at timestamptz not null default now(),
  seen_by uuid[] not null default '{}',
  constraint code_uses_replaced check (replaced in ('password', 'app'))
);
comment on table private.code_uses is 'Which account used a recovery code, for the owners. Pruned after 90 days.';
comment on column private.code_uses.seen_by is 'The owners who do not want to be told any more.';
alter table private.code_uses enable row level security;

create function private.recovery_code_hash(code text)
returns bytea
language sql
immutable
set search_path = ''
as $$
  -- Not a slow hash: a code has 80 random bits.
  select sha256(convert_to(regexp_replace(lower(code), '[^0-9a-f]', '', 'g'), 'UTF8'));
$$;
comment on function private.recovery_code_hash(text) is
  'The hash under which a recovery code is stored. Case, spaces and hyphens do not count.';

create function public.has_just_signed_in()
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
    select from auth.sessions
      where id = ((select auth.jwt()) ->> 'session_id')::uuid and user_id = (select private.user_id())
        and created_at > now() - interval '5 minutes'
  );
$$;
comment on function public.has_just_signed_in() is
  'Whether the session began in the last five minutes, with all its steps. What an unlocked computer must not give away asks for it.';
grant execute on function public.has_just_signed_in() to anon, authenticated;

create function private.require_new_session()
returns void
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  if not public.has_just_signed_in() then
    raise exception 'Please enter your password again.' using errcode = '42501';
  end if;
end;
$$;
comment on function private.require_new_session() is
  'Rejects callers who did not sign in in the last five minutes.';

create function public.create_recovery_codes()
returns text[]
language plpgsql
security definer
set search_path = ''
as $$
declare
  account uuid := private.user_id();
  codes text[];
begin
  -- A code sets a new password, so whoever makes codes must know the present one.
  perform private.require_new_session();
  -- The last twelve digits of a random UUID are random.
  select array_agg(regexp_replace(left(digits, 20), '(.{5})(.{5})(.{5})(.{5})', '\1-\2-\3-\4'))
    into codes
    from (
      select right(gen_random_uuid()::text, 12) || right(gen_random_uuid()::text, 12) as digits
        from generate_series(1, 10)
    ) as generated;
  delete from private.recovery_codes where user_id = account;
  insert into private.recovery_codes (user_id, code_hash)
    select account, private.recovery_code_hash(code) from unnest(codes) as code;
  return codes;
end;
$$;
comment on function public.create_recovery_codes() is
  'Ten new recovery codes of the caller, who has just signed in. They replace the former ones. Only their hashes are stored.';
grant execute on function public.create_recovery_codes() to authenticated;

create function public.count_recovery_codes()
returns integer
language sql
stable
security definer
set search_path = ''
as $$
  select count(*)::integer from private.recovery_codes where user_id = (select private.user_id());
$$;
comment on function public.count_recovery_codes() is 'How many recovery codes of the caller still work.';
grant execute on function public.count_recovery_codes() to authenticated;

create function private.spend_recovery_code(account uuid, code text, replaced text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  details jsonb;
begin
  delete from private.recovery_codes as recovery
    where recovery.user_id = account
      and recovery.code_hash = private.recovery_code_hash(spend_recovery_code.code);
  if not found then
    return false;
  end if;
  delete from private.code_uses where used_at < now() - interval '90 days';
  insert into private.code_uses (user_id, replaced) values (account, spend_recovery_code.replaced);
  select jsonb_build_object('email', users.email, 'name', person.name, 'replaced', spend_recovery_code.replaced)
    into details
    from auth.users left join private.people as person on person.user_id = users.id
    where users.id = account;
  perform private.queue_mail('code_used', 'owners', details);
  if not exists (select from private.people where user_id = account and role = 'owner') then
    perform private.queue_mail('code_used', details ->> 'email', details);
  end if;
  return true;
end;
$$;
comment on function private.spend_recovery_code(uuid, text, text) is
  'Uses a recovery code of an account and tells the owners and the account; false for a wrong code.';

create function public.use_recovery_code(code text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  this_session auth.sessions;
begin
  -- The first step is enough here, so this does not ask private.user_id().
  select * into this_session
    from auth.sessions
    where id = ((select auth.jwt()) ->> 'session_id')::uuid and user_id = (select auth.uid());
  if not exists (select from auth.mfa_factors where user_id = this_session.user_id and status = 'verified') then
    return false;
  end if;
  -- The codes lie on one sheet, which must not replace both steps.
  if exists (
      select from private.code_uses
        where user_id = this_session.user_id and replaced = 'password'
          and used_at between this_session.created_at - interval '1 hour' and this_session.created_at
    ) and not exists (
      select from auth.mfa_amr_claims
        where session_id = this_session.id and authentication_method = 'password'
    )
  then
    raise exception 'A recovery code has replaced your password just now. Another one cannot replace the app as well.'
      using errcode = 'P0001';
  end if;
  if not private.spend_recovery_code(this_session.user_id, use_recovery_code.code, 'app') then
    return false;
  end if;
  delete from auth.mfa_factors where user_id = this_session.user_id;
  -- Whoever has the app, or a session of it, is signed out.
  delete from auth.sessions where user_id = this_session.user_id and id <> this_session.id;
  return true;
end;
$$;
comment on function public.use_recovery_code(text) is
  'Turns off the two-step sign-in of the caller, who has lost the authenticator app, and ends all other sessions; false for a wrong code.';
grant execute on function public.use_recovery_code(text) to authenticated;

create function public.claim_recovery_code(email text, code text, request_headers text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  wait integer;
  account uuid;
begin
  wait := private.count_request('recovery_code', private.visitor_address(request_headers::jsonb));
  if wait = 0 then
    -- Also for an address without an account, so that the limit reveals nothing.
    wait := private.count_subject('recovery_account', private.salted_hash(private.folded(claim_recovery_code.email)));
  end if;
  if wait > 0 then
    return jsonb_build_object('outcome', 'wait', 'seconds', wait);
  end if;
  select users.id into account
    from auth.users where private.folded(users.email) = private.folded(claim_recovery_code.email);
  if not private.spend_recovery_code(account, claim_recovery_code.code, 'password') then
    return jsonb_build_object('outcome', 'wrong');
  end if;
  delete from auth.sessions where user_id = account;
  return jsonb_build_object('outcome', 'right');
end;
$$;
comment on function public.claim_recovery_code(text, text, text) is
  'Uses a recovery code in place of a forgotten password, ends all sessions of the account, and responds right, wrong or wait; the secret key only. The function recover-account then hands out what a mailed link has.';
grant execute on function public.claim_recovery_code(text, text, text) to service_role;

create function public.list_code_uses()
returns table (id uuid, email text, name text, replaced text, used_at timestamptz)
language plpgsql
stable
security definer
set search_path = ''
as $$
#variable_conflict use_column
begin
  perform private.require_owner();
  return query
    select code_use.id, account.email::text, person.name, code_use.replaced, code_use.used_at
      from private.code_uses as code_use
      join auth.users as account on account.id = code_use.user_id
      left join private.people as person on person.user_id = account.id
      where (select private.user_id()) <> all (code_use.seen_by)
        and code_use.used_at > now() - interval '90 days'
      order by code_use.used_at desc
      limit 20;
end;
$$;
comment on function public.list_code_uses() is
  'Uses of recovery codes by any account that the caller, an owner, has not dismissed.';
grant execute on function public.list_code_uses() to authenticated;

create function public.dismiss_code_uses(latest timestamptz)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_owner();
  update private.code_uses
    set seen_by = seen_by || private.user_id()
    where used_at <= latest and private.user_id() <> all (seen_by);
end;
$$;
comment on function public.dismiss_code_uses(timestamptz) is 'Notes that the caller, an owner, has seen the uses of recovery codes until then.';
grant execute on function public.dismiss_code_uses(timestamptz) to authenticated;
