-- The queue of contact messages is the table itself: what is `stored` still has to be sent.
-- The function send-email works it off; how often and how long it waits stands in its retry-pauses.ts.

alter table public.contact_messages
  add column attempts smallint not null default 0,
  add column last_attempt_at timestamptz,
  add column next_attempt_at timestamptz not null default now(),
  add constraint contact_messages_attempts check (attempts >= 0);
comment on column public.contact_messages.status is
  'stored: waits to be sent; sent: the mail service took it; failed: given up after the last attempt.';
comment on column public.contact_messages.attempts is
  'Attempts begun, also those that a crash cut off. None while no mail service is configured.';
comment on column public.contact_messages.last_error is
  'Why the attempt at last_attempt_at failed; stays when a later one succeeds.';
comment on column public.contact_messages.next_attempt_at is
  'Not before. During an attempt: when the claim on the message ends. Counts while stored.';

-- Until now one attempt was all a message got. None of those is lost either.
update public.contact_messages
  set attempts = 1, last_attempt_at = coalesce(sent_at, created_at)
  where status <> 'stored';
update public.contact_messages set status = 'stored' where status = 'failed';

create index contact_messages_due on public.contact_messages (next_attempt_at)
  where status = 'stored';

create function public.claim_contact_messages(
  max_count integer,
  lease_seconds integer,
  max_attempts integer
)
returns setof public.contact_messages
language sql
volatile
set search_path = ''
as $$
  -- A claim that ran out during the last attempt: whoever held it is gone.
  update public.contact_messages
    set status = 'failed', last_error = 'The last attempt was cut off'
    where status = 'stored' and next_attempt_at <= now() and attempts >= max_attempts;

  with due as materialized (
    select id from public.contact_messages
      where status = 'stored' and next_attempt_at <= now()
      order by next_attempt_at
      limit least(max_count, 100)
      for update skip locked
  )
  update public.contact_messages as message
    set attempts = message.attempts + 1,
        last_attempt_at = now(),
        next_attempt_at = now() + make_interval(secs => lease_seconds)
    from due
    where message.id = due.id
    returning message.*;
$$;
comment on function public.claim_contact_messages(integer, integer, integer) is
  'Hands due messages to one sender alone, until the lease ends; the secret key only.';

revoke execute on function public.claim_contact_messages(integer, integer, integer)
  from public, anon, authenticated;
grant execute on function public.claim_contact_messages(integer, integer, integer) to service_role;

-- The alarm clock of a hosted project. It rings once the Vault holds `project_url` and `secret_key`
-- (docs/operations.md); without them, or without the extensions, what is due goes out with the next
-- visitor's message. The embedded backend has a clock of its own.
create function private.request_message_delivery()
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  project_url text;
  secret_key text;
begin
  if not exists (
    select 1 from public.contact_messages where status = 'stored' and next_attempt_at <= now()
  ) then
    return;
  end if;
  select decrypted_secret into project_url
    from vault.decrypted_secrets where name = 'project_url';
  select decrypted_secret into secret_key
    from vault.decrypted_secrets where name = 'secret_key';
  if project_url is null or secret_key is null then
    return;
  end if;
  perform net.http_post(
    url := rtrim(project_url, '/') || '/functions/v1/send-email/deliver',
    headers := jsonb_build_object('Content-Type', 'application/json', 'apikey', secret_key),
    body := '{}'::jsonb,
    timeout_milliseconds := 10000
  );
end;
$$;
comment on function private.request_message_delivery() is
  'Asks send-email to deliver when something is due. Run by pg_cron every minute.';
revoke execute on function private.request_message_delivery() from public;

do $$
begin
  if (
    select count(*) from pg_available_extensions
      where name in ('pg_cron', 'pg_net', 'supabase_vault')
  ) < 3 then
    raise notice 'No pg_cron, pg_net and Vault here: contact messages are retried without a schedule';
    return;
  end if;
  create extension if not exists pg_cron with schema pg_catalog;
  create extension if not exists pg_net;
  create extension if not exists supabase_vault with schema vault;
  perform cron.schedule(
    'deliver-contact-messages', '* * * * *', 'select private.request_message_delivery()'
  );
exception when others then
  -- A project may forbid them. A migration that stops here would stop every later one.
  raise notice 'Contact messages are retried without a schedule: %', sqlerrm;
end;
$$;
