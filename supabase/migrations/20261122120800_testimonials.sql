-- Reviews that visitors leave. They can wait for approval, which the setting testimonials.approveFirst turns on. Visitors
-- see approved ones only. With the setting mail.notifyTestimonials a mail announces each new testimonial. While the setting
-- pages.hidden has the page, new ones are refused, and stored ones stay readable here.

create table public.testimonials (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  role text,
  content text not null,
  rating smallint not null default 5,
  created_at timestamptz not null default now(),
  approved_at timestamptz,
  constraint testimonials_name_length check (char_length(btrim(name)) between 1 and 100),
  constraint testimonials_role_length check (char_length(role) <= 100),
  constraint testimonials_content_length check (char_length(btrim(content)) between 1 and 5000),
  constraint testimonials_rating_range check (rating between 1 and 5)
);
comment on table public.testimonials is
  'Reviews that visitors leave. The five built-in samples are not stored.';
comment on column public.testimonials.approved_at is
  'When it became visible; null while it waits. Set at the insert unless the setting testimonials.approveFirst is on, and again when a moderator has looked at it.';
create index testimonials_newest_first on public.testimonials (created_at desc, id);
create index testimonials_waiting on public.testimonials (created_at desc, id)
  where approved_at is null;

alter table public.testimonials enable row level security;
revoke all on public.testimonials from anon, authenticated;
grant select on public.testimonials to anon, authenticated;
-- Clients may send created_at, which private.set_testimonial_time ignores.
grant insert (id, name, role, content, rating, created_at)
  on public.testimonials to anon, authenticated;
grant update (approved_at), delete on public.testimonials to authenticated;
grant all on public.testimonials to service_role;

create policy "Anyone reads approved testimonials, moderators all" on public.testimonials
  for select to anon, authenticated
  using (approved_at is not null or (select private.may('moderate testimonials')));
-- A check of true would be a warning of the advisors; private.set_testimonial_time makes it always hold.
create policy "Anyone leaves a testimonial that is not dated in the future" on public.testimonials
  for insert to anon, authenticated with check (created_at <= now());
create policy "Moderators approve testimonials" on public.testimonials
  for update to authenticated
  using ((select private.may('moderate testimonials')))
  with check ((select private.may('moderate testimonials')));
create policy "Moderators delete testimonials" on public.testimonials
  for delete to authenticated using ((select private.may('moderate testimonials')));

create function private.set_testimonial_time()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if current_user in ('anon', 'authenticated') then
    new.created_at := now();
  end if;
  return new;
end;
$$;
create trigger testimonials_set_time
  before insert on public.testimonials
  for each row execute function private.set_testimonial_time();

-- API roles may not insert approved_at, so only this function decides about their testimonials.
create function private.decide_approval()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- The setting names the role of the caller. Seeds and jobs have none.
  if pg_trigger_depth() = 1
    and current_setting('role') in ('anon', 'authenticated')
    and private.setting('pages', 'hidden') ? 'testimonials'
  then
    raise exception 'This site takes no reviews at the moment.' using errcode = '42501';
  end if;
  -- At a greater depth, private.announce_hidden_testimonial inserts a hidden row again, which stays hidden.
  if pg_trigger_depth() = 1
    and new.approved_at is null
    and private.setting('testimonials', 'approveFirst') is distinct from 'true'::jsonb
  then
    new.approved_at := now();
  end if;
  return new;
end;
$$;
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
  insert into public.testimonials (id, name, role, content, rating, created_at, is_sample)
    values (new.id, new.name, new.role, new.content, new.rating, new.created_at, new.is_sample);
  return null;
end;
$$;
create trigger testimonials_announce_hidden
  after update of approved_at on public.testimonials
  for each row when (old.approved_at is not null and new.approved_at is null)
  execute function private.announce_hidden_testimonial();

create function private.limit_testimonials()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  seconds integer;
  pause text;
begin
  -- The setting names the role of the caller, although this function runs as its owner. Seeds and jobs have none. A row
  -- that is inserted by a trigger is not a new review.
  if current_setting('role') not in ('anon', 'authenticated')
    or pg_trigger_depth() > 1
    or private.may('manage the site')
  then
    return new;
  end if;
  -- Set by Cloudflare, in front of a hosted project, and by the embedded backend. The beginning of X-Forwarded-For is
  -- written by the visitor.
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
create trigger testimonials_rate_limit
  before insert on public.testimonials
  for each row execute function private.limit_testimonials();

create table private.testimonial_notices (
  testimonial_id uuid primary key,
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default now()
);
comment on table private.testimonial_notices is
  'The queue of new testimonials that a mail has to announce, which send-email works off. A row is deleted when its mail was sent.';
create index testimonial_notices_due on private.testimonial_notices (next_attempt_at);
alter table private.testimonial_notices enable row level security;

create function private.queue_testimonial_notice()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Only rows that visitors insert: not seeds, restored rows or a row that is hidden.
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
