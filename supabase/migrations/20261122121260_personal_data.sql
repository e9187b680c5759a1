-- What is stored about a visitor, by email address: found, exported, and erased as far as nothing requires keeping it.
-- People with an account and those who approved posts are not included: their names belong to what they published.

create table private.erasures (
  kind text not null,
  item uuid primary key,
  email text not null,
  due_at timestamptz not null,
  constraint erasures_kind check (kind in ('testimonial', 'calls'))
);
comment on table private.erasures is
  'What owners asked to erase and what must be kept until due_at: testimonials in the archive, and consents to calls. private.finish_erasures erases them then.';
create index erasures_by_email on private.erasures (email);
alter table private.erasures enable row level security;

create function private.reviews_of(address text)
returns setof uuid
language sql
stable
set search_path = ''
as $$
  select subject_id from public.consents where lower(email) = address and kind = 'publish'
  union
  select testimonial_id from public.testimonial_requests
    where lower(email) = address and testimonial_id is not null
  union
  select item from private.erasures where email = address and kind = 'testimonial';
$$;
comment on function private.reviews_of(text) is
  'The testimonials of an address: those left with it, those asked for with it, and those erased for it that the archive still keeps.';

create function private.kept_until(kind text, item uuid)
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select case kept_until.kind
    -- As private.erase_archived decides.
    when 'testimonial' then (
      select max(left_at) + private.archive_retention()
        from (
          select coalesce(private.archive_until(entry), now()) as left_at
            from public.archive_entries as entry
            where entry.kind = 'testimonial' and entry.item = kept_until.item::text
              and entry.is_public and entry.erased_at is null
        ) as was_public
        where left_at + private.archive_retention() > now()
    )
    -- Records of consent are kept for five years (16 CFR 310.5); claims about calls end after four (28 U.S.C. 1658).
    else (
      select given_at + interval '5 years' from public.consents
        where kind = 'calls' and subject_id = kept_until.item and given_at > now() - interval '5 years'
    )
  end;
$$;
comment on function private.kept_until(text, uuid) is
  'Until when a testimonial or a consent to calls must be kept; null when it need not be kept.';

create function public.find_person(email text)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  address text := lower(btrim(find_person.email, E' \t\r\n'));
begin
  perform private.require_owner();
  return jsonb_build_object('email', address, 'entries', to_jsonb(array(
    select to_jsonb(entry)
      from (
        select 'message' as kind, case when deleted_at is not null then 'deleted' end as state,
            created_at as at, message as text, null::timestamptz as kept_until, false as is_erased,
            to_jsonb(received) - array[
              'search_text', 'status', 'sent_at', 'last_error', 'attempts', 'last_attempt_at',
              'next_attempt_at'
            ] as data
          from public.contact_messages as received where lower(received.email) = address
        union all
        select 'request', case when used_at is not null then 'used' end, created_at, null, null, false,
            to_jsonb(request) - array['token', 'created_by']
          from public.testimonial_requests as request where lower(request.email) = address
        union all
        select 'review',
            case
              when approved_at is not null then 'public'
              when review.id is not null then 'hidden'
              else 'archived'
            end,
            (versions -> -1 -> 'document' ->> 'created_at')::timestamptz,
            versions -> -1 -> 'document' ->> 'content',
            private.kept_until('testimonial', item), item in (select erasures.item from private.erasures),
            versions
          from private.reviews_of(address) as item
          left join public.testimonials as review on review.id = item
          cross join lateral (
            select jsonb_agg(to_jsonb(version) - 'saved_by' order by version.id) as versions
              from public.testimonial_versions as version
              where testimonial_id = item and not document ? 'erased'
          ) as history
        union all
        select kind, null, given_at, wording,
            private.kept_until(replace(kind, 'publish', 'testimonial'), subject_id),
            subject_id in (select item from private.erasures), to_jsonb(consent)
          from public.consents as consent
          where lower(consent.email) = address or subject_id in (select private.reviews_of(address))
      ) as entry
      order by at desc, kind
  )));
end;
$$;
comment on function public.find_person(text) is
  'What is stored about a visitor with this address, in any case, newest first: {email, entries: [{kind (message, request, review, publish, calls), state, at, text, kept_until, is_erased, data}]}. kept_until: it must be kept until then; is_erased: an owner asked to erase it. Owners only.';
revoke execute on function public.find_person(text) from public, anon;
grant execute on function public.find_person(text) to authenticated;

create function private.finish_erasures()
returns void
language plpgsql
set search_path = ''
as $$
declare
  erasure private.erasures;
  kept timestamptz;
begin
  for erasure in
    select * from private.erasures where due_at <= now() order by item for update
  loop
    kept := case erasure.kind
      when 'testimonial' then private.erase_archived('testimonial', erasure.item::text)
      else private.kept_until('calls', erasure.item)
    end;
    if kept is null then
      delete from public.consents where subject_id = erasure.item;
      delete from private.erasures where item = erasure.item;
    else
      update private.erasures set due_at = kept where item = erasure.item;
    end if;
  end loop;
end;
$$;
comment on function private.finish_erasures() is
  'Erases what had to be kept until now. Run by pg_cron, or by the timer of the embedded backend.';

create function public.erase_person(email text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  address text := lower(btrim(erase_person.email, E' \t\r\n'));
begin
  perform private.require_owner();
  insert into private.erasures (kind, item, email, due_at)
    select 'testimonial', id, address, now() from private.reviews_of(address) as id
    union all
    select 'calls', subject_id, address, now()
      from public.consents as consent where lower(consent.email) = address and kind = 'calls'
    on conflict do nothing;
  delete from public.testimonials where id in (select private.reviews_of(address));
  delete from public.testimonial_requests as request where lower(request.email) = address;
  delete from public.contact_messages as received where lower(received.email) = address;
  perform private.finish_erasures();
  return public.find_person(address);
end;
$$;
comment on function public.erase_person(text) is
  'Erases what is stored about a visitor, and returns what must be kept, as find_person does. Safe to repeat. Owners only.';
revoke execute on function public.erase_person(text) from public, anon;
grant execute on function public.erase_person(text) to authenticated;
