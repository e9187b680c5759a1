-- The site holds only the public key of a hosted project, which every visitor has as well. With a second secret, the site key,
-- it proves that it is the site: for visit counts and the archive.

create table private.site_key (
  is_only boolean primary key default true,
  hash bytea not null,
  created_at timestamptz not null default now(),
  constraint site_key_is_only check (is_only)
);
comment on table private.site_key is
  'The SHA-256 of the secret with which the site proves itself to a hosted project; no row until the owner creates one.';
alter table private.site_key enable row level security;

create function private.require_site(site_key text)
returns void
language plpgsql
stable
set search_path = ''
as $$
begin
  if not exists (
    select from private.site_key as stored
      where stored.hash = sha256(convert_to(require_site.site_key, 'UTF8'))
  ) then
    raise exception 'The site key is wrong' using errcode = '42501';
  end if;
end;
$$;
comment on function private.require_site(text) is 'Rejects a key that is not the site key.';

create function public.create_site_key()
returns text
language plpgsql
security definer
set search_path = ''
as $$
declare
  -- 244 random bits.
  created text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  perform private.require_owner();
  insert into private.site_key (hash) values (sha256(convert_to(created, 'UTF8')))
  on conflict (is_only) do update set hash = excluded.hash, created_at = now();
  return created;
end;
$$;
comment on function public.create_site_key() is
  'Replaces the site key and returns the new one, which is stored as a hash only; owners only.';
grant execute on function public.create_site_key() to authenticated;

create function public.confirm_site_address(site_key text, address text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_owner();
  -- Links that set a password lead to the address, so whoever confirms one must know the present password.
  perform private.require_new_session();
  perform private.require_site(site_key);
  perform private.store_site_address(address);
end;
$$;
comment on function public.confirm_site_address(text, text) is
  'Stores the public address of a site on a hosted project, which the site has checked; for an owner who has just signed in, by way of the site, which adds the site key.';
grant execute on function public.confirm_site_address(text, text) to authenticated;
