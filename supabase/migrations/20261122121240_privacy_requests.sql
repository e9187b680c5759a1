-- The log of requests about personal data: what people asked for, when it was done, by whom, and what was kept and why.

create table private.privacy_requests (
  number bigint generated always as identity primary key,
  kind text not null,
  person text not null,
  received_on date not null,
  at timestamptz not null default clock_timestamp(),
  by_id uuid default auth.uid(),
  by_name text default private.own_name(),
  by_email text default private.own_email(),
  by_role text default public.my_role(),
  found jsonb not null,
  kept jsonb not null default '[]',
  constraint privacy_requests_kind check (kind in ('copy', 'erasure')),
  constraint privacy_requests_person check (person ~ '^[0-9a-f]{64}$')
);
comment on table private.privacy_requests is
  'Requests about personal data and what was done, append-only: copy, of a copy that was given, or with nothing found of the answer that there is none; erasure.';
comment on column private.privacy_requests.person is
  'The SHA-256 of the email address (private.person_of): the log finds a person whose address is known, and keeps none that was erased.';
comment on column private.privacy_requests.found is
  'How many entries of each kind there were, as find_person names them. An erasure has erased what is not in kept.';
comment on column private.privacy_requests.kept is 'What was not erased: [{what, item, until (null: until the owner erases it), why}].';
create index privacy_requests_of_person on private.privacy_requests (person, number desc);
alter table private.privacy_requests enable row level security;

create function private.person_of(address text)
returns text
language sql
immutable
set search_path = ''
as $$
  select encode(sha256(convert_to(private.folded(private.trimmed(address)), 'UTF8')), 'hex');
$$;
comment on function private.person_of(text) is 'How the log of requests names the person with an email address.';

create function public.list_privacy_requests(email text, first integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.require_owner();
  select to_jsonb(array(
    select to_jsonb(request) - 'by_id'
      from private.privacy_requests as request
      where list_privacy_requests.email is null or person = private.person_of(list_privacy_requests.email)
      order by number desc
      limit 200 offset list_privacy_requests.first
  ));
$$;
comment on function public.list_privacy_requests(text, integer) is
  'The requests about personal data, of one address or for null of all, newest first, at most 200 after the first ones. Owners only.';
grant execute on function public.list_privacy_requests(text, integer) to authenticated;
