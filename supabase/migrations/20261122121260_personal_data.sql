-- What is stored about a visitor, by email address: found, exported, and erased as far as nothing requires keeping it.
-- People with an account and those who approved posts are not included: their names belong to what they published.

create table private.erasures (
  item uuid primary key,
  email text not null
);
comment on table private.erasures is
  'What owners asked to erase and what must be kept: testimonials, and messages with a consent to calls. private.finish_erasures erases it when its time is over.';
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

create function private.erased(document jsonb)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select jsonb_build_object(
    'erased', true, 'rating', document -> 'rating', 'refusal_reason', document -> 'refusal_reason',
    'approved_at', document -> 'approved_at', 'refused_at', document -> 'refused_at'
  );
$$;
comment on function private.erased(jsonb) is
  'A version of a testimonial without what it said. The overview of decisions needs its stars, and when and why it was decided.';

create function private.reject_change_but_erasure()
returns trigger
language plpgsql
set search_path = ''
as $$
declare
  computed text[] := array['document', 'digest', 'images'];
begin
  if to_jsonb(new) - computed <> to_jsonb(old) - computed
    or new.document <> private.erased(old.document)
    or old.kind <> 'testimonial'
    or not exists (select from private.erasures where item::text = old.thing)
    or old.number in (select version from private.kept_versions(old.thing::uuid))
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
    select to_jsonb(entry)
      from (
        select 'message' as kind,
            case when deleted_at is not null then 'deleted' when spam_at is not null then 'spam' end as state,
            created_at as at, message as text, null::timestamptz as kept_until, false as is_erased,
            to_jsonb(received) - array[
              'search_text', 'status', 'sent_at', 'last_error', 'next_attempt_at'
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
                to_jsonb(version) - array['by_id', 'by_name', 'by_email', 'digest', 'images', 'draft'] order by number
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
        select 'withdrawal', kind, received_at, note,
            private.kept_until(subject_id), subject_id in (select item from private.erasures),
            to_jsonb(withdrawal) - array['recorded_by', 'by_name', 'by_email']
          from public.consents as consent
          join public.consent_withdrawals as withdrawal using (id)
          where private.folded(consent.email) = address or subject_id in (select private.testimonials_of(address))
      ) as entry
      order by at desc, kind
  )));
end;
$$;
comment on function public.find_person(text) is
  'What is stored about a visitor with this address, in any case and Unicode form, newest first: {email, entries: [{kind (message, request, testimonial, publish, calls, withdrawal), state, at, text, kept_until, is_erased, data}]}. kept_until: it must be kept until then; is_erased: an owner asked to erase it. Owners only.';
grant execute on function public.find_person(text) to authenticated;

create function private.finish_erasures()
returns void
language sql
set search_path = ''
as $$
  update public.versions
    set document = private.erased(document)
    where kind = 'testimonial' and thing in (select item::text from private.erasures) and not document ? 'erased'
      and number not in (select version from private.kept_versions(thing::uuid));
  delete from public.consents
    where subject_id in (select item from private.erasures where private.kept_until(item) is null);
  -- What changed since the statements above is erased by the next run.
  delete from private.erasures
    where private.kept_until(item) is null
      and not exists (select from public.consents where subject_id = item)
      and not exists (
        select from public.versions
          where kind = 'testimonial' and thing = item::text and not document ? 'erased'
      );
  -- A used link is kept: find_person finds the review by the email address in it.
  delete from public.testimonial_requests
    where used_at is null and expires_at < now() - interval '30 days';
$$;
comment on function private.finish_erasures() is
  'Erases what had to be kept until now, and links for a review that nobody used, 30 days after they expired. Run by pg_cron, or by the timer of the embedded backend.';

create function public.erase_person(email text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  address text := private.folded(private.trimmed(erase_person.email));
begin
  perform private.require_owner();
  insert into private.erasures (item, email)
    select id, address from private.testimonials_of(address) as id
    union
    select subject_id, address
      from public.consents as consent where private.folded(consent.email) = address and kind = 'calls'
    on conflict do nothing;
  perform public.delete_testimonial(id, 'withdrawn')
    from private.testimonials_of(address) as id;
  delete from private.testimonial_addresses where testimonial_id in (select private.testimonials_of(address));
  delete from public.testimonial_requests as request
    where private.folded(request.email) = address or testimonial_id in (select private.testimonials_of(address));
  delete from public.mails
    where private.folded(recipient) = address and kind in ('confirmation', 'testimonial_answer')
      or subject_id in (select private.testimonials_of(address))
      or subject_id in (
        select received.id from public.contact_messages as received where private.folded(received.email) = address
      );
  delete from public.contact_messages as received where private.folded(received.email) = address;
  perform private.finish_erasures();
  return public.find_person(address);
end;
$$;
comment on function public.erase_person(text) is
  'Erases what is stored about a visitor, and returns what must be kept, as find_person does. Safe to repeat. Owners only.';
grant execute on function public.erase_person(text) to authenticated;
