-- A file of the buckets images and deleted-images never changes its name, and is neither replaced nor deleted while
-- anything refers to it, or a version of a post that can be restored.

create index post_versions_images on public.post_versions
  using gin (private.post_images(document ->> 'image_url', document -> 'content'));

create function private.is_image_kept(image text)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select private.is_image_used(image)
    or exists (
      select from public.post_versions as version
        cross join lateral (
          select event, saved_at from public.post_versions as each
            where each.post_id = version.post_id
            order by id desc
            limit 1
        ) as newest
        where private.post_images(version.document ->> 'image_url', version.document -> 'content')
            @> array[image]
          and (newest.event <> 'deleted' or newest.saved_at > now() - interval '30 days')
    );
$$;
comment on function private.is_image_kept(text) is
  'Whether a file may not be deleted: something refers to it, or a version of a post that exists or was deleted in the last 30 days.';
revoke execute on function private.is_image_kept(text) from public;

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
revoke execute on function private.has_image_name(uuid, text) from public;

-- As with is_image_used: only the policies below run them as this role.
grant execute on function private.is_image_kept(text), private.has_image_name(uuid, text)
  to authenticated;

-- Storage replaces a file by inserting its row again, so this policy covers that as well.
alter policy "Owners and editors upload images" on storage.objects
  with check (
    bucket_id = 'images'
    and (storage.foldername(name))[1] = 'public'
    and (select public.my_role()) in ('owner', 'editor')
    and not private.is_image_kept(name)
  );
alter policy "Owners and editors replace images" on storage.objects
  with check (
    bucket_id in ('images', 'deleted-images')
    and private.has_image_name(id, name)
    and (select public.my_role()) in ('owner', 'editor')
  );
alter policy "Owners and editors remove images" on storage.objects
  using (
    bucket_id = 'images'
    and (select public.my_role()) in ('owner', 'editor')
    and not private.is_image_kept(name)
  );

create or replace function public.list_expired_images(max_count integer)
returns setof text
language sql
stable
security definer
set search_path = ''
as $$
  select name from storage.objects
    where bucket_id = 'deleted-images' and updated_at <= now() - interval '30 days'
      and not private.is_image_kept(name)
    order by updated_at, name
    limit least(max_count, 1000);
$$;
comment on function public.list_expired_images(integer) is
  'Names of images that were moved to the bucket deleted-images 30 days ago and that no version of a post needs. The secret key only.';

create or replace function private.note_unused_images()
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
          where bucket_id = 'images' and objects.name = unused.name
            and objects.updated_at <= unused.since
      );
  insert into private.unused_images (name)
    select name from storage.objects
      where bucket_id = 'images' and not private.is_image_kept(name)
    on conflict do nothing;
  return exists (
    select from private.unused_images where since <= now() - interval '1 day'
  ) or exists (select from public.list_expired_images(1));
end;
$$;
