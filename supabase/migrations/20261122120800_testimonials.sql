-- Reviews that visitors leave, and the links by which a client is asked for one. They wait for
-- approval while the setting testimonials.approveFirst is on. Visitors see approved ones only. With the setting
-- mail.notifyTestimonials a mail announces each new testimonial. While the setting pages.hidden has the page, new ones are
-- rejected, and stored ones stay readable here.
--
-- Each change adds a version (versions.sql). A review that is hidden changes the public settings, so that open windows and cached
-- pages learn of it (private.note_content).

create table public.testimonials (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  role text,
  content text not null,
  rating smallint not null,
  created_at timestamptz not null default now(),
  approved_at timestamptz,
  refused_at timestamptz,
  refusal_reason text,
  seen_at timestamptz,
  relationship text,
  compensation text,
  compensation_details text,
  connection text,
  statement text,
  is_asked boolean not null default false,
  may_be_spam boolean not null default false,
  reply text,
  replied_at timestamptz,
  consent text,
  email text,
  request uuid,
  is_sample boolean not null default false,
  pin integer,
  constraint testimonials_name_length check (char_length(private.trimmed(name)) between 1 and 100),
  constraint testimonials_name_line check (private.is_one_line(name)),
  constraint testimonials_role_length check (char_length(role) <= 100),
  constraint testimonials_role_line check (private.is_one_line(role)),
  constraint testimonials_content_length check (char_length(private.trimmed(content)) between 1 and 5000),
  constraint testimonials_rating_range check (rating between 1 and 5),
  constraint testimonials_decision check (approved_at is null or refused_at is null),
  constraint testimonials_refusal check ((refused_at is null) = (refusal_reason is null)),
  constraint testimonials_refusal_reason check (
    refusal_reason in (
      'unverified', 'unrelated', 'private', 'false', 'promise', 'offensive', 'advertising', 'duplicate', 'withdrawn'
    )
  ),
  constraint testimonials_relationship check (relationship in ('client', 'former', 'none')),
  constraint testimonials_compensation check (compensation in ('none', 'given')),
  constraint testimonials_compensation_details check (
    compensation_details is null or compensation is not distinct from 'given'
  ),
  constraint testimonials_compensation_details_length check (char_length(compensation_details) <= 300),
  constraint testimonials_compensation_details_line check (private.is_one_line(compensation_details)),
  constraint testimonials_connection check (connection in ('none', 'family', 'employee')),
  constraint testimonials_statement_length check (char_length(statement) <= 600),
  constraint testimonials_statement_line check (private.is_one_line(statement)),
  constraint testimonials_reply_length check (char_length(reply) <= 2000),
  constraint testimonials_write_only check (num_nonnulls(consent, email, request) = 0)
);
comment on table public.testimonials is
  'Reviews that visitors leave. The five built-in samples are not stored.';
comment on column public.testimonials.approved_at is
  'When it became visible; null while it waits. Set at the insert unless the setting testimonials.approveFirst is on.';
comment on column public.testimonials.refused_at is
  'When a moderator refused it, with a reason. What was approved or refused never waits again.';
comment on column public.testimonials.seen_at is
  'When a moderator approved it, or saw in the list what had become visible at once; null while it is new.';
comment on column public.testimonials.relationship is
  'What the reviewer is to the firm: client, former (client) or none; null when nobody asked.';
comment on column public.testimonials.compensation is
  'Whether the reviewer was given something for it: none or given; null when nobody asked.';
comment on column public.testimonials.compensation_details is 'What was given, in the reviewer''s words.';
comment on column public.testimonials.connection is
  'Whether the reviewer is family or employee of the firm: none, family or employee; null when nobody asked.';
comment on column public.testimonials.statement is
  'What the firm states about the review in its card, beside the reviewer''s answers, which nobody can change.';
comment on column public.testimonials.is_asked is
  'Whether it came in through a link of testimonial_requests. Not writable by API roles.';
comment on column public.testimonials.may_be_spam is
  'Whether it arrived with text in the form''s honeypot: it then waits for approval whatever the settings say, and is not mailed. Cleared by an approval.';
comment on column public.testimonials.is_sample is 'Whether supabase/seed.sql stored it. Not writable by API roles.';
comment on column public.testimonials.pin is
  'The place among those that are shown first, set by place_testimonial; null for the others, which follow, newest first.';
comment on column public.testimonials.reply is 'The public reply of the firm. replied_at is when it changed last.';
comment on column public.testimonials.consent is
  'Write-only: the sentence beside the box that the reviewer ticked, which goes to consents with the email.';
comment on column public.testimonials.email is 'Write-only: goes to consents, without a consent to private.testimonial_addresses.';
comment on column public.testimonials.request is
  'Write-only: the token of the link in testimonial_requests, which is then used.';
create index testimonials_newest_first on public.testimonials (created_at desc, id);
create index testimonials_in_order on public.testimonials (pin, created_at desc, id);
create index testimonials_waiting on public.testimonials (created_at desc, id)
  where approved_at is null and refused_at is null;

alter table public.testimonials enable row level security;
revoke all on public.testimonials from anon, authenticated;
grant select on public.testimonials to anon, authenticated;
-- Clients may send created_at, which private.set_testimonial_time ignores.
grant insert (
    id, name, role, content, rating, created_at, relationship, compensation, compensation_details,
    connection, consent, email, request, may_be_spam
  )
  on public.testimonials to anon, authenticated;
grant
  update (
    approved_at, refused_at, refusal_reason, seen_at, statement, reply
  ),
  delete
  on public.testimonials to authenticated;
grant all on public.testimonials to service_role;

create policy "Anyone reads approved testimonials, moderators all" on public.testimonials
  for select to anon, authenticated
  using (approved_at is not null or (select private.may('moderate testimonials')));
-- Always true, because private.set_testimonial_time sets created_at. The advisors of Supabase warn of the check `true`.
create policy "Anyone leaves a testimonial that is not dated in the future" on public.testimonials
  for insert to anon, authenticated with check (created_at <= now());
create policy "Moderators decide about testimonials and answer them" on public.testimonials
  for update to authenticated
  using ((select private.may('moderate testimonials')))
  with check ((select private.may('moderate testimonials')));
create policy "Moderators delete testimonials" on public.testimonials
  for delete to authenticated using ((select private.may('moderate testimonials')));

create table private.testimonial_addresses (
  testimonial_id uuid primary key,
  email text not null,
  constraint testimonial_addresses_email_length check (char_length(email) <= 320)
);
comment on table private.testimonial_addresses is
  'The addresses that reviewers left without a consent, by which find_person finds their reviews. Stay when the testimonial is deleted.';
alter table private.testimonial_addresses enable row level security;

create function private.testimonial_email(testimonial uuid)
returns text
language sql
stable
set search_path = ''
as $$
  select email from public.consents where subject_id = testimonial and kind = 'publish'
  union all
  select email from private.testimonial_addresses where testimonial_id = testimonial;
$$;
comment on function private.testimonial_email(uuid) is 'The address that a reviewer left, with a consent or without one.';

create table public.testimonial_requests (
  token uuid primary key default gen_random_uuid(),
  name text not null,
  email text,
  created_by uuid default auth.uid(),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '30 days',
  used_at timestamptz,
  testimonial_id uuid,
  constraint testimonial_requests_name_length check (char_length(private.trimmed(name)) between 1 and 100),
  constraint testimonial_requests_name_line check (private.is_one_line(name)),
  constraint testimonial_requests_email_length check (char_length(email) <= 320),
  constraint testimonial_requests_email_line check (private.is_one_line(email))
);
comment on table public.testimonial_requests is
  'Links by which clients are asked for a testimonial: /testimonials#review=TOKEN. Each works once, for 30 days, unless it is revoked (deleted).';
create index testimonial_requests_newest_first
  on public.testimonial_requests (created_at desc, token);

alter table public.testimonial_requests enable row level security;
revoke all on public.testimonial_requests from anon, authenticated;
grant select, insert (name, email), delete on public.testimonial_requests to authenticated;
grant all on public.testimonial_requests to service_role;

create policy "Moderators read requests for testimonials" on public.testimonial_requests
  for select to authenticated using ((select private.may('moderate testimonials')));
create policy "Moderators ask for testimonials" on public.testimonial_requests
  for insert to authenticated with check ((select private.may('moderate testimonials')));
-- The row of a used link says that the client was asked.
create policy "Moderators revoke links that nobody used" on public.testimonial_requests
  for delete to authenticated using (used_at is null and (select private.may('moderate testimonials')));

create function public.get_testimonial_request(request_token uuid)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object(
      'state', case when used_at is not null then 'used' when expires_at <= now() then 'expired' else 'open' end,
      'name', name
    )
    from public.testimonial_requests where token = request_token;
$$;
comment on function public.get_testimonial_request(uuid) is
  'What a client''s link is good for: {state: open, used or expired, name}; null for an unknown link.';
grant execute on function public.get_testimonial_request(uuid) to anon, authenticated, service_role;

create function private.testimonial_setting(field text)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  -- The same as completeSettings of the pages.
  return coalesce(
    (
      select coalesce((document ->> field)::boolean, true)
        from public.site_settings where section = 'testimonials'
    ),
    exists (select from public.site_settings where section = 'firm')
  );
end;
$$;
comment on function private.testimonial_setting(text) is
  'The setting approveFirst or askConsent of the testimonials: on by default, but off until a firm or the section is published.';

create function private.is_undone(testimonial uuid)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  -- Functions of the database run as their owner, callers of the API never do.
  if current_user in ('anon', 'authenticated', 'service_role') then
    return false;
  end if;
  return coalesce((private.newest_version('testimonial', testimonial::text)).event = 'deleted', false);
end;
$$;
comment on function private.is_undone(uuid) is
  'Whether public.undo_deletion inserts this testimonial, as it was: it then asks nobody, counts for no rate limit and is decided already.';
grant execute on function private.is_undone(uuid) to anon, authenticated, service_role;

create function private.take_testimonial_answers()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- As in private.decide_approval. An emptied wording shows no box.
  if current_setting('role') in ('anon', 'authenticated')
    and private.testimonial_setting('askConsent')
    and (
      num_nulls(new.rating, new.relationship, new.compensation, new.connection) > 0
      or coalesce(new.consent, '') !~ '\S'
        and private.setting('testimonials', 'consent') is distinct from '""'::jsonb
    )
  then
    raise exception 'This site asks for stars, whether you are a client, were given something, or are family or an employee, and whether it may publish your review. Please reload the page and answer everything.'
      using errcode = '23514';
  end if;
  -- Not the column's default: where the form asks, nothing is preset.
  new.rating := coalesce(new.rating, 5);
  -- A reused id would put another text beside the consent, the link or the decisions of the review that had it before. The
  -- lock is for two inserts at the same time: with 'on conflict do nothing', the second one stores no row.
  perform pg_advisory_xact_lock(hashtext('public.testimonials'), hashtext('id'));
  if exists (select from public.versions where kind = 'testimonial' and thing = new.id::text) then
    raise exception 'There is a review with this id.' using errcode = '23505';
  end if;
  if private.trimmed(new.email) !~ '^([^@\s]+@[^@\s]+)?$' then
    raise exception 'The email address is not valid.' using errcode = '23514';
  end if;
  if private.trimmed(new.consent) <> '' then
    insert into public.consents (kind, subject_id, name, email, wording)
      values ('publish', new.id, new.name, nullif(private.trimmed(new.email), ''), new.consent);
  elsif private.trimmed(new.email) <> '' then
    insert into private.testimonial_addresses values (new.id, private.trimmed(new.email));
  end if;
  if new.request is not null then
    -- Locks the row: of two reviews at the same time, the second one finds the link used.
    update public.testimonial_requests
      set used_at = now(), testimonial_id = new.id
      where token = new.request and used_at is null and expires_at > now();
    if not found then
      raise exception 'This link was used before or has ended. You can send your review without it.'
        using errcode = '23514';
    end if;
    new.is_asked := true;
  end if;
  new.consent := null;
  new.email := null;
  new.request := null;
  return new;
end;
$$;
comment on function private.take_testimonial_answers() is
  'Moves the write-only columns of a new testimonial to where they belong, and rejects one without the answers that the form asks for, and one with the id of another, also of a deleted one.';
-- The last trigger before the insert: a review over the rate limit uses no link.
create trigger testimonials_take_answers
  before insert on public.testimonials
  for each row when (not private.is_undone(new.id)) execute function private.take_testimonial_answers();

create function private.stamp_testimonial_changes()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if coalesce(old.approved_at, old.refused_at) is not null
    and coalesce(new.approved_at, new.refused_at) is null
  then
    raise exception 'A testimonial leaves the site by a refusal with a reason, or by its deletion.'
      using errcode = '23514';
  end if;
  -- The database's clock.
  if old.approved_at is not null and new.approved_at is not null then
    new.approved_at := old.approved_at;
  elsif new.approved_at is not null then
    new.approved_at := now();
    new.seen_at := now();
    new.may_be_spam := false;
  end if;
  if new.seen_at is distinct from old.seen_at then
    new.seen_at := now();
  end if;
  if new.refused_at is not null and new.refused_at is distinct from old.refused_at then
    new.refused_at := now();
  end if;
  if new.reply is distinct from old.reply then
    new.replied_at := case when new.reply is not null then now() end;
  end if;
  if new.approved_at is null then
    new.pin := null;
  end if;
  return new;
end;
$$;
create trigger testimonials_stamp_changes
  before update on public.testimonials
  for each row execute function private.stamp_testimonial_changes();

create trigger testimonials_record_change
  after insert or update or delete on public.testimonials
  for each row execute function private.record_change('testimonial');

create function public.delete_testimonial(id uuid, reason text)
returns boolean
language plpgsql
set search_path = ''
as $$
begin
  -- The version that the deletion leaves has the reason, too.
  update public.testimonials as stored
    set approved_at = null, refused_at = now(), refusal_reason = reason
    where stored.id = delete_testimonial.id and refused_at is null;
  delete from public.testimonials as stored where stored.id = delete_testimonial.id;
  return found;
end;
$$;
comment on function public.delete_testimonial(uuid, text) is
  'Refuses a testimonial for a reason, unless it is refused already, and deletes it; false when the caller deletes none.';
grant execute on function public.delete_testimonial(uuid, text) to authenticated, service_role;

create function public.place_testimonial(id uuid, place integer)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require('manage the site');
  -- One change after the other.
  perform from public.testimonials as stored where stored.pin is not null order by stored.id for update;
  perform from public.testimonials as stored
    where stored.id = place_testimonial.id and stored.approved_at is not null
    for update;
  if not found then
    raise exception 'The testimonial is not on the site any more' using errcode = 'no_data_found';
  end if;
  update public.testimonials as stored set pin = placed.pin
    from (
      select ordered.id, case when key is not null then row_number() over (order by key) end as pin
        from (
          select other.id, 2 * row_number() over (order by other.pin) as key
            from public.testimonials as other
            where other.pin is not null and other.id <> place_testimonial.id
          union all
          select place_testimonial.id, 2 * place - 1
        ) as ordered
    ) as placed
    where stored.id = placed.id and stored.pin is distinct from placed.pin;
end;
$$;
comment on function public.place_testimonial(uuid, integer) is
  'Shows a testimonial first, at a place from 1 among those that are, or with null no longer first. Owners only.';
grant execute on function public.place_testimonial(uuid, integer) to authenticated;

create function public.testimonial_decisions(first integer, count integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  with changes as (
    select *,
        -- Not of a deletion that was undone.
        lag(case when event <> 'deleted' then document end) over (partition by thing order by number) as former
      from public.versions
      where kind = 'testimonial'
  ),
  decided as (
    select number as id, thing as testimonial_id, at,
        case
          when event = 'deleted' and document ->> 'refusal_reason' is null then 'deleted without reason'
          when event = 'submitted' then 'received'
          when event = 'published' then 'approved'
          when event in ('returned', 'unpublished') then 'refused'
          else event::text
        end as event,
        by_name, by_email, (document ->> 'rating')::smallint as rating, document ->> 'refusal_reason' as reason,
        document ->> 'name' as name, document ->> 'content' as content
      from changes
      where (
          event in ('submitted', 'deleted') or former is null
          -- Not a reply or a statement alone.
          or (document -> 'approved_at', document -> 'refused_at')
            is distinct from (former -> 'approved_at', former -> 'refused_at')
        )
        and document ->> 'is_sample' is distinct from 'true'
        and (select private.may('moderate testimonials'))
  )
  select jsonb_build_object(
    'counts', (
      select coalesce(jsonb_agg(counted), '[]')
        from (
          select rating, event, count(*) as number
            from (select distinct on (testimonial_id) * from decided order by testimonial_id, id desc) as last
            group by rating, event
        ) as counted
    ),
    'total', (select count(*) from decided),
    'rows', (
      select coalesce(jsonb_agg(page order by page.id), '[]')
        from (
          select * from decided order by id
            offset greatest(first, 0) limit least(greatest(testimonial_decisions.count, 0), 200)
        ) as page
    )
  );
$$;
comment on function public.testimonial_decisions(integer, integer) is
  'How many testimonials wait (received), are on the site, were refused, deleted, and deleted without reason, by stars, and a page of what came in and was decided, oldest first. Without samples. Empty for those who do not moderate testimonials.';
grant execute on function public.testimonial_decisions(integer, integer) to authenticated;

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
  if current_setting('role') in ('anon', 'authenticated')
    and private.setting('pages', 'hidden') ? 'testimonials'
  then
    raise exception 'This site takes no reviews at the moment.' using errcode = '42501';
  end if;
  -- The firm asked this client.
  if new.request is not null then
    new.may_be_spam := false;
  end if;
  if num_nonnulls(new.approved_at, new.refused_at) = 0
    and not new.may_be_spam
    and not private.testimonial_setting('approveFirst')
  then
    new.approved_at := now();
  end if;
  return new;
end;
$$;
create trigger testimonials_decide_approval
  before insert on public.testimonials
  for each row when (not private.is_undone(new.id)) execute function private.decide_approval();

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
  -- The setting names the role of the caller, although this function runs as its owner. Seeds and jobs have none.
  if current_setting('role') not in ('anon', 'authenticated') or private.may('manage the site') then
    return new;
  end if;
  seconds := private.count_request(
    'testimonial',
    private.visitor_address(nullif(current_setting('request.headers', true), '')::jsonb)
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
  for each row when (not private.is_undone(new.id)) execute function private.limit_testimonials();

create function private.queue_testimonial_notice()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Only rows that visitors insert: not seeds or restored rows.
  if current_setting('role') in ('anon', 'authenticated')
    and public.my_role() is null
    and not new.may_be_spam
    and private.setting('mail', 'notifyTestimonials') = 'true'::jsonb
  then
    perform private.queue_mail('testimonial', 'team', '{}', new.id);
  end if;
  return null;
end;
$$;
create trigger testimonials_queue_notice
  after insert on public.testimonials
  for each row execute function private.queue_testimonial_notice();
