-- Drafts and scheduled posts.

create table public.post_drafts (
  id uuid primary key,
  title text not null default '',
  tagline text not null default '',
  category text not null default '',
  author text not null default '',
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
  constraint post_drafts_content_blocks check (
    jsonb_typeof(content) = 'array' and octet_length(content::text) <= 1000000
  ),
  constraint post_drafts_image_url_length check (char_length(image_url) <= 2000),
  constraint post_drafts_alt_length check (char_length(alt) <= 600),
  constraint post_drafts_related_services_list check (
    jsonb_typeof(related_services) = 'array' and octet_length(related_services::text) <= 10000
  )
);
comment on table public.post_drafts is
  'The working copies of posts: of a new post, or of changes to a scheduled or published post with the same id. May be incomplete. An empty tagline, alt or slug is generated from the title.';
comment on column public.post_drafts.base_version is
  'updated_at of the scheduled or published version that the draft started from; null for a new post.';
create index post_drafts_newest_first on public.post_drafts (updated_at desc, id);
create index post_drafts_images on public.post_drafts using gin (private.post_images(image_url, content));

alter table public.post_drafts enable row level security;
revoke all on public.post_drafts from anon, authenticated;
-- Deleted only by functions and triggers, which keep the text in the history.
grant select, insert, update on public.post_drafts to authenticated;
grant all on public.post_drafts to service_role;

create policy "Writers read drafts" on public.post_drafts
  for select to authenticated using ((select private.may('write posts')));
create policy "Writers start drafts" on public.post_drafts
  for insert to authenticated with check ((select private.may('write posts')));
create policy "Writers change drafts" on public.post_drafts
  for update to authenticated
  using ((select private.may('write posts'))) with check ((select private.may('write posts')));

create function private.touch_post_draft()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    new.created_at := old.created_at;
    -- Publishing a scheduled post changes base_version alone, which does not count as an edit.
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
create trigger post_drafts_touch
  before insert or update on public.post_drafts
  for each row execute function private.touch_post_draft();
create trigger post_drafts_use_image
  before insert or update of image_url, content on public.post_drafts
  for each row execute function private.use_post_image();
create trigger post_drafts_check_content_size
  before insert or update of content on public.post_drafts
  for each row when (current_user in ('authenticated', 'service_role'))
  execute function private.check_content_size();

create table public.scheduled_posts (
  like public.posts including defaults including constraints,
  failure text,
  retry_at timestamptz,
  primary key (id),
  constraint scheduled_posts_complete check (
    image_url is not null and jsonb_path_exists(content, '$[0]')
  ),
  constraint scheduled_posts_failure_length check (char_length(failure) <= 1000)
);
comment on table public.scheduled_posts is
  'Complete posts that become public at published_date. private.publish_scheduled_posts moves them to posts.';
comment on column public.scheduled_posts.failure is
  'Why the last attempt to publish failed; null before its time, and after a change.';
comment on column public.scheduled_posts.retry_at is 'When publishing is tried again after a failure.';
create index scheduled_posts_next_first on public.scheduled_posts (published_date, id);
create index scheduled_posts_images on public.scheduled_posts
  using gin (private.post_images(image_url, content));

alter table public.scheduled_posts enable row level security;
revoke all on public.scheduled_posts from anon, authenticated;
grant select on public.scheduled_posts to authenticated;
grant all on public.scheduled_posts to service_role;

create policy "Writers read scheduled posts" on public.scheduled_posts
  for select to authenticated using ((select private.may('write posts')));

create trigger scheduled_posts_use_image
  before insert on public.scheduled_posts
  for each row execute function private.use_post_image();
create trigger scheduled_posts_check_content_size
  before insert on public.scheduled_posts
  for each row execute function private.check_content_size();

create function public.schedule_post(
  post text,
  seen_version timestamptz,
  draft_version timestamptz
)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  wanted public.scheduled_posts := jsonb_populate_record(
    null::public.scheduled_posts, private.with_references(post::jsonb::text)::jsonb
  );
  stored public.scheduled_posts;
  unsent text[] := array['created_at', 'updated_at', 'failure', 'retry_at'];
begin
  perform private.require_writer();
  if wanted.published_date <= now() then
    raise exception 'The time to publish is in the past. Choose a later one.' using errcode = 'PT422';
  end if;
  select * into stored from public.scheduled_posts where id = wanted.id for update;
  -- The same row: the response to the same call was lost.
  if to_jsonb(stored) - unsent is distinct from to_jsonb(wanted) - unsent
    and stored.updated_at is distinct from seen_version
    or exists (select from public.posts where id = wanted.id)
  then
    return false;
  end if;
  delete from public.post_drafts where id = wanted.id and updated_at = draft_version;
  if exists (select from public.post_drafts where id = wanted.id) then
    raise exception 'Another window changed the draft' using errcode = 'exclusion_violation';
  end if;
  delete from public.scheduled_posts where id = wanted.id;
  insert into public.scheduled_posts (
    id, slug, title, tagline, category, author, content, image_url, alt, related_services,
    published_date, created_at, updated_at
  ) values (
    wanted.id, wanted.slug, wanted.title, wanted.tagline, wanted.category, wanted.author,
    wanted.content, wanted.image_url, wanted.alt, wanted.related_services,
    wanted.published_date, wanted.published_date, clock_timestamp()
  );
  return true;
end;
$$;
comment on function public.schedule_post(text, timestamptz, timestamptz) is
  'Schedules a post (JSON), or replaces the scheduled one with updated_at = seen_version (null: there is none), and ends its draft with updated_at = draft_version. Returns false when the post was scheduled, unscheduled or published meanwhile. Safe to repeat. Owners and editors only.';
grant execute on function public.schedule_post(text, timestamptz, timestamptz) to authenticated;

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
      where published_date <= now() and (retry_at is null or retry_at <= now())
      -- Those that failed come last.
      order by retry_at nulls first, published_date, id
      limit 100
      for update skip locked
  loop
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
      update public.scheduled_posts
        set failure = left(sqlerrm, 1000), retry_at = now() + interval '1 hour'
        where id = due.id;
      raise warning 'The scheduled post % was not published: %', due.id, sqlerrm;
    end;
  end loop;
  return published;
end;
$$;
comment on function private.publish_scheduled_posts() is
  'Publishes the scheduled posts that are due, and returns how many. One that fails is set aside for an hour. Run every minute by pg_cron, or by the timer of the embedded backend.';

create function public.unschedule_post(post_id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_writer();
  with scheduled as (
    delete from public.scheduled_posts where id = unschedule_post.post_id returning *
  )
  insert into public.post_drafts (
    id, title, tagline, category, author, content, image_url, alt, slug, related_services
  )
    select id, title, tagline, category, author, content, image_url, alt, slug, related_services
      from scheduled
  -- A working copy is newer than what was scheduled.
  on conflict (id) do update set base_version = null;
  return exists (select from public.post_drafts where id = unschedule_post.post_id)
    and not exists (select from public.posts where id = unschedule_post.post_id);
end;
$$;
comment on function public.unschedule_post(uuid) is
  'Makes a scheduled post a draft again. Returns whether it is one now; false when it was published or deleted meanwhile. Owners and editors only.';
grant execute on function public.unschedule_post(uuid) to authenticated;

alter table public.posts add column draft_version timestamptz;
comment on column public.posts.draft_version is
  'updated_at of the draft that was published last. A publication sends it, and ends that draft; null: there was none.';
grant insert (draft_version), update (draft_version) on public.posts to authenticated;

create function private.end_draft()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    -- Before the version of the deletion, which must be the newest one to be restored.
    perform private.add_post_version(id, 'draft', private.draft_document(draft))
      from public.post_drafts as draft where id = old.id;
    delete from public.post_drafts where id = old.id;
    return old;
  end if;
  delete from public.scheduled_posts where id = new.id;
  delete from public.post_drafts where id = new.id and updated_at = new.draft_version;
  if (tg_op = 'INSERT' or new.draft_version is distinct from old.draft_version)
    and exists (select from public.post_drafts where id = new.id)
  then
    raise exception 'Another window changed the draft' using errcode = 'exclusion_violation';
  end if;
  return new;
end;
$$;
comment on function private.end_draft() is
  'Ends the schedule and the draft of a post that is published, saved or deleted. Fails when the draft is not the published one. An update that keeps draft_version leaves a draft as it is.';
-- Functions that move or restore a post run as their own owner: they keep a draft of changes.
create trigger posts_end_draft
  before insert or update on public.posts
  for each row when (current_user in ('authenticated', 'service_role'))
  execute function private.end_draft();
create trigger posts_end_draft_of_deleted
  before delete on public.posts
  for each row when (current_user in ('authenticated', 'service_role'))
  execute function private.end_draft();
