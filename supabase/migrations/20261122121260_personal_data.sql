-- What is stored about a visitor, by email address: found, exported, and erased as far as nothing requires keeping it.
-- People with an account and those who approved posts are not included: their names belong to what they published.

create table private.erasures (
  item uuid primary key,
  email text,
  request bigint
);
comment on table private.erasures is
  'What owners asked to erase and what must be kept: testimonials, and messages with a consent to calls. private.finish_erasures erases it when its time is over.';
comment on column private.erasures.email is 'Null once nothing that is left names the person.';
comment on column private.erasures.request is 'The number in private.privacy_requests; null for an erasure of 0.9.';
alter table private.erasures enable row level security;

create function private.kept_versions(testimonial uuid)
returns table (version bigint, until timestamptz)
language sql
stable
set search_path = ''
as $$
  select number, archive_end
    from (
      select number, event, lead(at) over (order by number) as left_at
        from public.versions where kind = 'testimonial' and thing = testimonial::text
    ) as stored
    cross join lateral private.archive_end(coalesce(left_at, now()))
    where event = 'published' and archive_end > now();
$$;
comment on function private.kept_versions(uuid) is
  'The versions of a testimonial that were public and must be kept, and until when.';

create function private.erased(document jsonb, request bigint, is_over boolean)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(key, value) filter (where key = any (left_over)), '{}')
      || jsonb_build_object(
        'erased', coalesce(document -> 'erased', to_jsonb(request), 'true'),
        'removed', coalesce(document -> 'removed', '[]')
          || coalesce(
            jsonb_agg(key order by key)
              filter (where key <> all (left_over || array['id', 'erased', 'removed']) and value <> 'null'),
            '[]'
          )
      )
    from jsonb_each(document)
    cross join (
      select array['rating', 'refusal_reason', 'approved_at', 'refused_at']
        || case
          when is_over then '{}'
          else array[
            'content', 'created_at', 'relationship', 'compensation', 'connection', 'is_asked', 'may_be_spam', 'is_sample'
          ]
        end as left_over
    ) as columns;
$$;
comment on function private.erased(jsonb, bigint, boolean) is
  'A version of a testimonial that was not public, or whose years are over: with what was removed by which request. Its text and answers stay without the name for the years of the archive, so that no criticism disappears; then its stars, and when and why it was decided.';

create function private.text_until(testimonial uuid)
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select private.archive_end((private.newest_version('testimonial', testimonial::text)).at);
$$;
comment on function private.text_until(uuid) is
  'Until when the text of a testimonial stays that was not public and whose person was erased: for the years of the archive.';

create function private.reject_change_but_erasure()
returns trigger
language plpgsql
set search_path = ''
as $$
declare
  computed text[] := array['document', 'digest', 'images'];
  erasure private.erasures;
begin
  select * into erasure from private.erasures where item::text = old.thing;
  if to_jsonb(new) - computed <> to_jsonb(old) - computed
    or erasure.item is null
    or old.kind <> 'testimonial'
    or private.is_held()
    or new.document <> private.erased(old.document, erasure.request, private.text_until(erasure.item) <= now())
    or old.number in (select version from private.kept_versions(erasure.item))
  then
    raise exception 'The archive keeps every version, until its person is erased and its years are over.'
      using errcode = '42501';
  end if;
  return null;
end;
$$;
-- After, so that the row is final.
create trigger versions_reject_change_but_erasure
  after update on public.versions
  for each row execute function private.reject_change_but_erasure();

create function private.testimonials_of(address text)
returns setof uuid
language sql
stable
set search_path = ''
as $$
  select subject_id from public.consents where private.folded(email) = address and kind = 'publish'
  union
  select testimonial_id from private.testimonial_addresses where private.folded(email) = address
  union
  select testimonial_id from public.testimonial_requests
    where private.folded(email) = address and testimonial_id is not null
  union
  select item from private.erasures where email = address;
$$;
comment on function private.testimonials_of(text) is
  'The testimonials of an address: those left with it, those asked for with it, and what was erased for it and must still be kept.';

create function private.kept_until(item uuid)
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select max(until)
    from (
      select until from private.kept_versions(item)
      union all
      -- Records of consent are kept for five years (16 CFR 310.5); claims about calls end after four (28 U.S.C. 1658).
      select given_at + interval '5 years' from public.consents where kind = 'calls' and subject_id = item
      union all
      -- Requests not to be called are honored for five years (47 CFR 64.1200(d)(6)).
      select received_at + interval '5 years'
        from public.consents join public.consent_withdrawals using (id)
        where kind = 'calls' and subject_id = item
    ) as kept
    where until > now();
$$;
comment on function private.kept_until(uuid) is
  'Until when a testimonial, or the consent to calls of a message, must be kept; null when it need not be kept.';

create function public.find_person(email text)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  address text := private.folded(private.trimmed(find_person.email));
begin
  perform private.require_owner();
  return jsonb_build_object('email', address, 'entries', to_jsonb(array(
    select to_jsonb(entry) || jsonb_build_object(
        'record', case kind when 'message' then private.record_reason(text, data ->> 'call_consent') end
      )
      from (
        select 'message' as kind,
            case when deleted_at is not null then 'deleted' when spam_at is not null then 'spam' end as state,
            created_at as at, message as text, null::timestamptz as kept_until, false as is_erased,
            to_jsonb(received) - array[
              'search_text', 'status', 'sent_at', 'last_error', 'next_attempt_at', 'note', 'noted_at'
            ] as data
          from public.contact_messages as received where private.folded(received.email) = address
        union all
        select 'request', case when used_at is not null then 'used' end, created_at, null, null, false,
            to_jsonb(request) - array['token', 'created_by']
          from public.testimonial_requests as request
          where private.folded(request.email) = address
            or testimonial_id in (select private.testimonials_of(address))
        union all
        select 'testimonial',
            case
              when approved_at is not null then 'public'
              when testimonial.id is not null then 'hidden'
              else 'archived'
            end,
            (versions -> -1 -> 'document' ->> 'created_at')::timestamptz,
            versions -> -1 -> 'document' ->> 'content',
            private.kept_until(item), item in (select erasures.item from private.erasures), versions
          from private.testimonials_of(address) as item
          left join public.testimonials as testimonial on testimonial.id = item
          cross join lateral (
            select jsonb_agg(
                to_jsonb(version) - array[
                  'by_id', 'by_name', 'by_email', 'by_role', 'link_by_name', 'link_by_email', 'digest', 'images', 'draft'
                ]
                order by number
              ) as versions
              from public.versions as version
              where kind = 'testimonial' and thing = item::text and not document ? 'erased'
          ) as history
          where versions is not null
        union all
        select kind, null, given_at, wording,
            private.kept_until(subject_id), subject_id in (select item from private.erasures),
            to_jsonb(consent)
          from public.consents as consent
          where private.folded(consent.email) = address or subject_id in (select private.testimonials_of(address))
        union all
        select 'withdrawal', kind, received_at, null,
            private.kept_until(subject_id), subject_id in (select item from private.erasures),
            to_jsonb(withdrawal) - array['recorded_by', 'by_name', 'by_email', 'note']
          from public.consents as consent
          join public.consent_withdrawals as withdrawal using (id)
          where private.folded(consent.email) = address or subject_id in (select private.testimonials_of(address))
      ) as entry
      order by at desc, kind
  )));
end;
$$;
comment on function public.find_person(text) is
  'What is stored about a visitor with this address, in any case and Unicode form, newest first: {email, entries: [{kind (message, request, testimonial, publish, calls, withdrawal), state, at, text, kept_until, is_erased, data, record}]}. kept_until: it must be kept until then; is_erased: an owner asked to erase it; record: why the firm may have to keep the message. Without what people who manage the site noted, because the person gets a copy. Owners only.';
grant execute on function public.find_person(text) to authenticated;

create function private.finish_erasures()
returns void
language plpgsql
set search_path = ''
as $$
begin
  if private.is_held() then
    return;
  end if;
  update public.versions
    set document = private.erased(document, request, is_over)
    from (
      select *, private.text_until(item) <= now() as is_over from private.erasures
    ) as erasure
    where kind = 'testimonial' and thing = item::text
      and case when is_over then document ? 'content' else not document ? 'erased' end
      and number not in (select version from private.kept_versions(item));
  delete from public.consents
    where subject_id in (select item from private.erasures where private.kept_until(item) is null);
  -- What changed since the statements above is erased by the next run.
  update private.erasures set email = null
    where email is not null and private.kept_until(item) is null
      and not exists (select from public.consents where subject_id = item);
  delete from private.erasures
    where email is null
      and not exists (
        select from public.versions where kind = 'testimonial' and thing = item::text and document ? 'content'
      );
  -- A used link is kept: find_person finds the review by the email address in it.
  delete from public.testimonial_requests
    where used_at is null and expires_at < now() - interval '30 days';
end;
$$;
comment on function private.finish_erasures() is
  'Erases what had to be kept until now, and links for a review that nobody used, 30 days after they expired; nothing during a hold. Run by pg_cron, or by the timer of the embedded backend.';

create function private.add_privacy_request(
  kind text, address text, received_on date, entries jsonb, number bigint, kept jsonb
)
returns void
language plpgsql
set search_path = ''
as $$
#variable_conflict use_variable
begin
  -- The form knows days, and the day may have begun elsewhere.
  if received_on > current_date + 1 then
    raise exception 'The request cannot have been received in the future.' using errcode = 'PT422';
  end if;
  insert into private.privacy_requests (number, kind, person, received_on, found, kept)
    overriding system value
    values (
      number, kind, private.person_of(address), received_on,
      (
        select coalesce(jsonb_object_agg(what, count), '{}')
          from (
            select entry ->> 'kind' as what, count(*) as count
              from jsonb_array_elements(entries) as entry
              where not (entry ->> 'is_erased')::boolean
              group by 1
          ) as counted
      ),
      kept
    );
end;
$$;

create function public.record_copy(email text, received_on date)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  address text := private.folded(private.trimmed(record_copy.email));
begin
  perform private.require_owner();
  perform private.add_privacy_request(
    'copy', address, record_copy.received_on, public.find_person(address) -> 'entries',
    nextval(pg_get_serial_sequence('private.privacy_requests', 'number')), '[]'
  );
end;
$$;
comment on function public.record_copy(text, date) is
  'Records that a person got a copy of what is stored, and when the request for it was received. Owners only.';
grant execute on function public.record_copy(text, date) to authenticated;

create function public.erase_person(email text, received_on date, keep text[])
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  address text := private.folded(private.trimmed(erase_person.email));
  entries jsonb := public.find_person(address) -> 'entries';
  request_number bigint;
begin
  perform private.require_owner();
  keep := coalesce(keep, '{}');
  if private.is_held() then
    raise exception 'A hold is on (Settings, Site), so nothing is erased. Erase this person when it has ended.'
      using errcode = 'PT409';
  end if;
  -- The response to the same call was lost.
  if not jsonb_path_exists(entries, '$[*] ? (@.is_erased == false)') then
    return public.find_person(address);
  end if;
  request_number := nextval(pg_get_serial_sequence('private.privacy_requests', 'number'));
  insert into private.erasures (item, email, request)
    select id, address, request_number from private.testimonials_of(address) as id
    union
    select subject_id, address, request_number
      from public.consents as consent
      where private.folded(consent.email) = address and kind = 'calls' and subject_id::text <> all (keep)
    on conflict do nothing;
  perform public.delete_testimonial(id, 'withdrawn')
    from private.testimonials_of(address) as id;
  delete from private.testimonial_addresses where testimonial_id in (select private.testimonials_of(address));
  delete from public.testimonial_requests as link
    where private.folded(link.email) = address or testimonial_id in (select private.testimonials_of(address));
  delete from public.mails
    where (
        private.folded(recipient) = address and kind in ('confirmation', 'testimonial_answer')
        or subject_id in (select private.testimonials_of(address))
        or subject_id in (
          select received.id from public.contact_messages as received where private.folded(received.email) = address
        )
      )
      and (subject_id::text = any (keep)) is not true;
  delete from public.contact_messages as received
    where private.folded(received.email) = address and received.id::text <> all (keep);
  perform private.finish_erasures();
  perform private.add_privacy_request(
    'erasure', address, erase_person.received_on, entries, request_number,
    to_jsonb(array(
      select jsonb_build_object('what', what, 'item', item, 'until', until, 'why', why)
        from (
          select item, 'testimonial' as what, max(until) as until,
              'It was public: the archive of advertising keeps it.' as why
            from private.erasures cross join lateral private.kept_versions(item)
            where erasures.request = request_number
            group by item
          union all
          select item, 'text and stars of a testimonial', private.text_until(item),
              'Without the name: what came in is kept whether it praises or not.'
            from private.erasures
            where erasures.request = request_number and exists (
              select from public.versions
                where kind = 'testimonial' and thing = item::text and document ?& array['erased', 'content']
            )
          union all
          select item, 'consent to calls and texts', private.kept_until(item),
              'It proves whether calls and texts were allowed.'
            from private.erasures join public.consents as consent on subject_id = item and consent.kind = 'calls'
            where erasures.request = request_number
          union all
          select id, 'message', null, 'The owner keeps it as a record of the business.'
            from public.contact_messages as received where private.folded(received.email) = address
          union all
          select subject_id, 'consent to calls and texts', null, 'It belongs to a message that is kept.'
            from public.consents as consent
            where private.folded(consent.email) = address and kind = 'calls' and subject_id::text = any (keep)
        ) as stays
        order by what, item
    ))
  );
  return public.find_person(address);
end;
$$;
comment on function public.erase_person(text, date, text[]) is
  'Erases what is stored about a visitor but the messages with these ids, which the owner keeps as records, and adds to the log of requests when it was received, what there was, and what is kept and why. Returns what is kept, as find_person does. Safe to repeat, which is another request while the owner keeps something. Fails during a hold. Owners only.';
grant execute on function public.erase_person(text, date, text[]) to authenticated;
