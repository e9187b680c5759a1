-- The database decides which images may go. A file that a post refers to cannot be removed, replaced or
-- renamed by a signed-in user. A file that no post has referred to for a day is removed by a scheduled
-- job: the function remove-unused-images, with the secret key.

create function private.image_name(url text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
declare
  -- The host is not compared: an address of another project only keeps a file too long.
  encoded text := substring(
    url from '/storage/v1/(?:object|render/image)/public/images/([^?#]+)'
  );
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
comment on function private.image_name(text) is
  'The name in the images bucket that a public address leads to; null for any other address.';
-- It stays executable: a role that writes a post also runs the index below.
create index posts_image_name on public.posts (private.image_name(image_url));

-- Everything that refers to images belongs here. A table that refers to them also needs a trigger that
-- calls private.use_image for each image of a new or changed row.
create function private.is_image_used(image text)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (select from public.posts where private.image_name(image_url) = image);
$$;
comment on function private.is_image_used(text) is
  'Whether anything refers to a file of the images bucket. Policies and the removal of unused images ask this.';
revoke execute on function private.is_image_used(text) from public;
-- The schema stays closed, so nobody can call it: only the policies below run it as this role.
grant execute on function private.is_image_used(text) to authenticated;

alter policy "The owner replaces images" on storage.objects
  using (
    bucket_id = 'images' and (select public.is_owner()) and not private.is_image_used(name)
  );
alter policy "The owner removes images" on storage.objects
  using (
    bucket_id = 'images' and (select public.is_owner()) and not private.is_image_used(name)
  );

create table private.unused_images (
  name text primary key,
  since timestamptz not null default now(),
  removing boolean not null default false
);
comment on table private.unused_images is
  'Files of the images bucket that nothing refers to, since when, and whether their removal has begun.';
alter table private.unused_images enable row level security;

-- Writers of posts hold this lock together, the job alone: an image is either used or removed.
create function private.use_image(url text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  image text := private.image_name(url);
begin
  if image is null then
    return;
  end if;
  perform pg_advisory_xact_lock_shared(hashtext('unused_images'));
  -- A day without any reference starts anew.
  delete from private.unused_images where name = image and not removing;
  if exists (select from private.unused_images where name = image) then
    raise exception 'The image % is being removed, because nothing referred to it for a day', image;
  end if;
end;
$$;
comment on function private.use_image(text) is
  'Keeps an image from being removed as unused; fails when its removal has begun.';
revoke execute on function private.use_image(text) from public;

create function private.use_post_image()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.use_image(new.image_url);
  return new;
end;
$$;
revoke execute on function private.use_post_image() from public;

create trigger posts_use_image
  before insert or update of image_url on public.posts
  for each row execute function private.use_post_image();

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
    where private.is_image_used(unused.name)
      or not exists (
        select from storage.objects
          where bucket_id = 'images' and objects.name = unused.name
            and objects.updated_at <= unused.since
      );
  insert into private.unused_images (name)
    select name from storage.objects
      where bucket_id = 'images' and not private.is_image_used(name)
    on conflict do nothing;
  return exists (
    select from private.unused_images where since <= now() - interval '1 day'
  );
end;
$$;
comment on function private.note_unused_images() is
  'Notes which images nothing refers to. Answers whether one of them has been unused for a day.';
revoke execute on function private.note_unused_images() from public;

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
          where unused.since <= now() - interval '1 day'
          order by unused.since, unused.name
          limit least(max_count, 1000)
      )
      returning name;
end;
$$;
comment on function public.claim_unused_images(integer) is
  'Names of images that nothing has referred to for a day. From now on no post can refer to them. The secret key only.';
revoke execute on function public.claim_unused_images(integer) from public, anon, authenticated;
grant execute on function public.claim_unused_images(integer) to service_role;

-- The schedule of a hosted project, with the same two Vault secrets as private.request_message_delivery.
-- The embedded backend has a timer of its own.
create function private.request_image_removal()
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  project_url text;
  secret_key text;
begin
  if not private.note_unused_images() then
    return;
  end if;
  select decrypted_secret into project_url
    from vault.decrypted_secrets where name = 'project_url';
  select decrypted_secret into secret_key
    from vault.decrypted_secrets where name = 'secret_key';
  if project_url is null or secret_key is null then
    return;
  end if;
  perform net.http_post(
    url := rtrim(project_url, '/') || '/functions/v1/remove-unused-images',
    headers := jsonb_build_object('Content-Type', 'application/json', 'apikey', secret_key),
    body := '{}'::jsonb,
    timeout_milliseconds := 60000
  );
end;
$$;
comment on function private.request_image_removal() is
  'Calls remove-unused-images when images have been unused for a day. Run by pg_cron every hour.';
revoke execute on function private.request_image_removal() from public;

do $$
begin
  if (
    select count(*) from pg_available_extensions
      where name in ('pg_cron', 'pg_net', 'supabase_vault')
  ) < 3 then
    raise notice 'No pg_cron, pg_net and Vault here: unused images are not removed by a schedule';
    return;
  end if;
  create extension if not exists pg_cron with schema pg_catalog;
  create extension if not exists pg_net;
  create extension if not exists supabase_vault with schema vault;
  perform cron.schedule('remove-unused-images', '17 * * * *', 'select private.request_image_removal()');
exception when others then
  -- A project may forbid them. A migration that fails here would block every later one.
  raise notice 'Unused images are not removed by a schedule: %', sqlerrm;
end;
$$;
