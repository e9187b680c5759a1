-- The archive: every public page as it was served, with the files that it shows. The site captures the pages and adds a row when
-- one differs from its last copy. docs/operations.md says what the hashes prove.

create function private.reject_change()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  raise exception 'The archive keeps every row: % accepts no %.', tg_table_name, lower(tg_op)
    using errcode = '42501';
end;
$$;
comment on function private.reject_change() is
  'Rejects update, delete and truncate for every role, also the secret key.';

create table private.archive_files (
  hash text primary key,
  type text not null,
  bytes bytea not null,
  words text,
  stored_at timestamptz not null default clock_timestamp(),
  constraint archive_files_hash check (hash = encode(sha256(bytes), 'hex')),
  constraint archive_files_type check (type ~ '^[a-z]+/[a-z0-9.+-]+$' and char_length(type) <= 100)
);
comment on table private.archive_files is
  'The pages of the archive, the style sheets, fonts and images that they show, and the PDFs to which they link, each once.';
comment on column private.archive_files.hash is 'SHA-256 of the bytes, in hexadecimal.';
comment on column private.archive_files.words is 'The visible text of a page, a line for each paragraph; null for other files.';

create table private.archive_pages (
  number bigint primary key,
  path text not null,
  title text not null,
  since timestamptz not null,
  digest text,
  files text[] not null,
  release text not null,
  hash text not null,
  constraint archive_pages_one_line check (private.is_one_line(path || title || release)),
  constraint archive_pages_path check (path like '/%' and char_length(path) <= 2000),
  constraint archive_pages_title check (char_length(title) <= 2000),
  constraint archive_pages_release check (char_length(release) between 1 and 100),
  constraint archive_pages_files check (digest is null or digest = any (files))
);
comment on table private.archive_pages is
  'One row for each copy of a page, and one for its end. Numbered without gaps. A copy was public until the next row of its path.';
comment on column private.archive_pages.since is 'When the copy was made, never before the previous row: the clock may jump back.';
comment on column private.archive_pages.digest is 'The hash of the page in archive_files; null when the page has left the site.';
comment on column private.archive_pages.files is 'The hashes of everything that the copy consists of.';
comment on column private.archive_pages.release is 'The release of the site that served the page.';
comment on column private.archive_pages.hash is 'SHA-256 of private.archive_line, which begins with the hash of the row before.';
create index archive_pages_by_path on private.archive_pages (path, number desc) include (since, digest);
create index archive_pages_by_digest on private.archive_pages (digest);

alter table private.archive_files enable row level security;
alter table private.archive_pages enable row level security;

create table private.archive_capture (
  is_only boolean primary key default true,
  holder text not null,
  held_until timestamptz not null,
  captured_at timestamptz,
  constraint archive_capture_is_only check (is_only)
);
comment on table private.archive_capture is
  'Which process of the site captures pages, until when others leave it alone, and when all pages were captured last.';
alter table private.archive_capture enable row level security;

create function private.archive_line(previous text, page private.archive_pages)
returns text
language sql
stable
set search_path = ''
as $$
  select concat_ws(
    E'\t', previous, page.number,
    to_char(page.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    page.path, coalesce(page.digest, '-'), page.release, page.title
  );
$$;
comment on function private.archive_line(text, private.archive_pages) is
  'What the hash of a row covers, as a line of the export: hash of the row before, number, since, path, digest, release, title.';

create function private.archive_hash(previous text, page private.archive_pages)
returns text
language sql
stable
set search_path = ''
as $$
  select encode(sha256(convert_to(private.archive_line(previous, page), 'UTF8')), 'hex');
$$;

-- Capturing

create function private.capture_page(page jsonb)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  added private.archive_pages := jsonb_populate_record(null::private.archive_pages, page);
  last private.archive_pages;
  missing text[];
begin
  -- One at a time, so that the numbers have no gaps and each hash covers the one before.
  perform pg_advisory_xact_lock(hashtext('archive_pages'));
  select * into last from private.archive_pages where path = added.path order by number desc limit 1;
  if last.digest is not distinct from added.digest then
    return '[]';
  end if;
  missing := array(
    select file from unnest(added.files) as file
      where not exists (select from private.archive_files where archive_files.hash = file)
  );
  if cardinality(missing) > 0 then
    return to_jsonb(missing);
  end if;
  select * into last from private.archive_pages order by number desc limit 1;
  added.number := coalesce(last.number, 0) + 1;
  added.since := greatest(clock_timestamp(), last.since);
  added.hash := private.archive_hash(coalesce(last.hash, ''), added);
  insert into private.archive_pages values (added.*);
  return '[]';
end;
$$;
comment on function private.capture_page(jsonb) is
  'Adds a copy {path, title, digest, files, release}, or the end of a page (digest null), if it differs from the last one. Returns the hashes of files that must be stored first; then nothing was added.';

create function private.capture_site(step text, value jsonb)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  capture private.archive_capture;
begin
  case step
    when 'begin' then
      insert into private.archive_capture as stored (holder, held_until)
        values (value ->> 'holder', now() + interval '2 minutes')
        on conflict (is_only) do update set holder = excluded.holder, held_until = excluded.held_until
          where stored.holder = excluded.holder or stored.held_until < now()
        returning * into capture;
      return case when capture.holder is not null then (
        select coalesce(jsonb_object_agg(path, digest), '{}')
          from (
            select distinct on (path) path, digest
              from private.archive_pages
              order by path, number desc
          ) as last
          where digest is not null
      ) end;
    when 'file' then
      insert into private.archive_files (hash, type, bytes, words)
        select value ->> 'hash', value ->> 'type', decode(value ->> 'bytes', 'base64'), value ->> 'words'
        on conflict (hash) do nothing;
      return '[]';
    when 'page' then
      return private.capture_page(value);
    when 'end' then
      update private.archive_capture
        set captured_at = now(), held_until = now()
        where holder = value ->> 'holder';
      return '[]';
  end case;
end;
$$;
comment on function private.capture_site(text, jsonb) is
  'The steps of a capture. begin {holder}: the digest of each page on the site ({path: digest}), or null while another process captures; repeated each minute. file {hash, type, bytes (base64), words}. page: as private.capture_page. end {holder}.';

create function public.capture_site(site_key text, step text, value text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_site(site_key);
  return private.capture_site(step, value::jsonb);
end;
$$;
comment on function public.capture_site(text, text, text) is
  'A step of a capture (private.capture_site), for a site on a hosted project; the site key only.';
revoke execute on function public.capture_site(text, text, text) from public;
grant execute on function public.capture_site(text, text, text) to anon, service_role;

-- Retention

create function private.archive_end(left_at timestamptz)
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select date_trunc('year', left_at, 'UTC')
    + make_interval(years => 1 + coalesce((private.setting('site', 'archiveYears') #>> '{}')::integer, 7));
$$;
comment on function private.archive_end(timestamptz) is
  'Until when the archive keeps what left the site at this time: the years of the setting after the end of the calendar year.';

create function private.archive_until(page private.archive_pages)
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select since from private.archive_pages as later
    where later.path = page.path and later.number > page.number
    order by later.number
    limit 1;
$$;
comment on function private.archive_until(private.archive_pages) is 'When the copy was replaced or its page left the site; null while it is public.';

create function private.kept_files()
returns setof text
language sql
stable
set search_path = ''
as $$
  select distinct unnest(files)
    from private.archive_pages as page
    where private.archive_end(coalesce(private.archive_until(page), now())) > now()
  union
  -- A page that is being captured will refer to them.
  select hash from private.archive_files where stored_at > now() - interval '1 day';
$$;
comment on function private.kept_files() is 'The hashes of files that may not be deleted yet.';

-- Decided by the rows alone, so that no setting of a session can open the table.
create function private.reject_early_delete()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if exists (select from deleted join private.kept_files() as kept on kept = deleted.hash) then
    raise exception 'The archive keeps a file until the last copy that shows it has expired.'
      using errcode = '42501';
  end if;
  return null;
end;
$$;

create function private.delete_expired_files()
returns void
language sql
set search_path = ''
as $$
  delete from private.archive_files where hash not in (select private.kept_files());
$$;
comment on function private.delete_expired_files() is
  'Deletes the files of copies whose years are over. Their rows stay, so that the hashes can be checked. Run by pg_cron, or by the timer of the embedded backend.';

create trigger archive_pages_reject_change before update or delete or truncate on private.archive_pages
  for each statement execute function private.reject_change();
create trigger archive_files_reject_change before update or truncate on private.archive_files
  for each statement execute function private.reject_change();
create trigger archive_files_reject_early_delete after delete on private.archive_files
  referencing old table as deleted
  for each statement execute function private.reject_early_delete();
create trigger post_versions_reject_change before update or delete or truncate on public.post_versions
  for each statement execute function private.reject_change();
create trigger site_settings_versions_reject_change before update or delete or truncate on public.site_settings_versions
  for each statement execute function private.reject_change();
create trigger post_approvals_reject_change before update or delete or truncate on public.post_approvals
  for each statement execute function private.reject_change();
create trigger testimonial_versions_reject_change before delete or truncate on public.testimonial_versions
  for each statement execute function private.reject_change();

-- The versions of a testimonial, which an erasure may empty

create function private.kept_versions(testimonial uuid)
returns table (version bigint, until timestamptz)
language sql
stable
set search_path = ''
as $$
  select id, archive_end
    from (
      select id, event, document, lead(saved_at) over (order by id) as left_at
        from public.testimonial_versions where testimonial_id = testimonial
    ) as stored
    cross join lateral private.archive_end(coalesce(left_at, now()))
    where event <> 'deleted' and document ->> 'approved_at' is not null and archive_end > now();
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
    'erased', true, 'rating', document -> 'rating', 'refusal_reason', document -> 'refusal_reason'
  );
$$;
comment on function private.erased(jsonb) is
  'A version of a testimonial without what it said. The overview of decisions needs its stars and the reason of a refusal.';

create function private.reject_change_but_erasure()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if to_jsonb(new) - 'document' <> to_jsonb(old) - 'document'
    or new.document <> private.erased(old.document)
    or not exists (select from private.erasures where item = old.testimonial_id)
    or old.id in (select version from private.kept_versions(old.testimonial_id))
  then
    raise exception 'The archive keeps every version, until its person is erased and its years are over.'
      using errcode = '42501';
  end if;
  return null;
end;
$$;
-- After, so that the row is final.
create trigger testimonial_versions_reject_change_but_erasure
  after update on public.testimonial_versions
  for each row execute function private.reject_change_but_erasure();

create function private.erase_versions(testimonial uuid)
returns void
language sql
set search_path = ''
as $$
  update public.testimonial_versions
    set document = private.erased(document)
    where testimonial_id = testimonial and not document ? 'erased'
      and id not in (select version from private.kept_versions(testimonial));
$$;
comment on function private.erase_versions(uuid) is
  'Erases what a testimonial said, except in versions that must be kept.';

-- What owners read

create function private.archive_words(words text)
returns tsvector
language plpgsql
immutable
set search_path = ''
-- Higher than the default, so that a plan does not compute it for rows that the index already found.
cost 1000000
as $$
begin
  -- Without the positions of the words, all of a page fits.
  return array_to_tsvector(array(
    select distinct lexeme
      from generate_series(1, char_length(words), 200000) as place
      -- A tsvector has at most 1 MB. This many characters fit, whatever they are.
      cross join unnest(to_tsvector('simple', private.search_form(substr(words, place, 200000))))
  ));
exception when program_limit_exceeded then
  return to_tsvector('simple', private.search_form(left(words, 200000)));
end;
$$;
create index archive_files_words on private.archive_files
  using gin (private.archive_words(words)) where words is not null;

create function private.archive_row(page private.archive_pages)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select to_jsonb(page) || jsonb_build_object(
    'until', private.archive_until(page),
    'is_kept', exists (select from private.archive_files where archive_files.hash = page.digest)
  );
$$;
comment on function private.archive_row(private.archive_pages) is
  '{number, path, title, since, until, digest, files, release, hash, is_kept}. is_kept: the years of the copy are not over.';

create function private.archive_list(found bigint[], first integer, count integer, is_by_path boolean)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select jsonb_build_object(
      'total', cardinality(found),
      'rows', to_jsonb(array(
        select private.archive_row(page) - 'files'
          from private.archive_pages as page
          where number = any (found)
          order by case when is_by_path then path end, number desc
          limit least(greatest(archive_list.count, 0), 100)
          offset greatest(archive_list.first, 0)
      ))
    );
$$;

create function public.archive_summary()
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.require_owner();
  select jsonb_build_object(
      'copies', count(digest), 'pages', count(distinct path), 'first_at', min(since),
      'last_number', max(number),
      'last_hash', (select hash from private.archive_pages order by number desc limit 1),
      'captured_at', (select captured_at from private.archive_capture),
      'key_created_at', (select created_at from private.site_key)
    )
    from private.archive_pages;
$$;
comment on function public.archive_summary() is
  'How much the archive has, the number and hash of its last row, when all pages were captured last, and when the site key was created. Owners only.';

create function public.archive_at(moment timestamptz, first integer, count integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.require_owner();
  select private.archive_list(
    array(
      select number
        from (
          select distinct on (path) number, digest
            from private.archive_pages
            where since <= moment
            order by path, number desc
        ) as last
        where digest is not null
    ),
    archive_at.first, archive_at.count, true
  );
$$;
comment on function public.archive_at(timestamptz, integer, integer) is
  'The copies that were public at a moment, by path, at most 100: {total, rows}, with rows as private.archive_row, without files. Owners only.';

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
  )
  select private.archive_list(
    array(
      select number
        from words
        join private.archive_files as file
          on file.words is not null and private.archive_words(file.words) @@ all_of
        join private.archive_pages as page on page.digest = file.hash
    ),
    search_archive.first, search_archive.count, false
  );
$$;
comment on function public.search_archive(text, integer, integer) is
  'The copies with words that begin with those of the query (its first 200 characters), newest first, at most 100: {total, rows} as in archive_at. Owners only.';

create function public.archive_copy(wanted bigint)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.require_owner();
  select private.archive_row(page) || jsonb_build_object(
      'words', (select words from private.archive_files where archive_files.hash = page.digest),
      'earlier', (
        select max(number) from private.archive_pages as other
          where other.path = page.path and number < wanted and digest is not null
      ),
      'later', (
        select min(number) from private.archive_pages as other
          where other.path = page.path and number > wanted and digest is not null
      )
    )
    from private.archive_pages as page where number = wanted and digest is not null;
$$;
comment on function public.archive_copy(bigint) is
  'A copy: private.archive_row with its words, and the numbers of the earlier and the later copy of its path; null when there is none. Owners only.';

create function public.archive_period(starts timestamptz, ends timestamptz, after bigint, count integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.require_owner();
  select to_jsonb(array(
    select private.archive_row(page) || jsonb_build_object(
        'line', private.archive_line(
          coalesce((select hash from private.archive_pages as before where before.number = page.number - 1), ''), page
        ),
        'is_in_period', since < ends and digest is not null
          and coalesce(private.archive_until(page) > starts, true)
      )
      from private.archive_pages as page
      where number > after
      order by number
      limit least(greatest(archive_period.count, 1), 1000)
  ));
$$;
comment on function public.archive_period(timestamptz, timestamptz, bigint, integer) is
  'The rows after a number, ascending, at most 1,000: private.archive_row with private.archive_line, and whether the copy was public at some time of the period. Owners only.';

create function public.read_archive_files(hashes text[])
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.require_owner();
  with sized as (
    select hash, sum(octet_length(bytes)) over in_order as total, row_number() over in_order as place
      from private.archive_files
      where hash = any (hashes)
      window in_order as (order by hash)
  )
  select to_jsonb(array(
    select jsonb_build_object('hash', hash, 'type', type, 'bytes', encode(bytes, 'base64'))
      from sized join private.archive_files using (hash)
      where total <= 4000000 or place = 1
  ));
$$;
comment on function public.read_archive_files(text[]) is
  'Files of the archive, at most 4 MB together but at least one: [{hash, type, bytes (base64)}]. Owners only.';

create function public.archive_changes(starts timestamptz, ends timestamptz, first integer, count integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.require_owner();
  with changes as (
    select saved_at as at, 'post' as kind, id, event, post_id::text as item, document ->> 'title' as title,
        by_name, by_email, '' as comment,
        case when event in ('published', 'scheduled') then private.post_words(document) end as document
      from public.post_versions where event <> 'draft'
    union all
    select saved_at, 'approval', id, event, post_id::text, document ->> 'title',
        name, email, comment, document
      from public.post_approvals
    union all
    select published_at, 'settings', id, 'published', section, section, by_name, by_email, '', document
      from public.site_settings_versions where section <> 'mail'
    union all
    select saved_at, 'testimonial', id, event, testimonial_id::text, document ->> 'name',
        by_name, by_email, '', document
      from public.testimonial_versions
  ),
  chosen as (
    select * from changes
      where at >= starts and at < ends
      order by at, kind, id
      limit least(greatest(archive_changes.count, 1), 500)
      offset greatest(archive_changes.first, 0)
  ),
  sized as (
    select chosen, row_number() over in_order as place,
        sum(coalesce(octet_length(document::text), 0)) over in_order as bytes
      from chosen
      window in_order as (order by at, kind, id)
  )
  select to_jsonb(array(
    select to_jsonb(chosen) from sized where bytes <= 4000000 or place = 1 order by place
  ));
$$;
comment on function public.archive_changes(timestamptz, timestamptz, integer, integer) is
  'Who changed what in a period, ascending, at most 500 rows and 4 MB but at least one: [{at, kind (post, approval, settings, testimonial), id, event, item, title, by_name, by_email, comment, document}]. Owners only.';

revoke execute on function
  public.archive_summary(), public.archive_at(timestamptz, integer, integer),
  public.search_archive(text, integer, integer), public.archive_copy(bigint),
  public.archive_period(timestamptz, timestamptz, bigint, integer),
  public.read_archive_files(text[]), public.archive_changes(timestamptz, timestamptz, integer, integer)
  from public, anon;
grant execute on function
  public.archive_summary(), public.archive_at(timestamptz, integer, integer),
  public.search_archive(text, integer, integer), public.archive_copy(bigint),
  public.archive_period(timestamptz, timestamptz, bigint, integer),
  public.read_archive_files(text[]), public.archive_changes(timestamptz, timestamptz, integer, integer)
  to authenticated;

create function private.verify_archive()
returns setof text
language sql
stable
set search_path = ''
as $$
  with chain as (
    select page, lag(page) over (order by number) as previous from private.archive_pages as page
  ),
  kept as materialized (select private.kept_files() as hash),
  problems as (
    select (page).number, problem
      from chain
      cross join lateral coalesce((previous).number, 0) as previous_number
      cross join lateral (
        values
          (
            case
              when previous_number + 1 < (page).number
                then format('Rows %s to %s are missing.', previous_number + 1, (page).number - 1)
              when (page).hash <> private.archive_hash(coalesce((previous).hash, ''), page)
                then format('Row %s does not fit the row before: one of them was changed.', (page).number)
              when (page).since < (previous).since or (page).since > now() + interval '1 day'
                then format('Row %s has an impossible time.', (page).number)
            end
          )
      ) as found (problem)
      where problem is not null
    union all
    select min(number), format('File %s is missing. Row %s needs it.', file, min(number))
      from private.archive_pages cross join unnest(files) as file
      where file in (select hash from kept)
        and not exists (select from private.archive_files where archive_files.hash = file)
      group by file
    union all
    select null, format('File %s was changed.', hash)
      from private.archive_files where encode(sha256(bytes), 'hex') <> hash
  )
  select problem from problems order by number;
$$;
comment on function private.verify_archive() is
  'Recomputes all hashes from the rows and the bytes, and returns a sentence for each change or gap.';
