-- Testimonials can wait for approval, which the setting testimonials.approveFirst turns on. Visitors see approved ones
-- only. With the setting mail.notifyTestimonials a mail announces each new testimonial.

alter table public.testimonials add column approved_at timestamptz;
comment on column public.testimonials.approved_at is
  'When it became visible; null while it waits. Set at the insert unless the setting testimonials.approveFirst is on.';
update public.testimonials set approved_at = created_at;
create index testimonials_waiting on public.testimonials (created_at desc, id)
  where approved_at is null;

create function private.setting(section_name text, field text)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select document -> field from public.site_settings where section = section_name;
$$;
comment on function private.setting(text, text) is
  'A published setting; null when its section was never published.';
revoke execute on function private.setting(text, text) from public;

-- API roles may not insert approved_at, so only this function decides about their testimonials.
create function private.decide_approval()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Deeper than 1: private.announce_hidden_testimonial inserts a hidden one again.
  if pg_trigger_depth() = 1
    and new.approved_at is null
    and private.setting('testimonials', 'approveFirst') is distinct from 'true'::jsonb
  then
    new.approved_at := now();
  end if;
  return new;
end;
$$;
revoke execute on function private.decide_approval() from public;
create trigger testimonials_decide_approval
  before insert on public.testimonials
  for each row execute function private.decide_approval();

-- Realtime sends visitors nothing about an UPDATE that hides a row from them, so open windows and cached pages would
-- go on showing it. A DELETE reaches everyone.
create function private.announce_hidden_testimonial()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.testimonials where id = new.id;
  insert into public.testimonials (id, name, role, content, rating, created_at, approved_at)
    values (new.id, new.name, new.role, new.content, new.rating, new.created_at, null);
  return null;
end;
$$;
revoke execute on function private.announce_hidden_testimonial() from public;
create trigger testimonials_announce_hidden
  after update of approved_at on public.testimonials
  for each row when (old.approved_at is not null and new.approved_at is null)
  execute function private.announce_hidden_testimonial();

-- As before, except that a row that is inserted by a trigger is not a new review.
create or replace function public.testimonials_rate_limit()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  seconds integer;
  pause text;
begin
  -- The API switches to the caller's role; this function runs as its own owner, but the setting
  -- still names the other. Seeds and jobs have set none.
  if current_setting('role') not in ('anon', 'authenticated')
    or pg_trigger_depth() > 1
    or public.is_owner()
  then
    return new;
  end if;
  -- Cloudflare, in front of a hosted project, sets this header itself, and so does the embedded
  -- backend. X-Forwarded-For begins with whatever the visitor wrote.
  seconds := private.count_request(
    'review',
    nullif(current_setting('request.headers', true), '')::json ->> 'cf-connecting-ip'
  );
  if seconds > 0 then
    pause := case
      when seconds < 120 then 'a minute or two'
      when seconds < 7200 then ceil(seconds / 60.0) || ' minutes'
      else ceil(seconds / 3600.0) || ' hours'
    end;
    raise sqlstate 'PGRST' using
      message = json_build_object(
        'code', 'over_request_rate_limit',
        'message', 'Too many reviews were left just now. Please try again in ' || pause || '.',
        'details', null,
        'hint', null
      )::text,
      detail = json_build_object(
        'status', 429,
        'status_text', 'Too Many Requests',
        'headers', json_build_object('Retry-After', seconds::text)
      )::text;
  end if;
  return new;
end;
$$;

drop policy "Anyone reads testimonials" on public.testimonials;
create policy "Anyone reads approved testimonials, owners and assistants all" on public.testimonials
  for select to anon, authenticated
  using (approved_at is not null or (select public.my_role()) in ('owner', 'assistant'));

grant update (approved_at) on public.testimonials to authenticated;
create policy "Owners and assistants approve testimonials" on public.testimonials
  for update to authenticated
  using ((select public.my_role()) in ('owner', 'assistant'))
  with check ((select public.my_role()) in ('owner', 'assistant'));

-- The queue of mails about new testimonials. A row is deleted when its mail was sent.
create table private.testimonial_notices (
  testimonial_id uuid primary key,
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default now()
);
comment on table private.testimonial_notices is
  'New testimonials that a mail has to announce. The function send-email works it off.';
create index testimonial_notices_due on private.testimonial_notices (next_attempt_at);
alter table private.testimonial_notices enable row level security;

create function private.queue_testimonial_notice()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Only what visitors leave: neither seeds and restored rows nor one that was hidden.
  if pg_trigger_depth() = 1
    and current_setting('role') in ('anon', 'authenticated')
    and public.my_role() is null
    and private.setting('mail', 'notifyTestimonials') = 'true'::jsonb
  then
    insert into private.testimonial_notices (testimonial_id) values (new.id)
      on conflict do nothing;
  end if;
  return null;
end;
$$;
revoke execute on function private.queue_testimonial_notice() from public;
create trigger testimonials_queue_notice
  after insert on public.testimonials
  for each row execute function private.queue_testimonial_notice();

create function public.claim_testimonial_notices(max_count integer, max_attempts integer)
returns setof jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Given up, or the testimonial was deleted meanwhile.
  delete from private.testimonial_notices as notice
    where notice.next_attempt_at <= now() and (
      notice.attempts >= max_attempts
      or not exists (select from public.testimonials as gone where gone.id = notice.testimonial_id)
    );
  return query
    with due as materialized (
      select notice.testimonial_id from private.testimonial_notices as notice
        where notice.next_attempt_at <= now()
        order by notice.next_attempt_at
        limit least(max_count, 100)
        for update skip locked
    ), claimed as (
      update private.testimonial_notices as notice
        set attempts = notice.attempts + 1,
            -- Leases the notice, and is the wait after a failed attempt: 4 minutes, 8, 16 up to 4 hours.
            next_attempt_at = now() + least(interval '2 minutes' * (2 ^ (notice.attempts + 1)), interval '4 hours')
        from due
        where notice.testimonial_id = due.testimonial_id
        returning notice.testimonial_id, notice.attempts
    )
    select jsonb_build_object(
        'id', review.id,
        'name', review.name,
        'role', review.role,
        'content', review.content,
        'rating', review.rating,
        'waiting', review.approved_at is null,
        'attempts', claimed.attempts,
        'recipients', coalesce(private.setting('mail', 'recipients'), '[]'),
        'sender', coalesce(private.setting('mail', 'sender') #>> '{}', '')
      )
      from claimed
      join public.testimonials as review on review.id = claimed.testimonial_id;
end;
$$;
comment on function public.claim_testimonial_notices(integer, integer) is
  'Hands due notices to one sender, with the recipients of the settings; the secret key only.';
revoke execute on function public.claim_testimonial_notices(integer, integer)
  from public, anon, authenticated;
grant execute on function public.claim_testimonial_notices(integer, integer) to service_role;

create function public.finish_testimonial_notice(id uuid)
returns void
language sql
security definer
set search_path = ''
as $$
  delete from private.testimonial_notices where testimonial_id = finish_testimonial_notice.id;
$$;
comment on function public.finish_testimonial_notice(uuid) is
  'Removes a notice whose mail was sent; the secret key only.';
revoke execute on function public.finish_testimonial_notice(uuid) from public, anon, authenticated;
grant execute on function public.finish_testimonial_notice(uuid) to service_role;

create function private.is_mail_due()
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
      select from public.contact_messages
        where status = 'stored' and next_attempt_at <= now() and deleted_at is null
    ) or exists (select from private.testimonial_notices where next_attempt_at <= now());
$$;
comment on function private.is_mail_due() is
  'Whether send-email has something to deliver. The schedules of both backends ask this.';
revoke execute on function private.is_mail_due() from public;

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
  if not private.is_mail_due() then
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
