-- Drafts, scheduled posts, preview links and the history of posts. `posts` holds published posts only, so nothing that
-- visitors read has to leave anything out.

create function private.post_images(image_url text, content jsonb)
returns text[]
language sql
immutable
security definer
set search_path = ''
as $$
  select coalesce(array_agg(distinct name), '{}')
    from (
      select post_images.image_url as url
      union all
      select source #>> '{}'
        from jsonb_path_query(content, '$[*] ? (@.type == "image").src') as source
    ) as images,
      private.image_name(url) as name
    where name is not null;
$$;
comment on function private.post_images(text, jsonb) is
  'The files of the images bucket that a post refers to: its featured image and those in its text.';
-- It stays executable, as image_name does: a role that writes a post also runs the indexes below. It calls a function of
-- a schema that this role cannot use, so it runs as its owner.

create table public.post_drafts (
  id uuid primary key,
  title text not null default '',
  tagline text not null default '',
  category text not null default '',
  author text not null default '',
  text text not null default '',
  content jsonb not null default '[]',
  image_url text,
  alt text not null default '',
  slug text not null default '',
  related_services jsonb not null default '[]',
  base_version timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  constraint post_drafts_slug_format check (slug ~ '^[A-Za-z0-9_-]*$' and char_length(slug) <= 600),
  constraint post_drafts_title_length check (char_length(title) <= 500),
  constraint post_drafts_tagline_length check (char_length(tagline) <= 600),
  constraint post_drafts_category_length check (char_length(category) <= 100),
  constraint post_drafts_author_length check (char_length(author) <= 200),
  constraint post_drafts_text_length check (octet_length(text) <= 1000000),
  constraint post_drafts_content_blocks check (
    jsonb_typeof(content) = 'array' and octet_length(content::text) <= 1000000
  ),
  constraint post_drafts_image_url check (
    char_length(image_url) <= 2000 and image_url ~* '^(https?://[^/]|/[^/\\])'
  ),
  constraint post_drafts_alt_length check (char_length(alt) <= 600),
  constraint post_drafts_related_services_list check (
    jsonb_typeof(related_services) = 'array' and octet_length(related_services::text) <= 10000
  )
);
comment on table public.post_drafts is
  'The working copies of posts: of a new post, or of changes to a scheduled or published post with the same id. May be incomplete. An empty tagline, alt or slug is generated from the title.';
comment on column public.post_drafts.text is 'What is typed in the content field; content has the blocks made from it.';
comment on column public.post_drafts.base_version is
  'updated_at of the scheduled or published version that the draft started from; null for a new post.';
create index post_drafts_newest_first on public.post_drafts (updated_at desc, id);
create index post_drafts_images on public.post_drafts using gin (private.post_images(image_url, content));

create table public.scheduled_posts (
  like public.posts including defaults including constraints,
  primary key (id)
);
comment on table public.scheduled_posts is
  'Complete posts that become public at published_date. private.publish_scheduled_posts moves them to posts.';
create index scheduled_posts_next_first on public.scheduled_posts (published_date, id);
create index scheduled_posts_images on public.scheduled_posts
  using gin (private.post_images(image_url, content));
create index posts_images on public.posts using gin (private.post_images(image_url, content));
drop index public.posts_image_name;

create table public.post_versions (
  id bigint generated always as identity primary key,
  post_id uuid not null,
  event text not null,
  document jsonb not null,
  saved_at timestamptz not null default clock_timestamp(),
  saved_by uuid default auth.uid(),
  constraint post_versions_event check (event in ('draft', 'scheduled', 'published', 'deleted'))
);
comment on table public.post_versions is
  'Every saved version of every post, append-only, written by triggers and functions alone. document has the columns of the post; after a deletion also former_slugs, and state "draft" when it was never published.';
create index post_versions_newest_first on public.post_versions (post_id, id desc);
create index post_versions_deleted on public.post_versions (saved_at desc) where event = 'deleted';

create table public.post_previews (
  token uuid primary key default gen_random_uuid(),
  post_id uuid not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '14 days',
  created_by uuid default auth.uid()
);
comment on table public.post_previews is
  'Links that show a draft or scheduled post to people without an account until they expire. Deleting the row revokes the link.';

create function private.require_writer()
returns void
language plpgsql
stable
set search_path = ''
as $$
begin
  if coalesce(public.my_role(), '') not in ('owner', 'editor') then
    raise exception 'Only owners and editors may do this' using errcode = '42501';
  end if;
end;
$$;
revoke execute on function private.require_writer() from public;

-- Images

-- As before, with drafts, scheduled posts and the images inside a text.
create or replace function private.is_image_used(image text)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (select from public.posts where private.post_images(image_url, content) @> array[image])
    or exists (select from public.scheduled_posts where private.post_images(image_url, content) @> array[image])
    or exists (select from public.post_drafts where private.post_images(image_url, content) @> array[image])
    or exists (select from public.site_settings_versions where images @> array[image])
    or exists (select from public.site_settings_drafts where images @> array[image])
    or exists (
      select from private.removed_samples where private.image_name(content ->> 'image_url') = image
    );
$$;

create or replace function private.use_post_image()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  url text;
begin
  perform private.use_image(new.image_url);
  for url in
    select distinct source #>> '{}'
      from jsonb_path_query(new.content, '$[*] ? (@.type == "image").src') as source
  loop
    perform private.use_image(url);
  end loop;
  return new;
end;
$$;
drop trigger posts_use_image on public.posts;
create trigger posts_use_image
  before insert or update of image_url, content on public.posts
  for each row execute function private.use_post_image();
create trigger scheduled_posts_use_image
  before insert or update of image_url, content on public.scheduled_posts
  for each row execute function private.use_post_image();
create trigger post_drafts_use_image
  before insert or update of image_url, content on public.post_drafts
  for each row execute function private.use_post_image();

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'deleted-images', 'deleted-images', false, 50 * 1024 * 1024,
  array['image/jpeg', 'image/png', 'image/gif', 'image/webp']
)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- Images of deleted posts and replaced images are moved between the two buckets, under the same name. Only the
-- scheduled job removes files from the bucket of deleted images.
alter policy "Owners and editors list images" on storage.objects
  using (
    bucket_id in ('images', 'deleted-images')
    and (select public.my_role()) in ('owner', 'editor')
  );
alter policy "Owners and editors replace images" on storage.objects
  using (
    (bucket_id = 'deleted-images' or (bucket_id = 'images' and not private.is_image_used(name)))
    and (select public.my_role()) in ('owner', 'editor')
  )
  with check (
    bucket_id in ('images', 'deleted-images')
    and (storage.foldername(name))[1] = 'public'
    and (select public.my_role()) in ('owner', 'editor')
  );

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
  ) or exists (
    select from storage.objects
      where bucket_id = 'deleted-images' and updated_at <= now() - interval '30 days'
  );
end;
$$;
comment on function private.note_unused_images() is
  'Notes which images nothing refers to. Returns whether an image has been unused for a day or deleted for 30 days.';

create function public.list_expired_images(max_count integer)
returns setof text
language sql
stable
security definer
set search_path = ''
as $$
  select name from storage.objects
    where bucket_id = 'deleted-images' and updated_at <= now() - interval '30 days'
    order by updated_at, name
    limit least(max_count, 1000);
$$;
comment on function public.list_expired_images(integer) is
  'Names of images that were moved to the bucket deleted-images 30 days ago. The secret key only.';
revoke execute on function public.list_expired_images(integer) from public, anon, authenticated;
grant execute on function public.list_expired_images(integer) to service_role;

-- Drafts

create function private.touch_post_draft()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    new.created_at := old.created_at;
    -- Only the publication of a scheduled post changes nothing else.
    if to_jsonb(new) - array['base_version', 'updated_at', 'updated_by']
      = to_jsonb(old) - array['base_version', 'updated_at', 'updated_by']
    then
      new.updated_at := old.updated_at;
      new.updated_by := old.updated_by;
      return new;
    end if;
  end if;
  new.updated_at := clock_timestamp();
  new.updated_by := (select auth.uid());
  return new;
end;
$$;
revoke execute on function private.touch_post_draft() from public;
create trigger post_drafts_touch
  before insert or update on public.post_drafts
  for each row execute function private.touch_post_draft();

-- Scheduled posts

create function private.check_schedule()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if new.published_date <= now() then
    raise exception 'The time to publish is in the past' using errcode = '23514';
  end if;
  if exists (select from public.posts where id = new.id) then
    raise exception 'The post is published already' using errcode = '23514';
  end if;
  if new.image_url is null or not jsonb_path_exists(new.content, '$[0]') then
    raise exception 'A scheduled post needs an image and a text' using errcode = '23514';
  end if;
  -- Lists are sorted by created_at: the post is as new as its publication.
  new.created_at := new.published_date;
  new.updated_at := clock_timestamp();
  return new;
end;
$$;
revoke execute on function private.check_schedule() from public;
create trigger scheduled_posts_check
  before insert or update on public.scheduled_posts
  for each row execute function private.check_schedule();

create function private.free_slug(wanted text, post_id uuid)
returns text
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  candidate text := wanted;
  suffix integer := 0;
begin
  while candidate in ('new', 'category', 'preview')
    or exists (select from public.posts where slug = candidate and id <> post_id)
  loop
    suffix := suffix + 1;
    candidate := left(wanted, 590) || '-' || suffix;
  end loop;
  return candidate;
end;
$$;
comment on function private.free_slug(text, uuid) is
  'The first free one of slug, slug-1, slug-2 … (section 5 of the specification).';
revoke execute on function private.free_slug(text, uuid) from public;

create function private.publish_scheduled_posts()
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  due public.scheduled_posts;
  published integer := 0;
  now_published timestamptz;
begin
  for due in
    select * from public.scheduled_posts
      where published_date <= now()
      order by published_date, id
      limit 100
      for update skip locked
  loop
    -- A post that cannot be published must not stop the others.
    begin
      now_published := greatest(clock_timestamp(), due.published_date);
      insert into public.posts (
        id, slug, title, tagline, category, author, content, image_url, alt, related_services,
        published_date, created_at, updated_at
      ) values (
        due.id, private.free_slug(due.slug, due.id), due.title, due.tagline, due.category, due.author,
        due.content, due.image_url, due.alt, due.related_services,
        due.published_date, due.published_date, now_published
      )
      on conflict (id) do nothing;
      delete from public.scheduled_posts where id = due.id;
      update public.post_drafts set base_version = now_published
        where id = due.id and base_version = due.updated_at;
      published := published + 1;
    exception when others then
      raise warning 'The scheduled post % was not published: %', due.id, sqlerrm;
    end;
  end loop;
  return published;
end;
$$;
comment on function private.publish_scheduled_posts() is
  'Publishes the scheduled posts that are due, and returns how many. Run every minute by pg_cron, or by the timer of the embedded backend.';
revoke execute on function private.publish_scheduled_posts() from public;

create function public.unschedule_post(post_id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  scheduled public.scheduled_posts;
begin
  perform private.require_writer();
  delete from public.scheduled_posts where id = unschedule_post.post_id returning * into scheduled;
  if not found then
    return false;
  end if;
  insert into public.post_drafts (
    id, title, tagline, category, author, content, image_url, alt, slug, related_services
  ) values (
    scheduled.id, scheduled.title, scheduled.tagline, scheduled.category, scheduled.author,
    scheduled.content, scheduled.image_url, scheduled.alt, scheduled.slug, scheduled.related_services
  )
  -- A working copy is newer than what was scheduled.
  on conflict (id) do update set base_version = null;
  return true;
end;
$$;
comment on function public.unschedule_post(uuid) is
  'Makes a scheduled post a draft again. Returns false when it is not scheduled, because it was published meanwhile. Its text is the one of its blocks. Owners and editors only.';
revoke execute on function public.unschedule_post(uuid) from public, anon;
grant execute on function public.unschedule_post(uuid) to authenticated;

-- History

create function private.add_post_version(post_id uuid, event text, document jsonb)
returns void
language sql
security definer
set search_path = ''
as $$
  insert into public.post_versions (post_id, event, document)
    select add_post_version.post_id, add_post_version.event, add_post_version.document
      where not exists (
        select from (
          select last.event, last.document
            from public.post_versions as last
            where last.post_id = add_post_version.post_id
            order by last.id desc
            limit 1
        ) as newest
          where newest.event = add_post_version.event
            and newest.document - 'updated_at' = add_post_version.document - 'updated_at'
      );
$$;
comment on function private.add_post_version(uuid, text, jsonb) is
  'Adds a version, unless the newest one is the same.';
revoke execute on function private.add_post_version(uuid, text, jsonb) from public;

create function private.keep_post_version()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    perform private.add_post_version(
      old.id,
      'deleted',
      to_jsonb(old) || jsonb_build_object(
        'former_slugs',
        (
          select coalesce(jsonb_agg(former.slug order by former.created_at), '[]')
            from public.post_slugs as former where former.post_id = old.id
        )
      )
    );
    return old;
  end if;
  perform private.add_post_version(new.id, tg_argv[0], to_jsonb(new));
  return null;
end;
$$;
revoke execute on function private.keep_post_version() from public;
create trigger posts_keep_version
  after insert or update on public.posts
  for each row execute function private.keep_post_version('published');
-- Before, because the deletion also removes the former slugs.
create trigger posts_keep_deleted_version
  before delete on public.posts
  for each row execute function private.keep_post_version();
create trigger scheduled_posts_keep_version
  after insert or update on public.scheduled_posts
  for each row execute function private.keep_post_version('scheduled');

insert into public.post_versions (post_id, event, document, saved_at, saved_by)
  select id, 'published', to_jsonb(posts), updated_at, null from public.posts order by updated_at;

create function private.draft_document(draft public.post_drafts)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select to_jsonb(draft) - array['text', 'base_version', 'created_at', 'updated_by'];
$$;
revoke execute on function private.draft_document(public.post_drafts) from public;

create function public.save_draft_version(draft_id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  draft public.post_drafts;
begin
  perform private.require_writer();
  select * into draft from public.post_drafts where id = draft_id;
  if not found then
    return false;
  end if;
  perform private.add_post_version(draft.id, 'draft', private.draft_document(draft));
  return true;
end;
$$;
comment on function public.save_draft_version(uuid) is
  'Adds the stored draft to the history of its post. Returns false when there is no such draft. Owners and editors only.';

revoke execute on function public.save_draft_version(uuid) from public, anon;
grant execute on function public.save_draft_version(uuid) to authenticated;

create function public.discard_draft(draft_id uuid, seen_version timestamptz)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  draft public.post_drafts;
  is_changed_post boolean;
begin
  perform private.require_writer();
  delete from public.post_drafts
    where id = draft_id and updated_at = seen_version
    returning * into draft;
  if not found then
    return false;
  end if;
  is_changed_post := exists (select from public.posts where id = draft_id)
    or exists (select from public.scheduled_posts where id = draft_id);
  perform private.add_post_version(
    draft.id,
    case when is_changed_post then 'draft' else 'deleted' end,
    private.draft_document(draft)
      || case when is_changed_post then '{}'::jsonb else '{"state": "draft"}'::jsonb end
  );
  return true;
end;
$$;
comment on function public.discard_draft(uuid, timestamptz) is
  'Deletes a draft and keeps its text in the history; a draft of a new post can be restored for 30 days. Returns false when the draft was changed since seen_version or is gone. Owners and editors only.';
revoke execute on function public.discard_draft(uuid, timestamptz) from public, anon;
grant execute on function public.discard_draft(uuid, timestamptz) to authenticated;

create function public.restore_deleted_post(deleted_id uuid)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  deleted public.post_versions;
  restored public.posts;
begin
  perform private.require_writer();
  select * into deleted from public.post_versions
    where post_id = deleted_id order by id desc limit 1;
  if deleted.event is distinct from 'deleted' or deleted.saved_at <= now() - interval '30 days' then
    return null;
  end if;
  if deleted.document ->> 'state' = 'draft' then
    insert into public.post_drafts (
      id, title, tagline, category, author, content, image_url, alt, slug, related_services
    )
      select id, title, tagline, category, author, content, image_url, alt, slug, related_services
        from jsonb_populate_record(null::public.post_drafts, deleted.document)
      on conflict (id) do nothing;
    perform private.add_post_version(deleted_id, 'draft', deleted.document - 'state');
    return jsonb_build_object('state', 'draft', 'id', deleted_id);
  end if;
  restored := jsonb_populate_record(null::public.posts, deleted.document);
  restored.slug := private.free_slug(restored.slug, deleted_id);
  restored.updated_at := clock_timestamp();
  insert into public.posts select restored.* on conflict (id) do nothing;
  insert into public.post_slugs (slug, post_id)
    select former, deleted_id
      from jsonb_array_elements_text(deleted.document -> 'former_slugs') as former
      where not exists (select from public.posts where posts.slug = former)
    on conflict (slug) do nothing;
  return jsonb_build_object('state', 'published', 'id', deleted_id, 'slug', restored.slug);
end;
$$;
comment on function public.restore_deleted_post(uuid) is
  'Puts back a post or draft that was deleted in the last 30 days. Returns its state, id and slug, or null when there is nothing to restore. Owners and editors only.';
revoke execute on function public.restore_deleted_post(uuid) from public, anon;
grant execute on function public.restore_deleted_post(uuid) to authenticated;

-- Preview links

create function public.get_post_preview(preview_token uuid)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  shown_id uuid;
  found_post jsonb;
begin
  select post_id into shown_id from public.post_previews
    where token = preview_token and expires_at > now();
  if shown_id is null then
    return null;
  end if;
  select private.draft_document(draft) || jsonb_build_object('published_date', draft.updated_at)
    into found_post
    from public.post_drafts as draft where id = shown_id;
  if found_post is not null then
    return jsonb_build_object('state', 'draft', 'post', found_post);
  end if;
  select to_jsonb(scheduled) into found_post
    from public.scheduled_posts as scheduled where id = shown_id;
  if found_post is not null then
    return jsonb_build_object('state', 'scheduled', 'post', found_post);
  end if;
  select jsonb_build_object('state', 'published', 'slug', slug) into found_post
    from public.posts where id = shown_id;
  return found_post;
end;
$$;
comment on function public.get_post_preview(uuid) is
  'What a preview link shows: {state, post}, or {state, slug} of a published post; null for an unknown, revoked or expired link.';
revoke execute on function public.get_post_preview(uuid) from public;
grant execute on function public.get_post_preview(uuid) to anon, authenticated, service_role;

-- Access

alter table public.post_drafts enable row level security;
alter table public.scheduled_posts enable row level security;
alter table public.post_versions enable row level security;
alter table public.post_previews enable row level security;

revoke all on public.post_drafts, public.scheduled_posts, public.post_versions, public.post_previews
  from anon, authenticated;
grant select, insert, update, delete on public.post_drafts, public.scheduled_posts to authenticated;
grant select on public.post_versions to authenticated;
grant select, insert (post_id), delete on public.post_previews to authenticated;
grant all on public.post_drafts, public.scheduled_posts, public.post_versions, public.post_previews
  to service_role;

create policy "Owners and editors read drafts" on public.post_drafts
  for select to authenticated using ((select public.my_role()) in ('owner', 'editor'));
create policy "Owners and editors start drafts" on public.post_drafts
  for insert to authenticated with check ((select public.my_role()) in ('owner', 'editor'));
create policy "Owners and editors change drafts" on public.post_drafts
  for update to authenticated
  using ((select public.my_role()) in ('owner', 'editor'))
  with check ((select public.my_role()) in ('owner', 'editor'));
create policy "Owners and editors discard drafts" on public.post_drafts
  for delete to authenticated using ((select public.my_role()) in ('owner', 'editor'));

create policy "Owners and editors read scheduled posts" on public.scheduled_posts
  for select to authenticated using ((select public.my_role()) in ('owner', 'editor'));
create policy "Owners and editors schedule posts" on public.scheduled_posts
  for insert to authenticated with check ((select public.my_role()) in ('owner', 'editor'));
create policy "Owners and editors change scheduled posts" on public.scheduled_posts
  for update to authenticated
  using ((select public.my_role()) in ('owner', 'editor'))
  with check ((select public.my_role()) in ('owner', 'editor'));
create policy "Owners and editors unschedule posts" on public.scheduled_posts
  for delete to authenticated using ((select public.my_role()) in ('owner', 'editor'));

create policy "Owners and editors read versions of posts" on public.post_versions
  for select to authenticated using ((select public.my_role()) in ('owner', 'editor'));

create policy "Owners and editors read preview links" on public.post_previews
  for select to authenticated using ((select public.my_role()) in ('owner', 'editor'));
create policy "Owners and editors create preview links" on public.post_previews
  for insert to authenticated with check ((select public.my_role()) in ('owner', 'editor'));
create policy "Owners and editors revoke preview links" on public.post_previews
  for delete to authenticated using ((select public.my_role()) in ('owner', 'editor'));

-- The schedule of a hosted project. The embedded backend has a timer of its own.
do $$
begin
  if not exists (select from pg_available_extensions where name = 'pg_cron') then
    raise notice 'No pg_cron here: scheduled posts are not published by a schedule';
    return;
  end if;
  create extension if not exists pg_cron with schema pg_catalog;
  perform cron.schedule(
    'publish-scheduled-posts', '* * * * *', 'select private.publish_scheduled_posts()'
  );
exception when others then
  -- A project may forbid it. A migration that fails here would block every later one.
  raise notice 'Scheduled posts are not published by a schedule: %', sqlerrm;
end;
$$;
