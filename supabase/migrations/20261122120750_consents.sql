-- What visitors agreed to, word for word: the publication of their review, and calls and texts.

create table public.consents (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  subject_id uuid not null,
  name text not null,
  email text,
  phone text,
  wording text not null,
  version text not null default '',
  given_at timestamptz not null default now(),
  constraint consents_once unique (kind, subject_id),
  constraint consents_kind check (kind in ('publish', 'calls')),
  constraint consents_name_length check (char_length(name) <= 200),
  constraint consents_email_length check (char_length(email) <= 320),
  constraint consents_phone_length check (char_length(phone) <= 60),
  constraint consents_wording_length check (char_length(btrim(wording)) between 1 and 1000)
);
comment on table public.consents is
  'What visitors agreed to: publish, for a testimonial; calls, for a contact message. Written by triggers and send-email alone. Stays when the testimonial or the message is deleted.';
comment on column public.consents.subject_id is 'The testimonial or the message.';
comment on column public.consents.wording is 'The sentence beside the box that the visitor ticked.';
comment on column public.consents.version is 'The beginning of the SHA-256 of the wording, in hexadecimal.';
create index consents_by_email on public.consents (lower(email));

alter table public.consents enable row level security;
revoke all on public.consents from anon, authenticated, service_role;
grant select on public.consents to authenticated;
grant select, insert on public.consents to service_role;

create policy "Moderators and message handlers read consents" on public.consents
  for select to authenticated
  using (
    case kind
      when 'publish' then (select private.may('moderate testimonials'))
      else (select private.may('handle messages'))
    end
  );

create function private.name_consent_version()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.version := left(encode(sha256(convert_to(new.wording, 'UTF8')), 'hex'), 12);
  return new;
end;
$$;
create trigger consents_name_version
  before insert on public.consents
  for each row execute function private.name_consent_version();
