-- The archive: what visitors could read, from when until when, and by whom. The version tables hold the documents;
-- archive_entries chains them by hashes. docs/operations.md has the formula.

create function private.reject_change()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and current_setting('archive.erasing', true) = 'on' then
    return null;
  end if;
  raise exception 'The archive keeps every version: % accepts no %.', tg_table_name, lower(tg_op)
    using errcode = '42501';
end;
$$;
comment on function private.reject_change() is
  'Rejects update, delete and truncate for every role. Only private.erase_archived updates.';

create table public.archive_entries (
  number bigint primary key,
  kind text not null,
  item text not null,
  version bigint not null,
  event text not null,
  is_public boolean not null,
  at timestamptz not null,
  by_name text not null,
  digest text not null,
  hash text not null,
  erased_at timestamptz,
  constraint archive_entries_once unique (kind, version),
  constraint archive_entries_kind check (kind in ('post', 'settings', 'testimonial', 'approval'))
);
comment on table public.archive_entries is
  'One row per version that matters, numbered without gaps, append-only, written by triggers alone. Each hash covers the hash before.';
comment on column public.archive_entries.is_public is 'Whether visitors can read the version, until the next entry of the same item.';
comment on column public.archive_entries.at is 'When the version was stored, never before the previous entry: the clock may jump back.';
comment on column public.archive_entries.digest is 'SHA-256 of the document, in hexadecimal. Stays when the document is erased.';
comment on column public.archive_entries.erased_at is 'When the document was erased. The hash does not cover it.';
create index archive_entries_by_item on public.archive_entries (kind, item, number desc) include (at, is_public);
create index archive_entries_by_time on public.archive_entries (at, number);

alter table public.archive_entries enable row level security;
revoke all on public.archive_entries from anon, authenticated, service_role;
grant select on public.archive_entries to authenticated, service_role;

create policy "Owners read the archive" on public.archive_entries
  for select to authenticated using ((select private.may('manage the site')));

create trigger archive_entries_reject_change
  before update or delete or truncate on public.archive_entries
  for each statement execute function private.reject_change();

-- What the archive keeps of each version table, in one shape.
create view private.archived_versions as
  select 'post' as kind, post_id::text as item, id as version, event, document, saved_at, saved_by,
      null as signer, event = 'published' as is_public
    from public.post_versions
    -- A discarded draft that was never published has a state.
    where event = 'published' or (event = 'deleted' and not document ? 'state')
  union all
  select 'settings', section, id, 'published', document, published_at, published_by,
      null, section <> 'mail'
    from public.site_settings_versions
  union all
  select 'testimonial', testimonial_id::text, id, event, document, saved_at, saved_by,
      null, event <> 'deleted' and document ->> 'approved_at' is not null
    from public.testimonial_versions
  union all
  select 'approval', post_id::text, id, event, document, saved_at, saved_by, name, false
    from public.post_approvals;

create function private.archived_version(wanted_kind text, wanted_version bigint)
returns setof private.archived_versions
language sql
stable
rows 1
-- Keeps a plan from reading the whole view for a few rows.
set search_path = ''
as $$
  select * from private.archived_versions where kind = wanted_kind and version = wanted_version;
$$;

create function private.sha256_of(words text)
returns text
language sql
immutable
set search_path = ''
as $$
  select encode(sha256(convert_to(words, 'UTF8')), 'hex');
$$;

create function private.archive_hash(previous text, entry public.archive_entries)
returns text
language sql
stable
set search_path = ''
as $$
  select private.sha256_of(
    jsonb_build_array(
      previous, entry.number, entry.kind, entry.item, entry.version, entry.event, entry.is_public,
      to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), entry.by_name, entry.digest
    )::text
  );
$$;

create function private.archive_version(new_kind text, new_version bigint)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  stored private.archived_versions;
  last public.archive_entries;
  entry public.archive_entries;
begin
  select * into stored from private.archived_version(new_kind, new_version);
  if not found then
    return;
  end if;
  -- One at a time, so that the numbers have no gaps and each hash covers the one before.
  perform pg_advisory_xact_lock(hashtext('archive_entries'));
  select * into last from public.archive_entries order by number desc limit 1;
  entry := (
    coalesce(last.number, 0) + 1, stored.kind, stored.item, stored.version, stored.event, stored.is_public,
    greatest(stored.saved_at, last.at),
    coalesce(
      stored.signer,
      (select name from private.people where user_id = stored.saved_by),
      (select email from auth.users where id = stored.saved_by),
      ''
    ),
    private.sha256_of(stored.document::text), '', null
  );
  entry.hash := private.archive_hash(coalesce(last.hash, ''), entry);
  insert into public.archive_entries values (entry.*);
end;
$$;
comment on function private.archive_version(text, bigint) is
  'Adds the entry of a version, if it is one that the archive keeps.';

create function private.archive_new_version()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.archive_version(tg_argv[0], new.id);
  return null;
end;
$$;

create function private.archive_missing_versions()
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.testimonial_versions (testimonial_id, event, document, saved_at, saved_by)
    select stored.id, case when approved_at is null then 'received' else 'approved' end,
        to_jsonb(stored) - array['consent', 'email', 'request'],
        coalesce(approved_at, created_at), null
      from public.testimonials as stored
      where not exists (
        select from public.testimonial_versions as version where version.testimonial_id = stored.id
      );
  perform private.archive_version(kind, version)
    from (
      select kind, version from private.archived_versions as stored
        where not exists (
          select from public.archive_entries as entry
            where entry.kind = stored.kind and entry.version = stored.version
        )
        order by saved_at, kind, version
    ) as missing;
end;
$$;
comment on function private.archive_missing_versions() is
  'Adds what a database from before the archive lacks: versions of its testimonials, and the entries of all versions, in the order in which they were saved.';
select private.archive_missing_versions();

-- At the end of the transaction: whoever waits for the lock of the archive then has no other locks to take, so that two
-- writers cannot deadlock.
create constraint trigger post_versions_archive after insert on public.post_versions
  deferrable initially deferred for each row execute function private.archive_new_version('post');
create constraint trigger site_settings_versions_archive after insert on public.site_settings_versions
  deferrable initially deferred for each row execute function private.archive_new_version('settings');
create constraint trigger testimonial_versions_archive after insert on public.testimonial_versions
  deferrable initially deferred for each row execute function private.archive_new_version('testimonial');
create constraint trigger post_approvals_archive after insert on public.post_approvals
  deferrable initially deferred for each row execute function private.archive_new_version('approval');

create trigger post_versions_reject_change before update or delete or truncate on public.post_versions
  for each statement execute function private.reject_change();
create trigger site_settings_versions_reject_change before update or delete or truncate on public.site_settings_versions
  for each statement execute function private.reject_change();
create trigger testimonial_versions_reject_change before update or delete or truncate on public.testimonial_versions
  for each statement execute function private.reject_change();
create trigger post_approvals_reject_change before update or delete or truncate on public.post_approvals
  for each statement execute function private.reject_change();

create function private.archive_until(entry public.archive_entries)
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select later.at from public.archive_entries as later
    where later.kind = entry.kind and later.item = entry.item and later.number > entry.number
    order by later.number
    limit 1;
$$;
comment on function private.archive_until(public.archive_entries) is
  'When the next entry of the same item replaced this one; null when none has.';

-- Retention

create function private.archive_end(
  left_at timestamptz,
  years integer default coalesce((private.setting('site', 'archiveYears') #>> '{}')::integer, 5)
)
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select date_trunc('year', left_at, 'UTC') + make_interval(years => years + 1);
$$;
comment on function private.archive_end(timestamptz, integer) is
  'Until when the archive keeps what left the site at this time: the years of the setting after the end of the calendar year.';

create function private.kept_versions(testimonial uuid)
returns table (version bigint, until timestamptz)
language sql
stable
set search_path = ''
as $$
  select version, until
    from public.archive_entries as entry
    cross join lateral private.archive_end(coalesce(private.archive_until(entry), now())) as until
    where kind = 'testimonial' and item = testimonial::text
      and is_public and erased_at is null and until > now();
$$;
comment on function private.kept_versions(uuid) is
  'The versions of a testimonial that were public and must be kept, and until when.';

create function private.erase_archived(testimonial uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  kept bigint[] := array(select version from private.kept_versions(testimonial));
begin
  perform set_config('archive.erasing', 'on', true);
  -- The overview of decisions needs the rest.
  update public.testimonial_versions
    set document = jsonb_build_object(
      'erased', true, 'rating', document -> 'rating', 'refusal_reason', document -> 'refusal_reason'
    )
    where testimonial_id = testimonial and id <> all (kept) and not document ? 'erased';
  update public.archive_entries
    set erased_at = now()
    where kind = 'testimonial' and item = testimonial::text and version <> all (kept) and erased_at is null;
  perform set_config('archive.erasing', '', true);
end;
$$;
comment on function private.erase_archived(uuid) is
  'Erases what a testimonial said, except in versions that must be kept. Stars and reason of a refusal stay, and digests and hashes.';

-- What owners read

create function private.archive_words(document jsonb)
returns tsvector
language sql
immutable
set search_path = ''
-- Higher than the default, so that a plan does not compute it for rows that the index already found.
cost 1000
as $$
  select to_tsvector(
    'simple',
    private.search_form(
      -- A tsvector has at most 1 MB. This many characters fit, whatever they are.
      left(
        (
          select string_agg(piece #>> '{}', E'\n')
            from jsonb_path_query(document, 'strict $.** ? (@.type() == "string")') as piece
        ),
        200000
      )
    )
  );
$$;
create index post_versions_words on public.post_versions
  using gin (private.archive_words(document)) where event = 'published';
create index site_settings_versions_words on public.site_settings_versions
  using gin (private.archive_words(document));
create index testimonial_versions_words on public.testimonial_versions
  using gin (private.archive_words(document)) where event <> 'deleted';

create function private.archive_row(entry public.archive_entries)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select jsonb_build_object(
    'number', entry.number, 'kind', entry.kind, 'item', entry.item, 'event', entry.event,
    'is_public', entry.is_public, 'since', entry.at, 'until', private.archive_until(entry),
    'by', entry.by_name, 'digest', entry.digest, 'hash', entry.hash,
    'title', case entry.kind
      when 'settings' then entry.item
      else coalesce(document ->> 'title', document ->> 'name')
    end,
    'document', document
  )
    from private.archived_version(entry.kind, entry.version);
$$;

create function private.archive_page(found bigint[], first integer, count integer, omitted text[])
returns jsonb
language sql
stable
set search_path = ''
as $$
  select jsonb_build_object(
      'total', cardinality(found),
      'rows', coalesce(jsonb_agg(private.archive_row(entry) #- omitted order by number desc), '[]')
    )
    from (
      select number from unnest(found) as number
        order by number desc
        limit least(greatest(archive_page.count, 0), 100)
        offset greatest(archive_page.first, 0)
    ) as page
    join public.archive_entries as entry using (number);
$$;
comment on function private.archive_page(bigint[], integer, integer, text[]) is
  'At most 100 of these entries, newest first, without what omitted names: {total, rows}.';

create function public.archive_summary()
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.require_owner();
  select jsonb_build_object(
      'entries', count(*), 'first_at', min(at), 'last_at', max(at), 'last_number', max(number),
      'last_hash', (select hash from public.archive_entries order by number desc limit 1)
    )
    from public.archive_entries;
$$;
comment on function public.archive_summary() is
  'The number of entries, the times of the first and the last one, and the number and hash of the last one. Owners only.';

create function public.archive_at(
  moment timestamptz, wanted_kind text, wanted_item text, first integer, count integer
)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.require_owner();
  select private.archive_page(
    array(
      select number
        from (
          select distinct on (item) number, is_public
            from public.archive_entries
            where kind = wanted_kind and item = coalesce(wanted_item, item) and at <= moment
            order by item, number desc
        ) as newest
        where is_public
    ),
    archive_at.first, archive_at.count,
    case when wanted_kind = 'post' and wanted_item is null then array['document', 'content'] else '{}' end
  );
$$;
comment on function public.archive_at(timestamptz, text, text, integer, integer) is
  'What visitors could read at a moment, newest first, at most 100 rows: {total, rows} as in archive_period. Posts have their content only when wanted_item names one. Settings are complete, also with what pages did not show. Owners only.';

create function public.search_archive(query text, first integer, count integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.require_owner();
  with words as materialized (
    -- Each word may be the beginning of one. The indexes do not know the order of words.
    select replace(
        to_tsquery('simple', string_agg(format('''%s'':*', word), ' & '))::text, '<->', '&'
      )::tsquery as all_of
      from regexp_split_to_table(private.search_form(left(query, 200)), '[\s''\\]+') as word
      where word <> ''
  ),
  matching as (
    select 'post' as kind, id as version from words, public.post_versions
      where event = 'published' and private.archive_words(document) @@ all_of
    union all
    select 'settings', id from words, public.site_settings_versions
      where private.archive_words(document) @@ all_of
    union all
    select 'testimonial', id from words, public.testimonial_versions
      where event <> 'deleted' and private.archive_words(document) @@ all_of
  )
  select private.archive_page(
    array(select number from matching join public.archive_entries using (kind, version) where is_public),
    search_archive.first, search_archive.count, array['document']
  );
$$;
comment on function public.search_archive(text, integer, integer) is
  'What was public and has words that begin with those of the query (its first 200 characters), newest first, at most 100 rows: {total, rows} as in archive_period, without documents. Owners only.';

create function public.archive_period(starts timestamptz, ends timestamptz, after bigint, count integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.require_owner();
  with chosen as (
    select number, private.archive_row(entry) as described
      from public.archive_entries as entry
      where number > after and at < ends
        and (at >= starts or is_public and coalesce(private.archive_until(entry) > starts, true))
      order by number
      limit least(greatest(archive_period.count, 1), 100)
  ),
  sized as (
    select number, described, row_number() over in_order as place,
        sum(octet_length(described::text)) over in_order as bytes
      from chosen
      window in_order as (order by number)
  )
  select jsonb_build_object('rows', coalesce(jsonb_agg(described order by number), '[]'))
    from sized where bytes <= 4000000 or place = 1;
$$;
comment on function public.archive_period(timestamptz, timestamptz, bigint, integer) is
  'Entries after a number that began in a period or were public at some time in it, ascending, at most 100 and about 4 MB, but at least one: {rows: [{number, kind, item, event, is_public, title, document, since, until, by, digest, hash}]}. Owners only.';

create function private.verify_archive()
returns setof text
language sql
stable
set search_path = ''
as $$
  with chain as (
    select entry, lag(entry) over (order by number) as previous from public.archive_entries as entry
  ),
  problems as (
    select (entry).number, problem
      from chain
      left join lateral private.archived_version((entry).kind, (entry).version) as stored on true
      cross join lateral coalesce((previous).number, 0) as previous_number
      cross join lateral (
        values
          (
            case
              when previous_number + 1 < (entry).number
                then format('Entries %s to %s are missing.', previous_number + 1, (entry).number - 1)
              when (entry).hash <> private.archive_hash(coalesce((previous).hash, ''), entry)
                then format('Entry %s does not fit the entry before: one of them was changed.', (entry).number)
            end
          ),
          (
            case
              when (stored.item, stored.event, greatest(stored.saved_at, (previous).at))
                  is distinct from ((entry).item, (entry).event, (entry).at)
                or case
                  when (entry).erased_at is null
                    then private.sha256_of(stored.document::text) <> (entry).digest
                  else not stored.document ? 'erased'
                end
                then format('Entry %s: its version %s was changed or is missing.', (entry).number, (entry).version)
              -- The setting may have been longer at that time, never shorter.
              when (entry).is_public and (entry).erased_at
                  < private.archive_end(coalesce(private.archive_until(entry), 'infinity'), 5)
                then format('Entry %s: its document was erased before its time.', (entry).number)
            end
          )
      ) as found (problem)
      where problem is not null
    union all
    select null, format('Version %s of the %s %s has no entry.', version, kind, item)
      from private.archived_versions as stored
      where not exists (
        select from public.archive_entries as entry
          where entry.kind = stored.kind and entry.version = stored.version
      )
  )
  select problem from problems order by number;
$$;
comment on function private.verify_archive() is
  'Recomputes all digests and hashes, and returns a sentence for each change or gap.';

revoke execute on function
  public.archive_summary(), public.archive_at(timestamptz, text, text, integer, integer),
  public.search_archive(text, integer, integer),
  public.archive_period(timestamptz, timestamptz, bigint, integer)
  from public, anon;
grant execute on function
  public.archive_summary(), public.archive_at(timestamptz, text, text, integer, integer),
  public.search_archive(text, integer, integer),
  public.archive_period(timestamptz, timestamptz, bigint, integer)
  to authenticated;
