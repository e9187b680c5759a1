-- Rate limits that also hold on a hosted project. The address of a visitor is stored as a salted hash, for no longer than
-- the longest period.

create table private.request_limits (
  action text not null,
  scope text not null,
  max_count integer not null,
  period interval not null,
  primary key (action, scope, period),
  constraint request_limits_scope check (scope in ('visitor', 'account', 'everyone')),
  constraint request_limits_positive check (max_count > 0 and period > interval '0')
);
comment on table private.request_limits is
  'At most max_count in any period, per visitor, per account or in total. The rows may be changed; an action without rows has no limit.';
alter table private.request_limits enable row level security;

-- `npm run types` writes these rows from server/limits/request-limits.ts.
insert into private.request_limits (action, scope, max_count, period) values
  ('testimonial', 'visitor', 3, '3600 seconds'),
  ('testimonial', 'visitor', 6, '86400 seconds'),
  ('testimonial', 'everyone', 20, '3600 seconds'),
  ('testimonial', 'everyone', 60, '86400 seconds'),
  ('invite', 'everyone', 20, '3600 seconds'),
  ('invite', 'everyone', 60, '86400 seconds'),
  ('test_mail', 'everyone', 5, '600 seconds'),
  ('import_image', 'everyone', 3000, '3600 seconds'),
  ('recovery_account', 'account', 10, '600 seconds'),
  ('contact', 'visitor', 5, '600 seconds'),
  ('contact', 'visitor', 20, '86400 seconds'),
  ('contact', 'everyone', 60, '3600 seconds'),
  ('contact', 'everyone', 300, '86400 seconds'),
  ('spam', 'visitor', 5, '600 seconds'),
  ('spam', 'visitor', 10, '86400 seconds'),
  ('spam', 'everyone', 20, '3600 seconds'),
  ('spam', 'everyone', 50, '86400 seconds'),
  ('recovery_code', 'visitor', 10, '600 seconds'),
  ('recovery_code', 'everyone', 300, '600 seconds');

create table private.counted_requests (
  action text not null,
  visitor bytea,
  counted_at timestamptz not null default clock_timestamp()
);
comment on table private.counted_requests is 'The requests that count toward a limit. Pruned at each count.';
create index counted_requests_by_time on private.counted_requests (action, counted_at desc);
alter table private.counted_requests enable row level security;

create table private.visitor_addresses (
  header text not null default 'cf-connecting-ip',
  salt text not null default gen_random_uuid()::text || gen_random_uuid()::text,
  constraint visitor_addresses_header check (header = lower(header))
);
comment on table private.visitor_addresses is 'One row: how the addresses of visitors are read and hashed.';
comment on column private.visitor_addresses.header is
  'The request header with the address, in lower case. Cloudflare sets the default in front of a hosted project, and the embedded backend sets it. Behind another proxy it must be one that this proxy overwrites.';
comment on column private.visitor_addresses.salt is
  'Without it, an address could be found by hashing all possible ones.';
alter table private.visitor_addresses enable row level security;
insert into private.visitor_addresses default values;

create function private.visitor_address(request_headers jsonb)
returns text
language sql
stable
security definer
set search_path = ''
as $$
  select private.trimmed(regexp_replace(request_headers ->> header, '^.*,', '')) from private.visitor_addresses;
$$;
comment on function private.visitor_address(jsonb) is
  'The address in the configured header. Of a list, such as X-Forwarded-For, the last one: the visitor can write the others.';

create function private.salted_hash(said text)
returns bytea
language sql
stable
security definer
set search_path = ''
as $$
  select sha256(convert_to((select salt from private.visitor_addresses) || said, 'UTF8'));
$$;
comment on function private.salted_hash(text) is 'What stands for a visitor or an account while its requests are counted.';

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
  -- Cloudflare's own workers share this network, so it does not stand for a visitor.
  if visitor is null or visitor <<= '2a06:98c0:3600::/48' then
    return null;
  end if;
  -- One subscriber has a whole /64.
  if family(visitor) = 6 then
    visitor := network(set_masklen(visitor, 64));
  end if;
  return private.salted_hash(visitor::text);
exception
  when invalid_text_representation then
    return null;
end;
$$;
comment on function private.visitor_hash(text) is
  'The salted hash of an address, or of the /64 network of an IPv6 address; null for other text.';

create function private.count_subject(counted_action text, counted_visitor bytea)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  instant timestamptz;
  wait interval;
begin
  if not exists (select from private.request_limits where action = counted_action) then
    return 0;
  end if;
  -- Serialized, so that two requests cannot both be the last one allowed.
  perform pg_advisory_xact_lock(hashtext('count_request'), hashtext(counted_action));
  instant := clock_timestamp();
  delete from private.counted_requests
    where action = counted_action
      and counted_at <= instant - (
        select max(period) from private.request_limits where action = counted_action
      );
  -- A limit is reached when its period has max_count requests, until the oldest of them leaves the period.
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
comment on function private.count_subject(text, bytea) is
  'Counts a request of a visitor, or about an account, and returns 0. Over a limit, counts nothing and returns the seconds until the next is allowed.';

create function private.count_request(counted_action text, address text)
returns integer
language sql
security definer
set search_path = ''
as $$
  select private.count_subject(counted_action, private.visitor_hash(address));
$$;
comment on function private.count_request(text, text) is 'Counts a request from an address like private.count_subject.';

create function public.count_contact_message(request_headers text, is_spam boolean)
returns integer
language sql
security definer
set search_path = ''
as $$
  select private.count_request(
    case when is_spam then 'spam' else 'contact' end, private.visitor_address(request_headers::jsonb)
  );
$$;
comment on function public.count_contact_message(text, boolean) is
  'Counts a contact message of a request with these headers (JSON) like private.count_request; the secret key only. Spam has a limit of its own, so that robots leave that of the others.';
grant execute on function public.count_contact_message(text, boolean) to service_role;

create function public.count_invitation()
returns integer
language sql
security definer
set search_path = ''
as $$
  select private.count_request('invite', null);
$$;
comment on function public.count_invitation() is
  'Counts an invitation like private.count_request; the secret key only.';
grant execute on function public.count_invitation() to service_role;

create function public.count_test_mail()
returns integer
language sql
security definer
set search_path = ''
as $$
  select private.require_owner();
  select private.count_request('test_mail', null);
$$;
comment on function public.count_test_mail() is
  'Counts a test mail like private.count_request. Owners only.';
grant execute on function public.count_test_mail() to authenticated;
