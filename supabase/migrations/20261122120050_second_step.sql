-- Recovery codes, for those who have lost their authenticator app. Auth has the apps themselves (auth.mfa_factors), and
-- private.user_id() asks for a session that proved one.

create table private.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  factor_id uuid not null,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
comment on table private.recovery_codes is
  'Codes that replace the authenticator app of an account once. Valid while that app is registered.';
alter table private.recovery_codes enable row level security;

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

create function public.create_recovery_codes()
returns text[]
language plpgsql
security definer
set search_path = ''
as $$
declare
  account uuid := private.user_id();
  factor uuid;
  codes text[];
begin
  select id into factor
    from auth.mfa_factors
    where user_id = account and status = 'verified'
    order by created_at
    limit 1;
  if factor is null then
    raise exception 'Recovery codes need an authenticator app' using errcode = '42501';
  end if;
  -- The last twelve digits of a random UUID are random.
  select array_agg(regexp_replace(left(digits, 20), '(.{5})(.{5})(.{5})(.{5})', '\1-\2-\3-\4'))
    into codes
    from (
      select right(gen_random_uuid()::text, 12) || right(gen_random_uuid()::text, 12) as digits
        from generate_series(1, 10)
    ) as generated;
  delete from private.recovery_codes where user_id = account;
  insert into private.recovery_codes (user_id, factor_id, code_hash)
    select account, factor, private.recovery_code_hash(code) from unnest(codes) as code;
  return codes;
end;
$$;
comment on function public.create_recovery_codes() is
  'Ten new recovery codes of the caller, which replace the former ones. Only their hashes are stored.';
grant execute on function public.create_recovery_codes() to authenticated;

create function private.remove_factors(account uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from private.recovery_codes where user_id = account;
  delete from auth.mfa_factors where user_id = account;
  return found;
end;
$$;
comment on function private.remove_factors(uuid) is
  'Turns off the two-step sign-in of an account; false when it was off.';

create function public.use_recovery_code(code text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  this_session uuid := ((select auth.jwt()) ->> 'session_id')::uuid;
  account uuid;
begin
  -- The first step is enough here, so this does not ask private.user_id().
  select user_id into account
    from auth.sessions
    where id = this_session and user_id = (select auth.uid());
  delete from private.recovery_codes as recovery
    using auth.mfa_factors as factor
    where recovery.user_id = account
      and recovery.code_hash = private.recovery_code_hash(use_recovery_code.code)
      and factor.id = recovery.factor_id and factor.user_id = account and factor.status = 'verified';
  if not found then
    return false;
  end if;
  perform private.remove_factors(account);
  -- Whoever has the app, or a session of it, is signed out.
  delete from auth.sessions where user_id = account and id <> this_session;
  return true;
end;
$$;
comment on function public.use_recovery_code(text) is
  'Turns off the two-step sign-in of the caller, who has lost the authenticator app, and ends all other sessions; false for a wrong code.';
grant execute on function public.use_recovery_code(text) to authenticated;

create function public.remove_second_step(id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  was_on boolean := private.remove_factors(remove_second_step.id);
begin
  perform public.end_sessions(remove_second_step.id);
  return was_on;
end;
$$;
comment on function public.remove_second_step(uuid) is
  'Turns off the two-step sign-in of an account and ends its sessions, the secret key only; false when it was off.';
grant execute on function public.remove_second_step(uuid) to service_role;
