-- What visitors agreed to, word for word: the publication of their review, and calls and texts. And what they withdrew.

create table public.consents (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  subject_id uuid not null,
  name text not null,
  email text,
  phone text,
  wording text not null,
  version text not null default '',
  settings_version bigint,
  given_at timestamptz not null default now(),
  constraint consents_once unique (kind, subject_id),
  constraint consents_kind check (kind in ('publish', 'calls')),
  constraint consents_name_length check (char_length(name) <= 200),
  constraint consents_email_length check (char_length(email) <= 320),
  constraint consents_phone_length check (char_length(phone) <= 60),
  constraint consents_wording_length check (char_length(private.trimmed(wording)) between 1 and 1000)
);
comment on table public.consents is
  'What visitors agreed to: publish, for a testimonial; calls, for a contact message. Written by triggers alone. Stays when the testimonial or the message is deleted.';
comment on column public.consents.subject_id is 'The testimonial or the message.';
comment on column public.consents.wording is
  'The sentence beside the box that the visitor ticked, as private.look_up_wording found it in the settings.';
comment on column public.consents.version is 'The beginning of the SHA-256 of the wording, in hexadecimal.';
comment on column public.consents.settings_version is
  'The number of the version that published the wording; null when it is the text of the release.';
create index consents_by_email on public.consents (private.folded(email));
create index consents_newest_first on public.consents (given_at desc, id);

create function private.comparable_number(phone text)
returns text
language sql
immutable
set search_path = ''
as $$
  select nullif(
    regexp_replace(
      regexp_replace(
        regexp_replace(normalize(phone, nfkc), '(x|ext\.?|extension|#)\s*[0-9]+\s*$', '', 'i'),
        '[^0-9]', '', 'g'
      ),
      -- The prefix of calls to other countries, and the code of the United States and Canada.
      '^(00|011)?(1(?=[0-9]{10}$))?', ''
    ),
    ''
  );
$$;
comment on function private.comparable_number(text) is
  'The digits of a phone number without an extension, and without +1; null without digits.';
-- send-email inserts messages, whose trigger computes the indexes.
grant execute on function private.comparable_number(text) to service_role;

create index consents_by_number on public.consents (private.comparable_number(phone));

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

create function private.words_of(wording text)
returns text
language sql
immutable
set search_path = ''
as $$
  -- The spaces are those of JavaScript (private.schema_problem).
  select private.trimmed(
    regexp_replace(
      wording, '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g'
    )
  );
$$;
comment on function private.words_of(text) is 'A text without differences in space: forms trim it and change its line breaks.';

create function private.look_up_wording()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  shown record;
begin
  select text, version into shown
    from private.shown_texts(
      case new.kind when 'publish' then 'testimonials' else 'disclosures' end,
      case new.kind when 'publish' then 'consent' else 'callConsent' end
    )
    where private.words_of(text) = private.words_of(new.wording)
    order by version desc nulls last
    limit 1;
  if not found then
    raise exception 'The page has changed. Please reload it.'
      using errcode = 'PT409';
  end if;
  new.wording := shown.text;
  new.settings_version := shown.version;
  new.version := left(encode(sha256(convert_to(new.wording, 'UTF8')), 'hex'), 12);
  return new;
end;
$$;
comment on function private.look_up_wording() is
  'Replaces the sentence that a request says was agreed to by the published one, and rejects every other sentence.';
create trigger consents_look_up_wording
  before insert on public.consents
  for each row execute function private.look_up_wording();

create table public.consent_withdrawals (
  id uuid primary key references public.consents (id) on delete cascade,
  received_at timestamptz not null,
  channel text not null,
  note text,
  recorded_at timestamptz not null default now(),
  recorded_by uuid default auth.uid(),
  by_name text not null default private.own_name(),
  by_email text default private.own_email(),
  constraint consent_withdrawals_channel check (
    channel in ('phone', 'text', 'email', 'letter', 'person', 'other')
  ),
  constraint consent_withdrawals_note_length check (char_length(note) <= 500)
);
comment on table public.consent_withdrawals is
  'Consents that were withdrawn, at most one row for each, append-only. Written by withdraw_consent alone, and kept as long as the consent.';
comment on column public.consent_withdrawals.id is 'The consent.';
comment on column public.consent_withdrawals.received_at is 'When the firm received the withdrawal.';
comment on column public.consent_withdrawals.channel is 'How the firm received it.';
comment on column public.consent_withdrawals.by_name is 'As in versions.';

alter table public.consent_withdrawals enable row level security;
revoke all on public.consent_withdrawals from anon, authenticated, service_role;
grant select on public.consent_withdrawals to authenticated;
grant select, insert on public.consent_withdrawals to service_role;

create policy "Who reads a consent reads its withdrawal" on public.consent_withdrawals
  for select to authenticated
  using (exists (select from public.consents as withdrawn where withdrawn.id = consent_withdrawals.id));

create function public.withdraw_consent(
  consent uuid, received_at timestamptz, channel text, note text
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  named public.consents;
begin
  select * into named from public.consents where id = withdraw_consent.consent;
  if named.id is null
    or not private.may((case named.kind when 'publish' then 'moderate testimonials' else 'handle messages' end)::private.task)
  then
    raise exception 'The consent was not found, or this account may not record its withdrawal.'
      using errcode = '42501';
  end if;
  -- The form knows minutes, and the clocks of browsers differ.
  if (
    withdraw_consent.received_at
      between date_trunc('minute', named.given_at) and now() + interval '5 minutes'
  ) is not true then
    raise exception 'A withdrawal is received after the consent was given, and not in the future.'
      using errcode = '23514';
  end if;
  insert into public.consent_withdrawals (id, received_at, channel, note)
    select given.id,
        greatest(given.given_at, least(now(), withdraw_consent.received_at)),
        withdraw_consent.channel,
        nullif(private.trimmed(withdraw_consent.note), '')
      from public.consents as given
      where given.id = named.id
        or (
          -- The same person withdraws the consent to calls for all messages with this address or number.
          named.kind = 'calls' and given.kind = 'calls'
          and date_trunc('minute', given.given_at) <= withdraw_consent.received_at
          and (
            private.folded(given.email) = private.folded(named.email)
            or private.comparable_number(given.phone) = private.comparable_number(named.phone)
          )
        )
    on conflict do nothing;
  return (
    select to_jsonb(withdrawal) || jsonb_build_object('phone', named.phone)
      from public.consent_withdrawals as withdrawal where id = named.id
  );
end;
$$;
comment on function public.withdraw_consent(uuid, timestamptz, text, text) is
  'Records that a consent was withdrawn; of calls, with the earlier ones of the same number or address. Returns its withdrawal, which stays as it is when the consent was withdrawn before. For those who read the consent.';
grant execute on function public.withdraw_consent(uuid, timestamptz, text, text) to authenticated;

create function private.call_consent_of(email text, phone text)
returns jsonb
language sql
stable
set search_path = ''
as $$
  with given as materialized (
    select consent.id, consent.given_at, consent.phone, withdrawal.received_at,
        to_jsonb(withdrawal) as withdrawal
      from public.consents as consent
      left join public.consent_withdrawals as withdrawal using (id)
      where consent.kind = 'calls'
        and (
          private.folded(consent.email) = private.folded(call_consent_of.email)
          or private.comparable_number(consent.phone) = private.comparable_number(call_consent_of.phone)
        )
  )
  select jsonb_build_object(
    'consent', (
      select jsonb_build_object('id', id, 'given_at', given_at) from given
        where withdrawal is null order by given_at desc limit 1
    ),
    'withdrawal', (
      select withdrawal || jsonb_build_object('phone', phone) from given
        where withdrawal is not null order by received_at desc limit 1
    )
  );
$$;
comment on function private.call_consent_of(text, text) is
  'Of the consents to calls of a number or an address: {consent: the newest that was not withdrawn, withdrawal: the newest withdrawal}, each or null.';

create function public.list_consents(filter text, subjects text[], first integer, count integer)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  kinds text[] := array[
    case when private.may('moderate testimonials') then 'publish' end,
    case when private.may('handle messages') then 'calls' end
  ];
begin
  return (
    with matching as materialized (
      select given.id, given.given_at,
          array['all', given.kind, case when withdrawal.id is not null then 'withdrawn' end] as filters
        from public.consents as given
        left join public.consent_withdrawals as withdrawal using (id)
        where given.kind = any (kinds)
          and (list_consents.subjects is null or given.subject_id = any (list_consents.subjects::uuid[]))
    ),
    page as (
      select id from matching
        where list_consents.filter = any (filters)
        order by given_at desc, id
        limit least(greatest(list_consents.count, 0), 200)
        offset greatest(list_consents.first, 0)
    )
    select jsonb_build_object(
      'counts', (
        select coalesce(jsonb_object_agg(each.name, each.consents), '{}')
          from (
            select name, count(*) as consents from matching, unnest(filters) as name
              where name is not null
              group by name
          ) as each
      ),
      'rows', (
        select coalesce(
            jsonb_agg(
              to_jsonb(given) || jsonb_build_object(
                'withdrawal', to_jsonb(own), 'other_withdrawal', other,
                'is_public', exists (
                  select from public.testimonials as testimonial
                    where testimonial.id = given.subject_id and testimonial.approved_at is not null
                )
              )
              order by given.given_at desc, given.id
            ),
            '[]'
          )
          from page
          join public.consents as given using (id)
          left join public.consent_withdrawals as own using (id)
          left join lateral (
            select to_jsonb(withdrawal) as other
              from public.consents as another
              join public.consent_withdrawals as withdrawal using (id)
              where another.id <> given.id and another.kind = given.kind
                and (
                  private.folded(another.email) = private.folded(given.email)
                  or private.comparable_number(another.phone) = private.comparable_number(given.phone)
                )
              order by withdrawal.received_at desc
              limit 1
          ) as others on true
      )
    )
  );
end;
$$;
comment on function public.list_consents(text, text[], integer, integer) is
  'Consents, newest first, at most 200, each with its withdrawal or null, the newest other_withdrawal of the same number or address, and is_public: whether its review is on the site. subjects: only those of these testimonials and messages; null for all. filter: all, publish, calls or withdrawn. Also the number in each filter. Only those that the policy of consents allows.';
grant execute on function public.list_consents(text, text[], integer, integer) to authenticated;
