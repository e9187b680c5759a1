-- Images of posts and settings, and PDFs that posts link to. The buckets images and files are public: a file is read by its
-- address, without a policy. A file never changes its name, and is neither replaced nor deleted while anything refers to it, or
-- a version of a post that can be restored. A scheduled job, the function remove-unused-images, removes files that nothing has
-- referred to for a day. The archive has its own copies.
--
-- Rows refer to a file by bucket and percent-encoded name, 'images/public/a%20b.png', never by its address, which depends on
-- where the site runs (docs/decisions/2026-11-22-image-references.md). No other spelling of a file is accepted. A PDF is linked as
-- '/files/{name}.pdf', where the site serves it. Its name in the bucket is 'files/{name}.pdf', which no image has, so the functions
-- and tables below take the names of both buckets.

create function private.with_references(document text)
returns text
language sql
immutable
set search_path = ''
as $$
  -- Any host matches, because a row may come from a site at another address.
  select regexp_replace(
    document,
    '("(?:src|image_url)": ")(?:https?://[^/"\\ ]+)?/storage/v1/(?:object|render/image)/public/(images/[^"?#\\ ]+)[^"\\ ]*(?=")',
    '\1\2',
    'g'
  );
$$;
comment on function private.with_references(text) is
  'A row or document, as the text of its jsonb, with a reference in place of each address of a file of the images bucket.';

create function private.percent_decoded(encoded text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
begin
  if encoded is null or strpos(encoded, '%') = 0 then
    return encoded;
  end if;
  begin
    return (
      select convert_from(
        string_agg(
          case
            when piece[1] is null then convert_to(piece[2], 'UTF8')
            else decode(piece[1], 'hex')
          end,
          '' order by position
        ),
        'UTF8'
      )
      from regexp_matches(encoded, '%([0-9A-Fa-f]{2})|([^%]+|%)', 'g')
        with ordinality as matches (piece, position)
    );
  exception
    -- Bytes that are not UTF-8 name no file.
    when character_not_in_repertoire or untranslatable_character then
      return null;
  end;
end;
$$;

create function private.image_name(reference text)
returns text
language sql
immutable
set search_path = ''
as $$
  select private.percent_decoded(substring(reference from '^images/([^?#]+)'));
$$;
comment on function private.image_name(text) is
  'The name in the images bucket of a reference; null for any other image.';

-- Browsers and proxies read one file under many spellings, of which only the first is tracked. isReference in
-- app/config/image-address.ts says the same.
create function private.is_image(reference text)
returns boolean
language sql
immutable
set search_path = ''
as $$
  select case
    -- An upload. No segment of its name starts with a dot, or has a slash, backslash or control character.
    when reference ~ '^images/' then
      reference ~ '^images/public(/(?!\.|%2[Ee])([A-Za-z0-9_;,:@&=+$.!~*''()-]|%(?!2[Ff]|5[Cc]|[01]|7[Ff])[0-9A-Fa-f]{2})+)+$'
      and private.image_name(reference) is not null
    -- A file that ships with the site; /images/{size}/ has scaled images.
    when reference ~ '^/' then
      reference ~ '^/images/(?![0-9]+(x[0-9]+)?/)((?!uploads/)[A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*([?][A-Za-z0-9_.=&~-]*)?$'
    -- An image on another host. Which hosts are this site's is not known here, so the paths of its files are rejected on
    -- every host, also in spellings that a server could decode or normalize.
    else
      reference ~ '^https?://[A-Za-z0-9-]+([.][A-Za-z0-9-]+)*(:[0-9]{1,5})?([/?#]([A-Za-z0-9_.~:/?#@!$&''()*+,;=-]|%[0-9A-Fa-f]{2})*)?$'
      and private.percent_decoded(substring(reference from '^https?://[^/?#]+([^?#]*)'))
        !~* '/[.]{1,2}(/|$)|\\|%[0-9a-f]{2}|/storage/+v1/|/images/+[0-9]+(x[0-9]+)?/+uploads/'
  end is true;
$$;
comment on function private.is_image(text) is
  'Whether rows may name an image so: an upload as images/public/{name}, a file of the site as /images/{name}, or an address on another host.';

create function private.link_path(href text)
returns text
language sql
immutable
set search_path = ''
as $$
  -- What is not UTF-8 can have dots all the same.
  select coalesce(private.percent_decoded(path), regexp_replace(path, '%2e', '.', 'gi'))
    from substring(href from '^[^?#]*') as path;
$$;
comment on function private.link_path(text) is 'A link without its query and hash, decoded.';

create function private.file_name(href text)
returns text
language sql
immutable
set search_path = ''
as $$
  select substring(private.link_path(href) from '/(files/[a-z0-9-]+[.]pdf)$');
$$;
comment on function private.file_name(text) is
  'The name in the files bucket of what a link leads to, on any host and in any spelling; null for any other link.';

create function private.document_images(document jsonb)
returns text[]
language sql
immutable
security definer
set search_path = ''
as $$
  select coalesce(array_agg(distinct name), '{}')
    from (
      select private.image_name(source #>> '{}') as name
        from jsonb_path_query(document, '$.**.src') as source
      union all
      select private.image_name(document ->> 'image_url')
      union all
      -- Of marks, itemMarks and rowMarks.
      select private.file_name(href #>> '{}') from jsonb_path_query(document, '$.content.**.href') as href
    ) as names
    where name is not null;
$$;
comment on function private.document_images(jsonb) is
  'The files that a document refers to: the images that it shows, and the PDFs to which the text of a post links.';
-- A role that writes a document also computes its index.
grant execute
  on function private.percent_decoded(text), private.image_name(text), private.link_path(text), private.file_name(text),
    private.document_images(jsonb)
  to anon, authenticated, service_role;

-- What is public is in a version, too, so versions and drafts name every file in use (versions.sql).
create function private.is_image_used(image text)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return exists (select from public.drafts where images @> array[image])
    or exists (
      select from public.versions as version
        where images @> array[image]
          and (
            -- Earlier settings can be put back at any time.
            kind = 'section'
            or number = private.public_version(kind, thing)
            or exists (select from public.schedules where schedules.version = version.number)
            or event = 'submitted' and exists (
              -- What a reviewer reads now.
              select from public.drafts as draft
                where (draft.kind, draft.thing, draft.saved_at) = (version.kind, version.thing, version.draft)
            )
          )
    );
end;
$$;
comment on function private.is_image_used(text) is
  'Whether anything refers to a file. Policies and the removal of unused images ask this.';
grant execute on function private.is_image_used(text) to authenticated;

create function private.is_image_kept(image text)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return private.is_image_used(image)
    or exists (
      select from public.versions as version
        cross join lateral private.newest_version(version.kind, version.thing) as newest
        where version.images @> array[image]
          and (
            -- What was approved can be published at any time.
            version.event in ('submitted', 'approved', 'returned')
            or newest.event <> 'removed'
              and (newest.event <> 'deleted' or newest.at > now() - interval '30 days' or private.is_held())
          )
    );
end;
$$;
comment on function private.is_image_kept(text) is
  'Whether a file may not be deleted: something refers to it, a submission or approval, or a version of what exists or was deleted in the last 30 days, or at any time during a hold.';

-- A policy for updates sees the new row only. This function is stable, so it sees the old one.
create function private.has_image_name(id uuid, name text)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
    select from storage.objects as stored
      where stored.id = has_image_name.id and stored.name = has_image_name.name
  );
$$;
comment on function private.has_image_name(uuid, text) is 'Whether a stored file has this name.';

-- Policies call them as the role of the caller, who cannot use the schema.
grant execute on function private.is_image_kept(text), private.has_image_name(uuid, text) to authenticated;

create table private.unused_images (
  name text primary key,
  since timestamptz not null default now(),
  removing boolean not null default false
);
comment on table private.unused_images is
  'Files of the buckets images and files that nothing refers to, since when, and whether their removal has begun.';
alter table private.unused_images enable row level security;

-- Writers hold this lock together, the job alone: a file is either used or removed.
create function private.use_file(file text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if file is null then
    return;
  end if;
  perform pg_advisory_xact_lock_shared(hashtext('unused_images'));
  -- The day without a reference starts again.
  delete from private.unused_images where name = file and not removing;
  if exists (select from private.unused_images where name = file) then
    raise exception 'The file % is being removed, because nothing referred to it for a day', file;
  end if;
end;
$$;
comment on function private.use_file(text) is
  'Keeps a file from being removed as unused; fails when its removal has begun.';

create function private.use_image(reference text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if reference is null then
    return;
  end if;
  if not private.is_image(reference) then
    raise exception 'The address of an image is not accepted. Upload the image instead.'
      using errcode = 'PT422';
  end if;
  perform private.use_file(private.image_name(reference));
end;
$$;
comment on function private.use_image(text) is
  'Keeps an image from being removed as unused; fails when its removal has begun, or when its address is not accepted.';

create function private.use_images(document jsonb)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  reference text;
begin
  for reference in
    select document ->> 'image_url'
    union
    select source #>> '{}' from jsonb_path_query(document, '$.**.src') as source
  loop
    perform private.use_image(reference);
  end loop;
  for reference in
    select href #>> '{}' from jsonb_path_query(document, '$.content.**.href') as href
  loop
    -- Browsers read such a path as another one, which could be that of a file.
    if private.link_path(reference) ~ '\\|/[.]{1,2}(/|$)' and private.link_path(reference) ~* 'files' then
      raise exception 'The address of a file is not accepted. Attach the file instead.'
        using errcode = 'PT422';
    end if;
    perform private.use_file(private.file_name(reference));
  end loop;
end;
$$;
comment on function private.use_images(jsonb) is
  'Keeps the files of a document from being removed as unused; fails when one is being removed, or has no accepted address.';

create function private.note_unused_images()
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtext('unused_images'));
  -- Removed meanwhile, uploaded again under the same name, or in use.
  delete from private.unused_images as unused
    where private.is_image_kept(unused.name)
      or not exists (
        select from storage.objects
          where bucket_id in ('images', 'files') and objects.name = unused.name
            and objects.updated_at <= unused.since
      );
  insert into private.unused_images (name)
    select name from storage.objects
      where bucket_id in ('images', 'files') and not private.is_image_kept(name)
    on conflict do nothing;
  return not private.is_held() and exists (
    select from private.unused_images where since <= now() - interval '1 day'
  ) or exists (select from public.list_expired_images(1));
end;
$$;
comment on function private.note_unused_images() is
  'Notes which images nothing refers to. Returns whether an image has been unused for a day or deleted for 30 days.';

create function public.claim_unused_images(max_count integer)
returns setof text
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.note_unused_images();
  return query
    update private.unused_images set removing = true
      where name in (
        select unused.name from private.unused_images as unused
          where unused.since <= now() - interval '1 day' and not private.is_held()
          order by unused.since, unused.name
          limit least(max_count, 1000)
      )
      returning name;
end;
$$;
comment on function public.claim_unused_images(integer) is
  'Names of images that nothing has referred to for a day. From now on no post can refer to them. The secret key only.';
grant execute on function public.claim_unused_images(integer) to service_role;

create function public.list_expired_images(max_count integer)
returns setof text
language sql
stable
security definer
set search_path = ''
as $$
  select name from storage.objects
    where bucket_id = 'deleted-images' and updated_at <= now() - interval '30 days'
      and not (select private.is_held()) and not private.is_image_kept(name)
    order by updated_at, name
    limit least(max_count, 1000);
$$;
comment on function public.list_expired_images(integer) is
  'Names of images that were moved to the bucket deleted-images 30 days ago and that no version of a post needs. The secret key only.';
grant execute on function public.list_expired_images(integer) to service_role;

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  select id, id, id = 'images', 50 * 1024 * 1024, array['image/jpeg', 'image/png', 'image/gif', 'image/webp']
    from unnest(array['images', 'deleted-images']) as id
  on conflict (id) do update set
    public = excluded.public,
    file_size_limit = excluded.file_size_limit,
    allowed_mime_types = excluded.allowed_mime_types;

-- Images of deleted posts and replaced images are moved between the two buckets, under the same name. Only the scheduled
-- job removes files from the bucket deleted-images.
create policy "Writers list images" on storage.objects
  for select to authenticated
  using (bucket_id in ('images', 'files', 'deleted-images') and (select private.may('write posts')));
-- Storage replaces a file by inserting its row again, so this policy covers that as well. Storage checks the types of the
-- bucket neither when a file is copied with another type nor when its name ends in .emptyFolderPlaceholder. Versions before
-- 1.45 insert no metadata here.
create policy "Writers upload images" on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'images'
    and (storage.foldername(name))[1] = 'public'
    and name not like '%.emptyFolderPlaceholder'
    and coalesce(metadata ->> 'mimetype', 'image/png') ~ '^image/(jpeg|png|gif|webp)$'
    and (select private.may('write posts'))
    and not private.is_image_kept(name)
  );
create policy "Writers move images" on storage.objects
  for update to authenticated
  using (
    (bucket_id = 'deleted-images' or (bucket_id in ('images', 'files') and not private.is_image_used(name)))
    and (select private.may('write posts'))
  )
  with check (
    bucket_id in ('deleted-images', case when name like 'files/%' then 'files' else 'images' end)
    and private.has_image_name(id, name)
    and (select private.may('write posts'))
  );
create policy "Writers remove images" on storage.objects
  for delete to authenticated
  using (
    bucket_id in ('images', 'files')
    and (select private.may('write posts'))
    and not private.is_image_kept(name)
  );
