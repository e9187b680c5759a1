-- The queue of all mails, which the function send-email delivers and owners read as the outbox. A row is one mail to one address,
-- with its own state. A mail to the team is queued as one row without an address, because only the function knows the recipients:
-- its environment may name them. claim_mails replaces that row by one per recipient.

create table public.mails (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  subject_id uuid,
  recipient text,
  for_team boolean not null default false,
  data jsonb not null default '{}',
  status text not null default 'waiting',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  attempts smallint not null default 0,
  last_attempt_at timestamptz,
  next_attempt_at timestamptz not null default now(),
  sent_at timestamptz,
  last_error text,
  constraint mails_kind check (kind ~ '^[a-z_]{1,40}$'),
  constraint mails_recipient_length check (char_length(recipient) <= 320),
  constraint mails_recipient_line check (private.is_one_line(recipient)),
  constraint mails_recipient check (recipient is not null or for_team),
  -- Otherwise, nothing would tell whether an address has got the mail already.
  constraint mails_for_team check (not for_team or subject_id is not null),
  constraint mails_data check (octet_length(data::text) <= 20000),
  constraint mails_status check (status in ('waiting', 'sent', 'failed', 'expired')),
  constraint mails_attempts check (attempts >= 0),
  constraint mails_once unique (kind, subject_id, recipient)
);
comment on table public.mails is
  'One mail to one address each. private.remove_old_mails deletes what is older than 30 days and does not wait.';
comment on column public.mails.kind is 'Which letter it is: a key of letters in send-email/letters.ts.';
comment on column public.mails.subject_id is 'The message or testimonial that it is about; null for others.';
comment on column public.mails.for_team is
  'Whether it goes to those who receive messages. An address that is no longer among them before it got the mail is replaced.';
comment on column public.mails.data is
  'What the letter says, such as the token of a link. Emptied when it was sent, and when it expires.';
comment on column public.mails.status is
  'waiting: to be sent; sent: the mail service accepted it; failed: given up after the last attempt; expired: not sent in time.';
comment on column public.mails.expires_at is 'When it is worth nothing any more, such as the token in it.';
comment on column public.mails.attempts is 'Attempts begun, including interrupted ones; identifies the lease.';
comment on column public.mails.next_attempt_at is
  'The earliest time of the next attempt. During an attempt: when its lease ends.';
create index mails_due on public.mails (next_attempt_at) where status = 'waiting';
create index mails_newest_first on public.mails (created_at desc, id);
create index mails_expiring on public.mails (expires_at) where expires_at is not null and data <> '{}';

alter table public.mails enable row level security;
revoke all on public.mails from anon, authenticated;
-- Not data, which has the words and the tokens.
grant select (
    id, kind, recipient, status, created_at, expires_at, attempts, last_attempt_at, next_attempt_at, sent_at, last_error
  )
  on public.mails to authenticated;
grant all on public.mails to service_role;
create policy "Owners read the outbox" on public.mails
  for select to authenticated using ((select private.may('manage the site')));

create function private.queue_mail(kind text, audience text, data jsonb, subject_id uuid default null)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.mails (kind, subject_id, recipient, for_team, data, expires_at)
    select queue_mail.kind, queue_mail.subject_id, address, audience = 'team', data,
        case when audience <> 'team' then now() + interval '3 days' end
      from (
        select null where audience = 'team'
        union
        select audience where strpos(audience, '@') > 0
        union
        select account.email::text
          from private.people as person
          join auth.users as account on account.id = person.user_id
          where audience = 'owners' and person.role = 'owner'
      ) as addressed (address)
      where coalesce(
        private.setting('mail', case queue_mail.kind
          when 'testimonial_answer' then 'answerReviewers'
          when 'approval_asked' then 'notifyApprovals'
          when 'approval_decided' then 'notifyApprovals'
          when 'not_published' then 'notifySchedule'
          when 'warning' then 'notifyWarnings'
        end),
        to_jsonb(queue_mail.kind <> 'testimonial_answer')
      ) = 'true'
    on conflict do nothing;
end;
$$;
comment on function private.queue_mail(text, text, jsonb, uuid) is
  'Queues a mail to an address, to the owners or to the team: those who receive messages. Once for the same subject. Not when the settings switch its kind off.';

create function private.expire_mails()
returns void
language sql
security definer
set search_path = ''
as $$
  update public.mails
    set data = '{}', status = case status when 'waiting' then 'expired' else status end
    where expires_at <= now() and data <> '{}';
$$;
comment on function private.expire_mails() is 'Deletes what mails say, and tokens, once they are worth nothing.';

create view private.due_mails as
  select * from public.mails as mail
    where status = 'waiting' and next_attempt_at <= now()
      and not exists (
        select from public.contact_messages as message
          where message.id = mail.subject_id and message.deleted_at is not null
      );
comment on view private.due_mails is
  'Mails whose next attempt is due. The mails of a deleted message wait until it is restored.';

create function private.is_mail_due()
returns boolean
language sql
security definer
set search_path = ''
as $$
  select private.expire_mails();
  select exists (select from private.due_mails);
$$;
comment on function private.is_mail_due() is
  'Whether send-email has something to deliver. The schedules of both backends ask this, which also expires mails.';

create function public.claim_mails(
  max_count integer,
  lease_seconds integer,
  max_attempts integer,
  team text
)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  addresses text[] := array(select jsonb_array_elements_text(team::jsonb));
begin
  perform private.expire_mails();
  -- The lease ended during the last attempt: its sender has stopped.
  update private.due_mails
    set status = 'failed', last_error = 'The last attempt was cut off'
    where attempts >= max_attempts;
  if cardinality(addresses) > 0 then
    -- One statement, so that both parts see the same rows: a later delete would also remove mails that were queued in between.
    with replaced as (
      delete from private.due_mails
        where for_team and (recipient is null or recipient <> all (addresses))
    )
    insert into public.mails (kind, subject_id, recipient, for_team, data, created_at)
      select mail.kind, mail.subject_id, address, true, mail.data, mail.created_at
        from private.due_mails as mail cross join unnest(addresses) as address
        where for_team
      on conflict do nothing;
  end if;
  delete from private.due_mails
    where kind = 'message' and not exists (select from public.contact_messages as message where message.id = subject_id)
      or kind = 'testimonial' and not exists (select from public.testimonials as testimonial where testimonial.id = subject_id);
  return query
    with due as materialized (
      select id from private.due_mails
        where recipient is not null
        order by next_attempt_at, created_at
        limit least(max_count, 100)
        for update skip locked
    ), claimed as (
      update public.mails as mail
        set attempts = mail.attempts + 1,
            last_attempt_at = now(),
            next_attempt_at = now() + make_interval(secs => lease_seconds)
        from due
        where mail.id = due.id
        returning mail.*
    )
    select to_jsonb(claimed) || jsonb_build_object(
        'data', case kind
          when 'message' then (
            select to_jsonb(received) - 'search_text'
              from public.contact_messages as received where received.id = subject_id
          )
          when 'testimonial' then (
            select to_jsonb(testimonial) || jsonb_build_object(
                'consent', consent.wording, 'email', private.testimonial_email(testimonial.id)
              )
              from public.testimonials as testimonial
              left join public.consents as consent on consent.subject_id = testimonial.id and consent.kind = 'publish'
              where testimonial.id = claimed.subject_id
              limit 1
          )
          else data
        end
      )
      from claimed;
end;
$$;
comment on function public.claim_mails(integer, integer, integer, text) is
  'Leases due mails to one sender, with what they say. team: the addresses of those who receive messages (JSON). The secret key only.';
grant execute on function public.claim_mails(integer, integer, integer, text) to service_role;

create function private.note_delivery()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  mail public.mails := coalesce(new, old);
begin
  -- Mails of a message that end at the same time wait for each other, so that the last one sees all.
  perform from public.contact_messages as message
    where message.id = mail.subject_id and mail.kind = 'message' for update;
  update public.contact_messages as message
    set status = delivery.status, sent_at = delivery.sent_at,
        last_error = delivery.last_error, next_attempt_at = delivery.next_attempt_at
    from (
      select case
            when bool_or(status = 'waiting') then 'stored' when bool_or(status = 'failed') then 'failed' else 'sent'
          end as status,
          min(sent_at) as sent_at,
          left(
            string_agg(recipient || ': ' || last_error, '; ' order by recipient) filter (where status <> 'sent'), 2000
          ) as last_error,
          min(next_attempt_at) filter (where status = 'waiting' and last_error is not null) as next_attempt_at
        from public.mails
        where kind = 'message' and subject_id = mail.subject_id
        having count(*) > 0
    ) as delivery
    where message.id = mail.subject_id and mail.kind = 'message'
      -- Each change of a message is announced to open inboxes.
      and (message.status, message.sent_at, message.last_error, message.next_attempt_at)
        is distinct from (delivery.status, delivery.sent_at, delivery.last_error, delivery.next_attempt_at);
  return null;
end;
$$;
comment on function private.note_delivery() is 'Copies the state of a message''s mails to the message, for the inbox.';
create trigger mails_note_delivery
  after insert or delete or update of status, last_error on public.mails
  for each row execute function private.note_delivery();

create function public.queue_confirmation(message_id uuid)
returns void
language sql
security definer
set search_path = ''
as $$
  -- One at a time, so that another one is seen.
  select pg_advisory_xact_lock(hashtext('public.mails'), hashtext('confirmation'));
  select private.queue_mail('confirmation', message.email, '{}', message.id)
    from public.contact_messages as message
    where message.id = message_id
      -- Browsers accept ada@localhost, which would be an account of the mail server.
      and message.email like '%@%.%'
      and not exists (
        select from public.mails
          where kind = 'confirmation' and private.folded(recipient) = private.folded(message.email)
            and created_at > now() - interval '1 hour'
      );
$$;
comment on function public.queue_confirmation(uuid) is
  'Queues the confirmation to a message''s author, once an hour for an address, because anyone can type it. The secret key only.';
grant execute on function public.queue_confirmation(uuid) to service_role;

create function private.mail_changes_of_people()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  person private.people := coalesce(new, old);
  address text;
  is_invited boolean;
  details jsonb;
begin
  select account.email, account.invited_at is not null and account.email_confirmed_at is null
    into address, is_invited
    from auth.users as account where account.id = person.user_id;
  -- With its account, the row is gone as well. The first owner, and who was just invited, has another mail.
  if address is null or is_invited or not exists (select from private.people where user_id <> person.user_id) then
    return null;
  end if;
  details := jsonb_build_object(
    'email', address, 'name', person.name, 'role', case when tg_op <> 'DELETE' then new.role end,
    'by', (select private.own_name())
  );
  if tg_op = 'UPDATE' and new.role = old.role then
    if old.accepted_at is null and new.accepted_at is not null then
      perform private.queue_mail('accepted', 'owners', details);
    end if;
    return null;
  end if;
  perform private.queue_mail('your_role', address, details);
  perform private.queue_mail('role_of_person', 'owners', details);
  return null;
end;
$$;
comment on function private.mail_changes_of_people() is
  'Tells a person and the owners about a role that was given, changed or removed, and the owners who accepted an invitation.';
create trigger people_mail
  after insert or delete or update of role, accepted_at on private.people
  for each row execute function private.mail_changes_of_people();

create function private.mail_changes_of_content()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  asked public.versions;
  details jsonb;
begin
  case tg_table_name
  when 'versions' then
    details := jsonb_build_object(
      'event', new.event, 'kind', new.kind, 'title', case new.kind when 'section' then new.thing else new.document ->> 'title' end,
      'by', private.shown_name(new.event, new.by_name),
      'comment', new.comment
    );
    if new.event = 'submitted' then
      perform private.queue_mail('approval_asked', account.email, details)
        from private.people as person join auth.users as account on account.id = person.user_id
        where person.role = 'owner' and person.user_id is distinct from new.by_id;
      return null;
    end if;
    select * into asked from public.versions
      where kind = new.kind and thing = new.thing and event = 'submitted' and number < new.number
      order by number desc limit 1;
    if asked.by_email is not null and asked.by_id is distinct from new.by_id then
      perform private.queue_mail('approval_decided', asked.by_email, details);
    end if;
  when 'schedules' then
    details := jsonb_build_object(
      'title', (select document -> 'title' from public.versions where number = new.version), 'failure', new.failure
    );
    perform private.queue_mail('not_published', 'owners', details);
  when 'testimonials' then
    details := jsonb_build_object('decision', case when new.approved_at is not null then 'shown' else 'refused' end);
    perform private.queue_mail('testimonial_answer', private.testimonial_email(new.id), details, new.id);
  end case;
  return null;
end;
$$;
comment on function private.mail_changes_of_content() is
  'Tells the owners about a submission and about a scheduled version that could not be published, once; its author about the decision; and a review''s author once whether it is shown, if there is an address.';
create trigger versions_mail
  after insert on public.versions
  for each row when (new.kind <> 'testimonial' and new.event in ('submitted', 'approved', 'returned'))
  execute function private.mail_changes_of_content();
create trigger schedules_mail_failure
  after update of failure on public.schedules
  for each row when (old.failure is null and new.failure is not null)
  execute function private.mail_changes_of_content();
create trigger testimonials_answer_reviewer
  after update of approved_at, refused_at on public.testimonials
  for each row when (
    num_nonnulls(old.approved_at, old.refused_at) = 0 and num_nonnulls(new.approved_at, new.refused_at) = 1
  )
  execute function private.mail_changes_of_content();

create function private.warn_owners(warnings text[])
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- As in public.queue_confirmation.
  perform pg_advisory_xact_lock(hashtext('public.mails'), hashtext('warning'));
  perform private.queue_mail(
      'warning', 'owners', jsonb_build_object('warnings', array_to_string(found.texts, E'\n'))
    )
    from (
      select array_cat(
        array(
          select 'Mails to ' || coalesce(recipient, 'those who receive messages')
              || ' have failed for more than an hour. The reason: ' || left(last_error, 300)
            from public.mails
            where status in ('waiting', 'failed') and attempts > 0 and kind <> 'warning'
              and created_at between now() - interval '25 hours' and now() - interval '1 hour'
            order by created_at limit 10
        ),
        warnings
      )
    ) as found (texts)
    where cardinality(found.texts) > 0
      and not exists (
        select from public.mails where kind = 'warning' and created_at > now() - interval '24 hours'
      );
end;
$$;
comment on function private.warn_owners(text[]) is
  'Mails the owners these warnings and that of mails that fail, once in 24 hours. Run by pg_cron every hour, or by the timer of the embedded backend, which knows of more.';

create function private.remove_old_mails()
returns void
language sql
set search_path = ''
as $$
  delete from public.mails
    where status <> 'waiting' and created_at < now() - interval '30 days' and not (select private.is_held());
$$;
comment on function private.remove_old_mails() is
  'Removes mails that do not wait 30 days after they were queued, unless a hold is on. Run by pg_cron, or by the timer of the embedded backend.';
