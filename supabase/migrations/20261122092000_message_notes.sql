-- Notes, flags, recoverable deletion and search of contact messages.

alter table public.contact_messages
  add column flagged_at timestamptz,
  add column note text,
  add column noted_at timestamptz,
  add column deleted_at timestamptz,
  -- search_messages prepares the query with the same expression. It drops case and accents without an extension.
  add column search_text text not null generated always as (
    lower(
      regexp_replace(
        normalize(
          name || ' ' || email || ' ' || coalesce(phone, '') || ' '
            -- A phone number is also found without its separators.
            || coalesce(regexp_replace(phone, '[^0-9]', '', 'g'), '') || ' '
            || message || ' ' || coalesce(note, ''),
          nfd
        ),
        '[\u0300-\u036f]', '', 'g'
      ) collate "und-x-icu"
    )
  ) stored,
  add constraint contact_messages_note_length check (char_length(note) <= 2000);
comment on column public.contact_messages.flagged_at is 'When the message was flagged.';
comment on column public.contact_messages.note is
  'A note about the message, for the people who manage the site; null for none. Never sent to the visitor.';
comment on column public.contact_messages.noted_at is
  'When the note changed last. A writer names the version that it read, so that two windows never overwrite each other.';
comment on column public.contact_messages.deleted_at is
  'When the message was moved to the deleted ones. It can be restored for 30 days, and is not mailed meanwhile.';
comment on column public.contact_messages.search_text is 'What search_messages searches: lower case, without accents.';

-- Covers the list and its counts without reading the table.
drop index public.contact_messages_newest_first;
create index contact_messages_newest_first on public.contact_messages (created_at desc, id)
  include (read_at, answered_at, flagged_at, deleted_at, status);
-- Counting reads the index above.
drop index public.contact_messages_unread;
create index contact_messages_deleted on public.contact_messages (deleted_at)
  where deleted_at is not null;

grant update (flagged_at, note, deleted_at) on public.contact_messages to authenticated;

create function private.stamp_message_changes()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if btrim(new.note, E' \t\r\n') = '' then
    new.note := null;
  end if;
  if new.note is distinct from old.note then
    new.noted_at := now();
  end if;
  -- The database's clock: a time in the past would end the 30 days early, one in the future would delay their end.
  if new.deleted_at is not null then
    new.deleted_at := coalesce(old.deleted_at, now());
  end if;
  return new;
end;
$$;
revoke execute on function private.stamp_message_changes() from public;

create trigger contact_messages_stamp_changes
  before update of note, deleted_at on public.contact_messages
  for each row execute function private.stamp_message_changes();

-- A deleted message waits: it is mailed only after it was restored.
create or replace function public.claim_contact_messages(
  max_count integer,
  lease_seconds integer,
  max_attempts integer
)
returns setof public.contact_messages
language sql
volatile
set search_path = ''
as $$
  -- The lease ended during the last attempt: its sender has stopped.
  update public.contact_messages
    set status = 'failed', last_error = 'The last attempt was cut off'
    where status = 'stored' and next_attempt_at <= now() and attempts >= max_attempts
      and deleted_at is null;

  with due as materialized (
    select id from public.contact_messages
      where status = 'stored' and next_attempt_at <= now() and deleted_at is null
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

create or replace function private.request_message_delivery()
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
    select 1 from public.contact_messages
      where status = 'stored' and next_attempt_at <= now() and deleted_at is null
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

create function public.search_messages(query text, filter text, first integer, count integer)
returns jsonb
language plpgsql
stable
set search_path = ''
-- Each plan knows whether there is anything to search for.
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  patterns text[];
  result jsonb;
begin
  if char_length(query) > 1000 then
    raise exception 'A query has at most 1,000 characters' using errcode = '22001';
  end if;
  select coalesce(
      array_agg('%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'), '{}'
    )
    into patterns
    from regexp_split_to_table(
      lower(regexp_replace(normalize(query, nfd), '[\u0300-\u036f]', '', 'g') collate "und-x-icu"),
      '\s+'
    ) as word
    where word <> '';

  with matching as materialized (
    select id, created_at,
        case
          when deleted_at is not null then array['deleted']
          else array[
            'all',
            case when read_at is null then 'unread' end,
            case when answered_at is null then 'unanswered' else 'answered' end,
            case when flagged_at is not null then 'flagged' end,
            case when status = 'failed' then 'failed' end
          ]
        end as filters
      from public.contact_messages
      where patterns = '{}' or search_text like all (patterns)
  ),
  page as (
    select id from matching
      where search_messages.filter = any (filters)
      order by created_at desc, id
      limit least(greatest(search_messages.count, 0), 200)
      offset greatest(search_messages.first, 0)
  )
  select jsonb_build_object(
      'counts', (
        select coalesce(jsonb_object_agg(each.name, each.messages), '{}')
          from (
            select name, count(*) as messages
              from matching, unnest(filters) as name
              where name is not null
              group by name
          ) as each
      ),
      'rows', (
        select coalesce(
            jsonb_agg(
              to_jsonb(found) - 'search_text' order by found.created_at desc, found.id
            ),
            '[]'
          )
          from public.contact_messages as found
          where found.id in (select id from page)
      )
    )
    into result;
  return result;
end;
$$;
comment on function public.search_messages(text, text, integer, integer) is
  'Messages that contain every word of the query, newest first: at most 200 rows of one filter, and the number in each filter. Policies apply.';
revoke execute on function public.search_messages(text, text, integer, integer) from public, anon;
grant execute on function public.search_messages(text, text, integer, integer) to authenticated;

create function private.remove_deleted_messages()
returns void
language sql
set search_path = ''
as $$
  delete from public.contact_messages where deleted_at <= now() - interval '30 days';
$$;
comment on function private.remove_deleted_messages() is
  'Removes messages that were deleted 30 days ago. Run by pg_cron, or by the timer of the embedded backend.';
revoke execute on function private.remove_deleted_messages() from public;

do $$
begin
  if not exists (select from pg_available_extensions where name = 'pg_cron') then
    raise notice 'No pg_cron here: deleted messages are not removed by a schedule';
    return;
  end if;
  create extension if not exists pg_cron with schema pg_catalog;
  perform cron.schedule(
    'remove-deleted-messages', '43 * * * *', 'select private.remove_deleted_messages()'
  );
exception when others then
  -- A project may forbid it. A migration that fails here would block every later one.
  raise notice 'Deleted messages are not removed by a schedule: %', sqlerrm;
end;
$$;
