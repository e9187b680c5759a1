-- The mail service that an owner entered. Its secret can be replaced and removed, and only the function send-email reads it. Where
-- the database has a Vault, the secret is there. Elsewhere the function encrypts it first, with a key that the database lacks.

create table private.mail_service (
  is_only boolean primary key default true,
  service jsonb not null,
  secret text,
  stored_at timestamptz not null default now(),
  stored_by text not null,
  constraint mail_service_only check (is_only),
  constraint mail_service_service check (
    coalesce(
      octet_length(service::text) <= 2000 and case service ->> 'kind'
        when 'resend' then service - 'kind' = '{}'
        when 'smtp' then service - '{kind,host,port,user}'::text[] = '{}'
          and service ->> 'host' ~ '^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$'
          and jsonb_typeof(service -> 'port') = 'number'
          -- Those of mail servers, so that nothing else is reached.
          and service ->> 'port' in ('25', '465', '587', '2525')
          and char_length(service ->> 'user') <= 320 and private.is_one_line(service ->> 'user')
        else false
      end,
      false
    )
  ),
  -- As supabase/functions/_shared/encrypted-secret.ts encrypts: never a password itself.
  constraint mail_service_secret check (
    char_length(secret) between 40 and 4000 and secret ~ '^[A-Za-z0-9+/]+={0,2}$'
  )
);
comment on table private.mail_service is 'At most one row: the mail service that an owner entered. The environment of send-email has priority.';
comment on column private.mail_service.secret is
  'The encrypted password or key; null where the Vault has it as mail_service, and for a server that asks for none.';
alter table private.mail_service enable row level security;

create function public.store_mail_service(service text, secret text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  has_vault boolean := to_regclass('vault.secrets') is not null;
  has_secret boolean := coalesce(store_mail_service.secret, '') <> '';
begin
  perform private.require_owner();
  -- Another server would get all mails, also those with links that set a new password.
  perform private.require_new_session();
  delete from private.mail_service where is_only;
  if has_vault then
    delete from vault.secrets where name = 'mail_service';
  end if;
  if store_mail_service.service is null then
    return;
  end if;
  if not has_secret and coalesce(store_mail_service.service::jsonb ->> 'user', '?') <> '' then
    raise exception 'The password is missing.' using errcode = '23514';
  end if;
  if has_vault and has_secret then
    perform vault.create_secret(store_mail_service.secret, 'mail_service');
  end if;
  insert into private.mail_service (service, secret, stored_by)
    values (
      store_mail_service.service::jsonb, case when has_secret and not has_vault then store_mail_service.secret end,
      private.own_name()
    );
end;
$$;
comment on function public.store_mail_service(text, text) is
  'Replaces the mail service (JSON) and its secret, or removes both (null), for an owner who has just signed in. Without a Vault the secret must be encrypted.';
grant execute on function public.store_mail_service(text, text) to authenticated;

create function public.mail_service()
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  perform private.require_owner();
  return jsonb_build_object(
    'email', private.own_email(),
    'stored', (
      select jsonb_build_object('service', stored.service, 'at', stored_at, 'by', stored_by)
        from private.mail_service as stored
    )
  );
end;
$$;
comment on function public.mail_service() is
  'The mail service that an owner entered, without its secret, and the address of the caller, an owner.';
grant execute on function public.mail_service() to authenticated;

create function public.read_mail_service()
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  stored private.mail_service;
begin
  select * into stored from private.mail_service;
  if stored.secret is null and to_regclass('vault.decrypted_secrets') is not null then
    select decrypted_secret into stored.secret from vault.decrypted_secrets where name = 'mail_service';
  end if;
  return case when stored.service is not null then
    jsonb_build_object('service', stored.service, 'secret', stored.secret)
  end;
end;
$$;
comment on function public.read_mail_service() is
  'The mail service that an owner entered, with its secret, which is encrypted unless it comes from the Vault; null without one. The secret key only.';
grant execute on function public.read_mail_service() to service_role;
