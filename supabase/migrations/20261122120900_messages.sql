-- Contact messages: the inbox with notes, flags, recoverable deletion, spam and search. Each is mailed through public.mails,
-- spam not before somebody moved it to the others.

create table public.contact_messages (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null,
  phone text,
  call_consent text,
  page text,
  message text not null,
  status text not null default 'stored',
  sent_at timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz,
  read_at timestamptz,
  answered_at timestamptz,
  flagged_at timestamptz,
  note text,
  noted_at timestamptz,
  deleted_at timestamptz,
  spam_at timestamptz,
  search_text text not null generated always as (
    private.search_form(
      name || ' ' || email || ' ' || coalesce(phone, '') || ' '
        -- A phone number is also found without its separators.
        || coalesce(regexp_replace(phone, '[^0-9]', '', 'g'), '') || ' '
        || message || ' ' || coalesce(note, '')
    )
  ) stored,
  constraint contact_messages_name_length check (char_length(private.trimmed(name)) between 1 and 200),
  constraint contact_messages_name_line check (private.is_one_line(name)),
  constraint contact_messages_email_length check (char_length(email) between 3 and 320),
  constraint contact_messages_email_line check (private.is_one_line(email)),
  constraint contact_messages_phone_length check (char_length(phone) <= 60),
  constraint contact_messages_phone_line check (private.is_one_line(phone)),
  constraint contact_messages_call_consent_length check (char_length(call_consent) <= 1000),
  -- Without a number there is nothing to call, and nothing is kept in consents.
  constraint contact_messages_call_consent_phone check (call_consent is null or phone is not null),
  constraint contact_messages_page check (char_length(page) <= 200 and page ~ '^/[!-~]*$'),
  constraint contact_messages_message_length check (
    char_length(private.trimmed(message)) between 1 and 20000
  ),
  constraint contact_messages_status check (status in ('stored', 'sent', 'failed')),
  constraint contact_messages_note_length check (char_length(note) <= 2000)
);
comment on table public.contact_messages is
  'What visitors sent through the contact forms. Inserted by the function send-email alone.';
comment on column public.contact_messages.call_consent is
  'The sentence beside the box that the visitor ticked to agree to calls and texts; null without consent. private.store_call_consent keeps it in consents, which rejects a sentence that was not published.';
comment on column public.contact_messages.page is
  'The path of the page from which the visitor wrote; null when unknown.';
comment on column public.contact_messages.status is
  'Of its mails: stored: at least one waits to be sent; sent: the mail service accepted all; failed: one was given up.';
comment on column public.contact_messages.sent_at is 'When the mail service accepted the first of its mails.';
comment on column public.contact_messages.last_error is 'Who did not get it yet, and why.';
comment on column public.contact_messages.next_attempt_at is 'The earliest time of the next attempt after one that failed.';
comment on column public.contact_messages.read_at is 'When the message was opened.';
comment on column public.contact_messages.answered_at is 'When the message was marked as answered.';
comment on column public.contact_messages.flagged_at is 'When the message was flagged.';
comment on column public.contact_messages.note is
  'A note about the message, for the people who manage the site; null for none. Never sent to the visitor.';
comment on column public.contact_messages.noted_at is
  'When the note changed last. A writer names the version that it read, so that two windows never overwrite each other.';
comment on column public.contact_messages.deleted_at is
  'When the message was moved to the deleted ones. It can be restored for 30 days, and is not mailed meanwhile.';
comment on column public.contact_messages.spam_at is
  'When the message arrived with text in the form''s honeypot, as robots send it, or a browser that fills in too much. It is removed 30 days later, unless it was moved to the others, which clears this.';
comment on column public.contact_messages.search_text is 'What search_messages searches: lower case, without accents.';
-- Covers the list and its counts without reading the table.
create index contact_messages_newest_first on public.contact_messages (created_at desc, id)
  include (read_at, answered_at, flagged_at, deleted_at, spam_at, status);
create index contact_messages_deleted on public.contact_messages (deleted_at)
  where deleted_at is not null;
create index contact_messages_spam on public.contact_messages (spam_at)
  where spam_at is not null;

alter table public.contact_messages enable row level security;
revoke all on public.contact_messages from anon, authenticated;
-- By column: what a visitor wrote and the state of its delivery cannot be changed.
grant select, update (read_at, answered_at, flagged_at, note, deleted_at, spam_at), delete
  on public.contact_messages to authenticated;
grant all on public.contact_messages to service_role;

create policy "Message handlers read messages" on public.contact_messages
  for select to authenticated using ((select private.may('handle messages')));
create policy "Message handlers mark messages" on public.contact_messages
  for update to authenticated
  using ((select private.may('handle messages'))) with check ((select private.may('handle messages')));
create policy "Message handlers delete messages" on public.contact_messages
  for delete to authenticated using ((select private.may('handle messages')));

create function private.stamp_message_changes()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if private.trimmed(new.note) = '' then
    new.note := null;
  end if;
  if new.note is distinct from old.note then
    new.noted_at := now();
  end if;
  -- The database's clock: a time in the past would end the 30 days early, one in the future would delay their end.
  if new.deleted_at is not null then
    new.deleted_at := coalesce(old.deleted_at, now());
  end if;
  if new.spam_at <> old.spam_at or old.spam_at is null and new.spam_at is not null then
    raise exception 'A message is spam from its arrival, or never.' using errcode = '23514';
  end if;
  return new;
end;
$$;
create trigger contact_messages_stamp_changes
  before update of note, deleted_at, spam_at on public.contact_messages
  for each row execute function private.stamp_message_changes();

create function private.store_call_consent()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  insert into public.consents (kind, subject_id, name, email, phone, wording)
    values ('calls', new.id, new.name, new.email, new.phone, new.call_consent)
    -- A message that was deleted for good, and is sent again by a browser that got no response.
    on conflict (kind, subject_id) do nothing;
  return null;
end;
$$;
create trigger contact_messages_store_call_consent
  after insert on public.contact_messages
  for each row when (new.call_consent is not null)
  execute function private.store_call_consent();

create function private.queue_message_mail()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.queue_mail('message', 'team', '{}', new.id);
  return null;
end;
$$;
create trigger contact_messages_queue_mail
  after insert on public.contact_messages
  for each row when (new.status = 'stored' and new.spam_at is null)
  execute function private.queue_message_mail();
create trigger contact_messages_queue_mail_of_former_spam
  after update of spam_at on public.contact_messages
  for each row when (old.spam_at is not null and new.spam_at is null)
  execute function private.queue_message_mail();

create function private.record_reason(message text, call_consent text)
returns text
language sql
immutable
set search_path = ''
as $$
  select case
    when call_consent is not null then 'It has a consent to calls and texts.'
    when message ~* '\m(surrender|cancel|laps(e|ed|ing)\M|reinstat|replac|1035|exchang|transfer|roll ?over|withdr|loan|cash (in|out|value)|premium|beneficiar|claim|complain)'
      then 'It may be an instruction or a complaint about a policy.'
  end;
$$;
comment on function private.record_reason(text, text) is
  'Why a firm may have to keep a message; null when its words give no reason. Only a person can tell.';

create function public.search_messages(query text, filter text, first integer, count integer)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
-- A generic plan would not know whether there is anything to search for.
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  patterns text[] := private.search_patterns(query);
  result jsonb;
begin
  perform private.require('handle messages');
  with matching as materialized (
    select id, created_at,
        case
          when deleted_at is not null then array['deleted']
          when spam_at is not null then array['spam']
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
      where search_messages.filter = any (filters || id::text)
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
              to_jsonb(found) - 'search_text' || private.call_consent_of(found.email, found.phone)
                || jsonb_build_object('record', private.record_reason(found.message, found.call_consent))
              order by found.created_at desc, found.id
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
  'Messages that contain every word of the query, newest first: at most 200 rows of one filter, or the message whose id the filter is, each with the keys of private.call_consent_of and with record (private.record_reason), and the number in each filter. Only for those who handle messages.';
grant execute on function public.search_messages(text, text, integer, integer) to authenticated;

create function private.remove_deleted_messages()
returns void
language sql
set search_path = ''
as $$
  delete from public.contact_messages
    where not (select private.is_held())
      and (
        deleted_at <= now() - interval '30 days'
        or spam_at <= now() - interval '30 days' and deleted_at is null
      );
$$;
comment on function private.remove_deleted_messages() is
  'Removes messages that were deleted 30 days ago, and spam of 30 days ago, unless a hold is on. Run by pg_cron, or by the timer of the embedded backend.';
