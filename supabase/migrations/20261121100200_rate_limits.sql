-- How often visitors may leave a review, counted where it also holds on a hosted project. An address
-- is kept as a salted hash, no longer than the longest period.

create table private.request_limits (
  action text not null,
  scope text not null,
  max_count integer not null,
  period interval not null,
  primary key (action, scope, period),
  constraint request_limits_scope check (scope in ('visitor', 'everyone')),
  constraint request_limits_positive check (max_count > 0 and period > interval '0')
);
comment on table private.request_limits is
  'At most max_count in any period, per visitor or in total. Change the rows at will; none means no limit.';
alter table private.request_limits enable row level security;

insert into private.request_limits (action, scope, max_count, period) values
  ('review', 'visitor', 3, '1 hour'),
  ('review', 'visitor', 6, '24 hours'),
  ('review', 'everyone', 20, '1 hour'),
  ('review', 'everyone', 60, '24 hours'),
  ('contact', 'visitor', 5, '10 minutes'),
  ('contact', 'visitor', 20, '24 hours'),
  ('contact', 'everyone', 60, '1 hour'),
  ('contact', 'everyone', 300, '24 hours');

create table private.counted_requests (
  action text not null,
  visitor bytea,
  counted_at timestamptz not null default clock_timestamp()
);
comment on table private.counted_requests is 'What the limits count. Pruned at each count.';
create index counted_requests_by_time on private.counted_requests (action, counted_at desc);
alter table private.counted_requests enable row level security;

-- Two random UUIDs: without the salt the few possible addresses could be hashed and compared.
create table private.visitor_salt (
  salt text not null default gen_random_uuid()::text || gen_random_uuid()::text
);
alter table private.visitor_salt enable row level security;
insert into private.visitor_salt default values;

create function private.visitor_hash(address text)
returns bytea
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  visitor inet;
begin
  visitor := address::inet;
  -- The address of Cloudflare's own workers stands for nobody.
  if visitor is null or visitor <<= '2a06:98c0:3600::/48' then
    return null;
  end if;
  -- One subscriber has a whole /64.
  if family(visitor) = 6 then
    visitor := network(set_masklen(visitor, 64));
  end if;
  return sha256(convert_to((select salt from private.visitor_salt) || visitor::text, 'UTF8'));
exception
  when invalid_text_representation then
    return null;
end;
$$;
comment on function private.visitor_hash(text) is
  'Stands for an address, or for the /64 of an IPv6 address; null for what is none.';

create function private.count_request(counted_action text, address text)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  counted_visitor bytea := private.visitor_hash(address);
  instant timestamptz;
  wait interval;
begin
  if not exists (select from private.request_limits where action = counted_action) then
    return 0;
  end if;
  -- One at a time, so that two cannot both be the last that is allowed.
  perform pg_advisory_xact_lock(hashtext('count_request'), hashtext(counted_action));
  instant := clock_timestamp();
  delete from private.counted_requests
    where action = counted_action
      and counted_at <= instant - (
        select max(period) from private.request_limits where action = counted_action
      );
  -- A limit is reached when its period holds max_count already; it ends when the oldest of those does.
  select max(oldest.counted_at + limits.period - instant) into wait
    from private.request_limits as limits
    cross join lateral (
      select counted.counted_at
        from private.counted_requests as counted
        where counted.action = limits.action
          and counted.counted_at > instant - limits.period
          and (limits.scope = 'everyone' or counted.visitor = counted_visitor)
        order by counted.counted_at desc
        offset limits.max_count - 1
        limit 1
    ) as oldest
    where limits.action = counted_action;
  if wait is null then
    insert into private.counted_requests (action, visitor, counted_at)
      values (counted_action, counted_visitor, instant);
    return 0;
  end if;
  return greatest(1, ceil(extract(epoch from wait)))::integer;
end;
$$;
comment on function private.count_request(text, text) is
  'Counts one and answers 0, or counts nothing and answers after how many seconds to come back.';

revoke execute on function private.visitor_hash(text) from public;
revoke execute on function private.count_request(text, text) from public;

-- For functions that hold the secret key and know their caller's address: send-email.
create function public.count_contact_message(visitor_address text)
returns integer
language sql
security definer
set search_path = ''
as $$
  select private.count_request('contact', visitor_address);
$$;
comment on function public.count_contact_message(text) is
  'Seconds until another message is welcome, 0 when it is now; the secret key only.';
revoke execute on function public.count_contact_message(text) from public, anon, authenticated;
grant execute on function public.count_contact_message(text) to service_role;

create function public.testimonials_rate_limit()
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
  if current_setting('role') not in ('anon', 'authenticated') or public.is_owner() then
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
revoke execute on function public.testimonials_rate_limit() from public;

create trigger testimonials_rate_limit
  before insert on public.testimonials
  for each row execute function public.testimonials_rate_limit();
