-- The archive: every public page as it was served, with the files that it shows. The site captures the pages and adds a row when
-- one differs from its last copy. docs/security.md says what the hashes prove.

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
  search_text text generated always as (private.search_form(words)) stored,
  stored_at timestamptz not null default clock_timestamp(),
  constraint archive_files_hash check (hash = encode(sha256(bytes), 'hex')),
  constraint archive_files_type check (type ~ '^[a-z]+/[a-z0-9.+-]+$' and char_length(type) <= 100)
);
comment on table private.archive_files is
  'The pages of the archive, the style sheets, fonts and images that they show, and the PDFs to which they link, each once.';
comment on column private.archive_files.words is 'The visible text of a page, a line for each paragraph; null for other files.';

create table private.archive_pages (
  number bigint primary key,
  path text not null,
  title text not null,
  since timestamptz(3) not null,
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
comment on column private.archive_pages.since is 'When the copy was made, always after the row before: the clock may jump back.';
comment on column private.archive_pages.digest is 'The hash of the page in archive_files; null when the page has left the site.';
comment on column private.archive_pages.hash is 'SHA-256 of private.archive_line, which begins with the hash of the row before.';
create index archive_pages_by_path on private.archive_pages (path, number desc) include (since, digest);

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
    to_char(page.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
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

create function private.capture_site(step text, value jsonb)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  page private.archive_pages;
  last private.archive_pages;
  missing text[];
begin
  case step
    when 'begin' then
      insert into private.archive_capture as stored (holder, held_until)
        values (value ->> 'holder', now() + interval '2 minutes')
        on conflict (is_only) do update set holder = excluded.holder, held_until = excluded.held_until
          where stored.holder = excluded.holder or stored.held_until < now();
      return case when found then (
        select coalesce(jsonb_object_agg(path, digest), '{}')
          from (
            select distinct on (path) path, digest from private.archive_pages order by path, number desc
          ) as newest
          -- No mail is a page that could leave the site.
          where digest is not null and path not like '/mails/%'
      ) end;
    when 'file' then
      insert into private.archive_files (hash, type, bytes, words)
        select value ->> 'hash', value ->> 'type', decode(value ->> 'bytes', 'base64'), value ->> 'words'
        on conflict (hash) do nothing;
    when 'page' then
      -- One at a time, so that the numbers have no gaps and each hash covers the one before.
      perform pg_advisory_xact_lock(hashtext('archive_pages'));
      page := jsonb_populate_record(null::private.archive_pages, value);
      select * into last from private.archive_pages where path = page.path order by number desc limit 1;
      if last.digest is not distinct from page.digest then
        return '[]';
      end if;
      missing := array(
        select file from unnest(page.files) as file
          where not exists (select from private.archive_files where archive_files.hash = file)
      );
      if missing <> '{}' then
        return to_jsonb(missing);
      end if;
      select * into last from private.archive_pages order by number desc limit 1;
      page.number := coalesce(last.number, 0) + 1;
      page.since := greatest(clock_timestamp(), last.since + interval '1 ms');
      page.hash := private.archive_hash(coalesce(last.hash, ''), page);
      insert into private.archive_pages values (page.*);
    when 'end' then
      update private.archive_capture
        set captured_at = now(), held_until = now()
        where holder = value ->> 'holder';
  end case;
  return '[]';
end;
$$;
comment on function private.capture_site(text, jsonb) is
  'The steps of a capture. begin {holder}: the digest of each page on the site, without mails ({path: digest}), or null while another process captures; repeated each minute. file {hash, type, bytes (base64), words}. page {path, title, digest, files, release}: adds a copy, or the end of a page (digest null), if it differs from the last one; returns the hashes of files that must be stored first, and then adds nothing. end {holder}.';

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
grant execute on function public.capture_site(text, text, text) to anon, service_role;

create function public.keep_mail(name text, subject text, words text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  bytes bytea := convert_to(words, 'UTF8');
  digest text := encode(sha256(bytes), 'hex');
begin
  perform private.capture_site(
    'file',
    jsonb_build_object('hash', digest, 'type', 'text/plain', 'bytes', encode(bytes, 'base64'), 'words', words)
  );
  perform private.capture_site(
    'page',
    jsonb_build_object(
      'path', '/mails/' || name, 'title', subject, 'digest', digest, 'files', jsonb_build_array(digest),
      'release', 'send-email'
    )
  );
end;
$$;
comment on function public.keep_mail(text, text, text) is
  'Keeps the words of a mail to visitors, under a path of its own, when they differ from those of the mail before. For mails that say the same to everybody. The secret key only.';
grant execute on function public.keep_mail(text, text, text) to service_role;

-- Retention

create function private.site_settings_of_a_week()
returns table (number bigint, years integer, at timestamptz)
language sql
stable
set search_path = ''
as $$
  with published as (
    select number, at,
        -- Without a row, the default is in force.
        case event when 'published' then coalesce((document ->> 'archiveYears')::integer, 7) else 7 end as years
      from public.versions where kind = 'section' and thing = 'site' and event in ('published', 'deleted')
    union all
    select 0, null, 7
  )
  select number, years, at
    from published
    where number >= (select max(number) from published where at <= now() - interval '7 days' or at is null);
$$;
comment on function private.site_settings_of_a_week() is
  'The values of the setting site.archiveYears that were in force within the last seven days, and since when.';

create function private.archive_years()
returns integer
language sql
stable
set search_path = ''
as $$
  select max(years) from private.site_settings_of_a_week();
$$;
comment on function private.archive_years() is
  'The setting site.archiveYears. Fewer years count a week after they were published, so that a mistake can be undone.';

create function private.archive_end(left_at timestamptz, years integer default private.archive_years())
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select date_trunc('year', left_at, 'UTC') + make_interval(years => 1 + years);
$$;
comment on function private.archive_end(timestamptz, integer) is
  'Until when the archive keeps what left the site at this time: for some years after the end of the calendar year.';

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
    where private.archive_end(coalesce(private.archive_until(page), now()), (select private.archive_years())) > now()
      or (select private.is_held())
  union
  -- A page that is being captured will refer to them.
  select hash from private.archive_files
    where stored_at > now() - interval '1 day' or (select private.is_held());
$$;
comment on function private.kept_files() is 'The hashes of files that may not be deleted yet.';

create function public.archive_retention(years integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.require_owner();
  with week as (
    select * from private.site_settings_of_a_week()
  ),
  given as (
    select coalesce(archive_retention.years, (select week.years from week order by number desc limit 1)) as fewer,
        private.archive_years() as present
  ),
  due as (
    select *, interval '7 days' + coalesce(
        (
          select min(at) from week
            where archive_retention.years is null
              and number > (select max(number) from week as longer where longer.years > fewer)
        ),
        now()
      ) as ends
      from given
  ),
  leaving as (
    select page.since, private.archive_until(page) as until
      from private.archive_pages as page
      where digest in (select hash from private.archive_files)
  )
  select jsonb_build_object(
      'is_held', private.is_held(), 'years', fewer, 'present', present,
      'ends', case when fewer < present then ends end,
      'copies', count(until), 'from', min(leaving.since), 'until', max(until)
    )
    from due
    left join leaving on fewer < present and private.archive_end(until, fewer) <= ends
    group by fewer, present, ends;
$$;
comment on function public.archive_retention(integer) is
  'What the archive would lose if it kept what was public for so many years; for null, what it loses by the setting: {is_held, years, present (the years in force), ends (when fewer years count; null when they are not fewer), copies, from, until}. Owners only.';
grant execute on function public.archive_retention(integer) to authenticated;

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
  'Deletes the files of copies whose years are over, unless a hold is on. Their rows stay, so that the hashes can be checked. Run by pg_cron, or by the timer of the embedded backend.';

create trigger archive_pages_reject_change before update or delete or truncate on private.archive_pages
  for each statement execute function private.reject_change();
create trigger archive_files_reject_change before update or truncate on private.archive_files
  for each statement execute function private.reject_change();
create trigger archive_files_reject_early_delete after delete on private.archive_files
  referencing old table as deleted
  for each statement execute function private.reject_early_delete();
create trigger privacy_requests_reject_change before update or delete or truncate on private.privacy_requests
  for each statement execute function private.reject_change();
-- An update may erase a testimonial (personal_data.sql).
create trigger versions_reject_removal before delete or truncate on public.versions
  for each statement execute function private.reject_change();

-- What owners read

create function public.archive_rows(
  moment timestamptz,
  path text,
  query text,
  first integer,
  count integer
)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  found bigint[];
begin
  perform private.require_owner();
  found := array(
    select number
      from private.archive_pages as page
      where (archive_rows.path is null or page.path = archive_rows.path)
        and (
          moment is null
          or digest is not null and since <= moment and not exists (
            select from private.archive_pages as later
              where later.path = page.path and later.number > page.number and later.since <= moment
          )
        )
        and (
          query is null
          or digest in (
            select hash from private.archive_files where position(private.search_form(query) in search_text) > 0
          )
        )
      order by case when moment is not null then page.path end, number * case when query is null then 1 else -1 end
  );
  return jsonb_build_object(
    'total', cardinality(found),
    'captured_at', (select captured_at from private.archive_capture),
    'rows', to_jsonb(array(
      select to_jsonb(page) || jsonb_build_object(
          'line', private.archive_line(
            coalesce((select hash from private.archive_pages as before where before.number = page.number - 1), ''), page
          ),
          'until', private.archive_until(page),
          'is_kept', exists (select from private.archive_files where archive_files.hash = digest),
          'earlier', (
            select private.archive_until(other) - interval '1 ms' from private.archive_pages as other
              where other.path = page.path and other.number < page.number and other.digest is not null
              order by other.number desc limit 1
          ),
          'later', (
            select min(since) from private.archive_pages as other
              where other.path = page.path and other.number > page.number and other.digest is not null
          )
        )
        from unnest(found[first + 1:first + least(count, 500)]) with ordinality as wanted (number, place)
        join private.archive_pages as page using (number)
        order by place
    ))
  );
end;
$$;
comment on function public.archive_rows(timestamptz, text, text, integer, integer) is
  'The copies that were public at a moment, by path; those with a query in their words, newest first; those of a path; without any of these all rows, also the ends of pages. At most 500: {total, captured_at (when all pages were captured last), rows: [{number, path, title, since, until, digest, files, release, hash, line, is_kept (its years are not over), earlier, later (moments of other copies of its path)}]}. Owners only.';

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
    select jsonb_build_object('hash', hash, 'type', type, 'words', words, 'bytes', encode(bytes, 'base64'))
      from sized join private.archive_files using (hash)
      where total <= 4000000 or place = 1
  ));
$$;
comment on function public.read_archive_files(text[]) is
  'Files of the archive, at most 4 MB together but at least one: [{hash, type, words, bytes (base64)}]. Owners only.';

create function private.approval_of(published public.versions)
returns bigint
language sql
stable
set search_path = ''
as $$
  select case event when 'approved' then number end
    from public.versions as decision
    where decision.kind = published.kind and decision.thing = published.thing
      and decision.event in ('approved', 'returned') and decision.number < published.number
      and decision.digest in (
        published.digest,
        -- A number was added to the approved address (private.require_approval).
        private.digest(
          jsonb_set(
            published.document, '{slug}', to_jsonb(substring(published.document ->> 'slug' from '^(.+)-[0-9]+$'))
          )
        )
      )
    order by number desc
    limit 1;
$$;
comment on function private.approval_of(public.versions) is
  'The number of the approval of exactly what a version made public; null without one.';

create function public.archive_changes(starts timestamptz, ends timestamptz, first integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select private.require_owner();
  with former as (
    select distinct on (kind, thing) number, kind, thing, event
      from public.versions
      where at < starts
        -- Not of a draft that was discarded.
        and (event in ('published', 'unpublished') or event = 'deleted' and not document @> '{"state": "draft"}')
      order by kind, thing, number desc
  ),
  shown as (
    select kind, thing from former where event = 'published'
    union
    select kind, thing from public.versions where at >= starts and at < ends and event = 'published'
  ),
  listed as (
    select number, at,
        case
          when at >= starts and at < ends then 'changed'
          when number in (select former.number from former where former.event = 'published') then 'former'
          when event <> 'published' and (kind, thing) in (select shown.kind, shown.thing from shown) then 'decision'
        end as reason
      from public.versions
      where event not in ('draft', 'restored') and (kind, thing) <> ('section', 'mail')
  ),
  chosen as (
    select version, reason, row_number() over in_order as place,
        sum(octet_length(version.document::text)) over in_order as bytes
      from (select * from listed where reason is not null order by at, number limit 500 offset first) as listed
      join public.versions as version using (number)
      window in_order as (order by listed.at, number)
  )
  select to_jsonb(array(
    select to_jsonb(version) - array['images', 'by_id', 'draft', 'link_by_name', 'link_by_email'] || jsonb_build_object(
        'title', case (version).kind
          when 'section' then to_jsonb((version).thing)
          when 'testimonial' then (version).document -> 'name'
          else (version).document -> 'title'
        end,
        'document', case
          when (version).kind in ('section', 'testimonial') then (version).document
          when (version).event not in ('deleted', 'removed') then private.shown_part((version).document)
        end,
        'reason', reason,
        'how', private.how_signed(
          (version).by_id, (version).by_name, coalesce(
            (version).link_by_name || ' (' || nullif((version).link_by_email, (version).link_by_name) || ')',
            (version).link_by_name
          )
        ),
        'approval', case (version).event when 'published' then private.approval_of(version) end
      )
      from chosen where bytes <= 4000000 or place = 1 order by place
  ));
$$;
comment on function public.archive_changes(timestamptz, timestamptz, integer) is
  'Who changed what, ascending, at most 500 rows and 4 MB but at least one: versions without their drafts and private parts, each with title, document, how (signed in, or typed at whose link), reason and approval (the number of the approval of what was published, or null). reason: changed in the period; former: public when it began; decision: of another time, about what was public in it. Owners only.';

grant execute on function
  public.archive_rows(timestamptz, text, text, integer, integer), public.read_archive_files(text[]),
  public.archive_changes(timestamptz, timestamptz, integer)
  to authenticated;

create function private.verify_archive()
returns setof text
language sql
stable
set search_path = ''
as $$
  with chain as (
    select page, lag(page) over (order by number) as previous from private.archive_pages as page
  )
  select format('Row %s does not fit the row before: rows were changed or removed.', (page).number)
    from chain
    where (page).number <> coalesce((previous).number, 0) + 1
      or (page).hash <> private.archive_hash(coalesce((previous).hash, ''), page)
  union all
  select format('Row %s has an impossible time.', (page).number)
    from chain where (page).since < (previous).since or (page).since > now() + interval '1 day'
  union all
  select format(
        'File %s is missing. Row %s needs it.', file,
        (select min(number) from private.archive_pages where file = any (files))
      )
    from (select private.kept_files() except select hash from private.archive_files) as missing (file)
  union all
  select format('File %s was changed.', hash) from private.archive_files where encode(sha256(bytes), 'hex') <> hash
  union all
  select format('Version %s of a testimonial was erased without a request.', version.number)
    from public.versions as version
    where kind = 'testimonial' and jsonb_typeof(document -> 'erased') = 'number'
      and not exists (
        select from private.privacy_requests as request where to_jsonb(request.number) = document -> 'erased'
      );
$$;
comment on function private.verify_archive() is
  'Recomputes all hashes from the rows and the bytes, looks up the request of each erasure, and returns a sentence for each change or gap.';
