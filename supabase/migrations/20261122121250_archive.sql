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
  'Rejects update, delete and truncate for every role. Only private.erase_archived may update.';

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

create function private.archive_hash(previous text, entry public.archive_entries)
returns text
language sql
stable
set search_path = ''
as $$
  select encode(
    sha256(
      convert_to(
        jsonb_build_array(
          previous, entry.number, entry.kind, entry.item, entry.version, entry.event, entry.is_public,
          to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), entry.by_name,
          entry.digest
        )::text,
        'UTF8'
      )
    ),
    'hex'
  );
$$;

create function private.document_digest(document jsonb)
returns text
language sql
immutable
set search_path = ''
as $$
  select encode(sha256(convert_to(document::text, 'UTF8')), 'hex');
$$;

create function private.archive_version(new_kind text, new_version bigint)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  last public.archive_entries;
  entry public.archive_entries;
begin
  -- One at a time, so that the numbers have no gaps and each hash covers the one before.
  perform pg_advisory_xact_lock(hashtext('archive_entries'));
  select * into last from public.archive_entries order by number desc limit 1;
  select coalesce(last.number, 0) + 1, found.kind, found.item, found.version, found.event,
      found.is_public, greatest(found.saved_at, last.at),
      coalesce(found.signer, person.name, account.email, ''), private.document_digest(found.document)
    into entry.number, entry.kind, entry.item, entry.version, entry.event, entry.is_public, entry.at,
      entry.by_name, entry.digest
    from private.archived_version(new_kind, new_version) as found
    left join private.people as person on person.user_id = found.saved_by
    left join auth.users as account on account.id = found.saved_by;
  if found then
    entry.hash := private.archive_hash(coalesce(last.hash, ''), entry);
    insert into public.archive_entries select entry.*;
  end if;
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

create trigger post_versions_archive
  after insert on public.post_versions
  for each row when (new.event in ('published', 'deleted'))
  execute function private.archive_new_version('post');
create trigger site_settings_versions_archive
  after insert on public.site_settings_versions
  for each row execute function private.archive_new_version('settings');
create trigger testimonial_versions_archive
  after insert on public.testimonial_versions
  for each row execute function private.archive_new_version('testimonial');
create trigger post_approvals_archive
  after insert on public.post_approvals
  for each row execute function private.archive_new_version('approval');

create trigger post_versions_reject_change
  before update or delete or truncate on public.post_versions
  for each statement execute function private.reject_change();
create trigger site_settings_versions_reject_change
  before update or delete or truncate on public.site_settings_versions
  for each statement execute function private.reject_change();
create trigger testimonial_versions_reject_change
  before update or delete or truncate on public.testimonial_versions
  for each statement execute function private.reject_change();
create trigger post_approvals_reject_change
  before update or delete or truncate on public.post_approvals
  for each statement execute function private.reject_change();
revoke all on public.post_versions, public.site_settings_versions from service_role;
grant select on public.post_versions, public.site_settings_versions to service_role;

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

create function private.archive_retention()
returns interval
language sql
stable
set search_path = ''
as $$
  select make_interval(years => coalesce((private.setting('site', 'archiveYears') #>> '{}')::integer, 5));
$$;
comment on function private.archive_retention() is 'How long the archive keeps what was public, after it has left the site.';

create function private.erase_archived(kind text, item text)
returns timestamptz
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  kept_until timestamptz;
  kept_versions bigint[];
begin
  perform pg_advisory_xact_lock(hashtext('archive_entries'));
  select max(coalesce(private.archive_until(entry), now())) + private.archive_retention(),
      coalesce(array_agg(version), '{}')
    into kept_until, kept_versions
    from public.archive_entries as entry
    where entry.kind = erase_archived.kind and entry.item = erase_archived.item
      and entry.is_public and entry.erased_at is null
      and coalesce(private.archive_until(entry), now()) + private.archive_retention() > now();
  perform set_config('archive.erasing', 'on', true);
  -- 'state' stays: without it, a discarded draft would look like a deleted post.
  execute format(
    $sql$
      update public.%I
        set document = jsonb_strip_nulls(jsonb_build_object('erased', true, 'state', document -> 'state'))
        where %I::text = $1 and id <> all ($2)
    $sql$,
    case kind
      when 'post' then 'post_versions'
      when 'settings' then 'site_settings_versions'
      when 'testimonial' then 'testimonial_versions'
      when 'approval' then 'post_approvals'
    end,
    case kind when 'settings' then 'section' when 'testimonial' then 'testimonial_id' else 'post_id' end
  ) using erase_archived.item, kept_versions;
  update public.archive_entries as entry
    set erased_at = now()
    where entry.kind = erase_archived.kind and entry.item = erase_archived.item
      and entry.version <> all (kept_versions) and entry.erased_at is null;
  perform set_config('archive.erasing', '', true);
  return kept_until;
end;
$$;
comment on function private.erase_archived(text, text) is
  'Erases the documents of an item that need not be kept: what was never public, and what left the site longer ago than the setting site.archiveYears. Digests and hashes stay. Returns until when the others must be kept, or null.';

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

create function public.archive_summary()
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  perform private.require_owner();
  return jsonb_build_object(
    'entries', (select count(*) from public.archive_entries),
    'first_at', (select min(at) from public.archive_entries),
    'last_at', (select max(at) from public.archive_entries),
    'last_number', (select max(number) from public.archive_entries),
    'last_hash', (select hash from public.archive_entries order by number desc limit 1)
  );
end;
$$;
comment on function public.archive_summary() is
  'The number of entries, the times of the first and the last one, and the number and hash of the last one. Owners only.';
revoke execute on function public.archive_summary() from public, anon;
grant execute on function public.archive_summary() to authenticated;

create function public.archive_at(
  moment timestamptz,
  wanted_kind text,
  wanted_item text,
  first integer,
  count integer
)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  result jsonb;
begin
  perform private.require_owner();
  with newest as materialized (
    select distinct on (kind, item) number, kind, item, version, is_public, at, by_name
      from public.archive_entries
      where at <= moment
      order by kind, item, number desc
  ),
  shown as materialized (
    select * from newest where is_public and kind = wanted_kind and item = coalesce(wanted_item, item)
  ),
  page as materialized (
    select * from shown
      order by number desc
      limit least(greatest(archive_at.count, 0), 100)
      offset greatest(archive_at.first, 0)
  ),
  hidden as (
    select coalesce(jsonb_agg(document -> 'hidden') filter (where newest.item = 'home') -> 0, '[]') as parts,
        coalesce(jsonb_agg(document -> 'hidden') filter (where newest.item = 'pages') -> 0, '[]') as pages
      from newest cross join lateral private.archived_version(newest.kind, newest.version) as stored
      where newest.kind = 'settings' and newest.item in ('home', 'pages')
  )
  select jsonb_build_object(
      'total', (select count(*) from shown),
      'rows', coalesce(
        jsonb_agg(
          jsonb_build_object(
            'number', entry.number, 'kind', entry.kind, 'item', entry.item,
            'document', case
              when entry.kind = 'settings'
                then private.public_document(entry.item, document, hidden.parts, hidden.pages)
              when entry.kind = 'post' and wanted_item is null then document - 'content'
              else document
            end,
            'since', entry.at, 'until', private.archive_until(entry), 'by', entry.by_name
          )
          order by entry.number desc
        ),
        '[]'
      )
    )
    into result
    from page
    join public.archive_entries as entry using (number)
    cross join lateral private.archived_version(entry.kind, entry.version) as stored
    cross join hidden;
  return result;
end;
$$;
comment on function public.archive_at(timestamptz, text, text, integer, integer) is
  'What visitors could read at a moment, newest first, at most 100 rows: {total, rows: [{number, kind, item, document, since, until, by}]}. Posts have their content only when wanted_item names one. Owners only.';
revoke execute on function public.archive_at(timestamptz, text, text, integer, integer) from public, anon;
grant execute on function public.archive_at(timestamptz, text, text, integer, integer) to authenticated;

create function public.search_archive(query text, first integer, count integer)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
-- Without the indexes, every document would be parsed again.
set enable_seqscan = off
set jit = off
as $$
#variable_conflict use_column
declare
  words tsquery;
  result jsonb;
begin
  perform private.require_owner();
  -- Each word may be the beginning of one. The indexes do not know the order of words.
  select replace(to_tsquery('simple', string_agg(format('''%s'':*', word), ' & '))::text, '<->', '&')::tsquery
    into words
    from regexp_split_to_table(private.search_form(left(query, 200)), '[\s''\\]+') as word
    where word <> '';
  with matching as (
    select 'post' as kind, id as version from public.post_versions
      where event = 'published' and private.archive_words(document) @@ words
    union all
    select 'settings', id from public.site_settings_versions
      where private.archive_words(document) @@ words
    union all
    select 'testimonial', id from public.testimonial_versions
      where event <> 'deleted' and private.archive_words(document) @@ words
  ),
  found as materialized (
    select number from matching join public.archive_entries using (kind, version) where is_public
  ),
  page as materialized (
    select number from found
      order by number desc
      limit least(greatest(search_archive.count, 0), 100)
      offset greatest(search_archive.first, 0)
  )
  select jsonb_build_object(
      'total', (select count(*) from found),
      'rows', coalesce(
        jsonb_agg(
          jsonb_build_object(
            'number', entry.number, 'kind', entry.kind, 'item', entry.item,
            'title', coalesce(
              case entry.kind when 'post' then document ->> 'title' when 'testimonial' then document ->> 'name' end,
              entry.item
            ),
            'since', entry.at, 'until', private.archive_until(entry), 'by', entry.by_name
          )
          order by entry.number desc
        ),
        '[]'
      )
    )
    into result
    from page
    join public.archive_entries as entry using (number)
    cross join lateral private.archived_version(entry.kind, entry.version) as stored;
  return result;
end;
$$;
comment on function public.search_archive(text, integer, integer) is
  'What was public and has words that begin with those of the query (its first 200 characters), newest first, at most 100 rows: {total, rows: [{number, kind, item, title, since, until, by}]}. Owners only.';
revoke execute on function public.search_archive(text, integer, integer) from public, anon;
grant execute on function public.search_archive(text, integer, integer) to authenticated;

create function public.archive_period(
  starts timestamptz,
  ends timestamptz,
  after bigint,
  count integer
)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  result jsonb;
begin
  perform private.require_owner();
  with chosen as materialized (
    select entry.number, private.archive_until(entry) as until
      from public.archive_entries as entry
      where entry.number > after and entry.at < ends
        and (
          entry.at >= starts
          or entry.is_public and coalesce(private.archive_until(entry) > starts, true)
        )
      order by entry.number
      limit least(greatest(archive_period.count, 1), 100)
  ),
  sized as (
    select entry.*, chosen.until, stored.document,
        sum(octet_length(stored.document::text)) over (order by entry.number) as bytes,
        row_number() over (order by entry.number) as place
      from chosen
      join public.archive_entries as entry using (number)
      left join lateral private.archived_version(entry.kind, entry.version) as stored on true
  )
  select jsonb_build_object(
      'rows', coalesce(
        jsonb_agg(
          jsonb_build_object(
            'number', number, 'kind', kind, 'item', item, 'event', event, 'is_public', is_public,
            'document', document, 'since', at, 'until', until, 'by', by_name, 'digest', digest,
            'hash', hash
          )
          order by number
        ),
        '[]'
      )
    )
    into result
    from sized where bytes <= 4000000 or place = 1;
  return result;
end;
$$;
comment on function public.archive_period(timestamptz, timestamptz, bigint, integer) is
  'Entries after a number that began in a period or were public at some time in it, ascending, at most 100 and about 4 MB of documents, but at least one: {rows: [{number, kind, item, event, is_public, document, since, until, by, digest, hash}]}. Owners only.';
revoke execute on function public.archive_period(timestamptz, timestamptz, bigint, integer) from public, anon;
grant execute on function public.archive_period(timestamptz, timestamptz, bigint, integer) to authenticated;

create function public.verify_archive(after bigint, count integer)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  previous public.archive_entries;
  last public.archive_entries;
  result jsonb;
begin
  perform private.require_owner();
  select * into previous from public.archive_entries where number <= after order by number desc limit 1;
  select * into last from public.archive_entries order by number desc limit 1;
  with page as materialized (
    select entry,
        lag(number, 1, coalesce(previous.number, 0)) over in_order as previous_number,
        lag(hash, 1, coalesce(previous.hash, '')) over in_order as previous_hash,
        lag(at, 1, previous.at) over in_order as previous_at
      from public.archive_entries as entry
      where number > after
      window in_order as (order by number)
      order by number
      limit greatest(verify_archive.count, 1)
  ),
  problems as (
    select (entry).number, problem
      from page
      left join lateral private.archived_version((entry).kind, (entry).version) as stored on true
      cross join lateral (
        values
          (
            case when previous_number + 1 < (entry).number
              then format('Entries %s to %s are missing.', previous_number + 1, (entry).number - 1)
            end
          ),
          (
            case when previous_number + 1 = (entry).number
                and (entry).hash <> private.archive_hash(previous_hash, entry)
              then format('Entry %s does not fit the entry before: one of them was changed.', (entry).number)
            end
          ),
          (
            case
              when stored.version is null
                then format('Entry %s: its version %s is missing.', (entry).number, (entry).version)
              when stored.item <> (entry).item or stored.event <> (entry).event
                or greatest(stored.saved_at, previous_at) <> (entry).at
                then format('Entry %s: the item, event or time of its version was changed.', (entry).number)
              when (entry).erased_at is null
                  and private.document_digest(stored.document) <> (entry).digest
                then format('Entry %s: its document was changed.', (entry).number)
              when (entry).erased_at is not null and not stored.document ? 'erased'
                then format('Entry %s: its document is said to be erased, and is there.', (entry).number)
              -- The setting may have been longer at that time, never shorter.
              when (entry).is_public and (entry).erased_at
                  < coalesce(private.archive_until(entry), 'infinity') + interval '5 years'
                then format('Entry %s: its document was erased before its time.', (entry).number)
            end
          )
      ) as found (problem)
      where problem is not null
    union all
    select null, format('Version %s of the %s %s has no entry.', version, kind, item)
      from private.archived_versions as stored
      where not exists (select from page)
        and not exists (
          select from public.archive_entries as entry
            where entry.kind = stored.kind and entry.version = stored.version
        )
  )
  select jsonb_build_object(
      'next', (select max((entry).number) from page),
      'erased', (select count((entry).erased_at) from page),
      'last', to_jsonb(last),
      'problems', coalesce(
        (select jsonb_agg(problem order by number) from (select * from problems limit 1000) as first),
        '[]'
      )
    )
    into result;
  return result;
end;
$$;
comment on function public.verify_archive(bigint, integer) is
  'Recomputes the digests and hashes of entries after a number: {next, erased, last, problems}. When none are left, next is null and problems are versions without an entry. Owners and the secret key only.';
revoke execute on function public.verify_archive(bigint, integer) from public, anon;
grant execute on function public.verify_archive(bigint, integer) to authenticated, service_role;
