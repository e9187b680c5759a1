-- What visitors and editors may write: times, samples and preview links. A scheduled post that cannot be published does
-- not stop the others.

-- Scheduled posts that cannot be published

alter table public.scheduled_posts
  add column failure text,
  add column retry_at timestamptz,
  add constraint scheduled_posts_failure_length check (char_length(failure) <= 1000);
comment on column public.scheduled_posts.failure is
  'Why the last attempt to publish failed; null before its time, and after a change.';
comment on column public.scheduled_posts.retry_at is 'When publishing is tried again after a failure.';

create or replace function private.check_schedule()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Only private.publish_scheduled_posts may write these columns.
  if tg_op = 'UPDATE' and new.retry_at is distinct from old.retry_at then
    return new;
  end if;
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
  new.failure := null;
  new.retry_at := null;
  return new;
end;
$$;

drop trigger scheduled_posts_keep_version on public.scheduled_posts;
create trigger scheduled_posts_keep_version
  after insert on public.scheduled_posts
  for each row execute function private.keep_post_version('scheduled');
create trigger scheduled_posts_keep_changed_version
  after update on public.scheduled_posts
  for each row when (new.updated_at <> old.updated_at)
  execute function private.keep_post_version('scheduled');

create or replace function private.publish_scheduled_posts()
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

-- As before, with the failures of scheduled posts.
create or replace function public.search_managed_posts(
  query text,
  filter text,
  month text,
  time_zone text,
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
  patterns text[];
  result jsonb;
begin
  perform private.require_writer();
  if char_length(query) > 1000 then
    raise exception 'A query has at most 1,000 characters' using errcode = '22001';
  end if;
  select coalesce(
      array_agg('%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'), '{}'
    )
    into patterns
    from regexp_split_to_table(private.search_form(query), '\s+') as word
    where word <> '';

  with listed as materialized (
    select id, 'published' as state, slug, title, category, author, published_date as date,
        exists (select from public.post_drafts as draft where draft.id = posts.id) as has_draft,
        null as failure
      from public.posts
    union all
    select id, 'scheduled', slug, title, category, author, published_date,
        exists (select from public.post_drafts as draft where draft.id = scheduled.id), failure
      from public.scheduled_posts as scheduled
    union all
    select id, 'draft', slug, title, category, author, updated_at, true, null
      from public.post_drafts as draft
      where not exists (select from public.posts where posts.id = draft.id)
        and not exists (select from public.scheduled_posts as scheduled where scheduled.id = draft.id)
    union all
    select post_id, 'deleted', coalesce(document ->> 'slug', ''), coalesce(document ->> 'title', ''),
        coalesce(document ->> 'category', ''), coalesce(document ->> 'author', ''), saved_at, false,
        null
      from public.post_versions as version
      where event = 'deleted' and saved_at > now() - interval '30 days'
        and not exists (
          select from public.post_versions as later
            where later.post_id = version.post_id and later.id > version.id
        )
  ),
  found as materialized (
    select listed.*,
        to_char(date at time zone search_managed_posts.time_zone, 'YYYY-MM') as in_month,
        case
          when state = 'deleted' then array['deleted']
          else array[
            'all', state, case when state <> 'draft' and has_draft then 'draft' end
          ]
        end as filters
      from listed
      where patterns = '{}'
        or private.search_form(concat_ws(' ', title, category, author)) like all (patterns)
  ),
  matching as (
    select * from found
      where search_managed_posts.filter = any (filters)
        and search_managed_posts.month in ('', in_month)
  ),
  page as (
    select * from matching
      order by date desc, id
      limit least(greatest(search_managed_posts.count, 0), 200)
      offset greatest(search_managed_posts.first, 0)
  )
  select jsonb_build_object(
      'counts', (
        select coalesce(jsonb_object_agg(each.name, each.posts), '{}')
          from (
            select name, count(*) as posts
              from found, unnest(filters) as name
              where name is not null and search_managed_posts.month in ('', in_month)
              group by name
          ) as each
      ),
      'months', (
        select coalesce(jsonb_agg(each.in_month order by each.in_month desc), '[]')
          from (
            select distinct in_month from found where search_managed_posts.filter = any (filters)
          ) as each
      ),
      'rows', (
        select coalesce(
            jsonb_agg(to_jsonb(page) - array['filters', 'in_month'] order by date desc, id), '[]'
          )
          from page
      )
    )
    into result;
  return result;
end;
$$;

-- Samples

alter table public.posts add column is_sample boolean not null default false;
alter table public.testimonials add column is_sample boolean not null default false;
comment on column public.posts.is_sample is 'Whether supabase/seed.sql stored it. Not writable by API roles.';
comment on column public.testimonials.is_sample is
  'Whether supabase/seed.sql stored it. Not writable by API roles.';

revoke insert, update on public.posts, public.scheduled_posts from authenticated;
grant
  insert (
    id, slug, title, tagline, category, author, content, image_url, alt, related_services,
    published_date, created_at, updated_at
  ),
  update (
    id, slug, title, tagline, category, author, content, image_url, alt, related_services,
    published_date, created_at, updated_at
  )
  on public.posts, public.scheduled_posts to authenticated;

-- Until now, samples were recognized by their ids. Without triggers, because the texts did not change.
alter table public.posts disable trigger user;
update public.posts set is_sample = true where id::text like 'b1a9e6d0-3c52-4f7e-9a10-00000000000_';
alter table public.posts enable trigger user;
alter table public.testimonials disable trigger user;
update public.testimonials set is_sample = true where id::text like 'c7d3f2a4-81be-4d05-8e20-00000000000_';
alter table public.testimonials enable trigger user;
update private.removed_samples set content = content || '{"is_sample": true}'
  where table_name in ('posts', 'testimonials');

create or replace function private.sample_posts()
returns table (id uuid, edited boolean)
language sql
stable
security definer
set search_path = ''
as $$
  -- The site writes updated_at with every edit; the seed gave both times the same value.
  select posts.id, posts.updated_at <> posts.created_at from public.posts where posts.is_sample;
$$;

create or replace function private.sample_testimonials()
returns setof uuid
language sql
stable
security definer
set search_path = ''
as $$
  -- Nobody can edit a testimonial.
  select testimonials.id from public.testimonials where testimonials.is_sample;
$$;

create or replace function private.announce_hidden_testimonial()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.testimonials where id = new.id;
  insert into public.testimonials (id, name, role, content, rating, created_at, is_sample)
    values (new.id, new.name, new.role, new.content, new.rating, new.created_at, new.is_sample);
  return null;
end;
$$;

-- Preview links

delete from public.post_previews as link
  where not exists (
      select from private.people where user_id = link.created_by and role in ('owner', 'editor')
    )
    or not (
      exists (select from public.post_drafts where id = link.post_id)
      or exists (select from public.scheduled_posts where id = link.post_id)
    );
alter table public.post_previews
  add constraint post_previews_maker
    foreign key (created_by) references private.people (user_id) on delete cascade;
create index post_previews_by_maker on public.post_previews (created_by);
comment on table public.post_previews is
  'Links that show a draft or scheduled post to people without an account. One ends after 14 days, when its row is deleted, when the post is published or discarded, and when its maker is removed or gets another role.';

create function private.check_preview()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Locked, so that a draft that is discarded meanwhile gets no link.
  perform from public.post_drafts where id = new.post_id for key share;
  if found then
    return new;
  end if;
  perform from public.scheduled_posts where id = new.post_id for key share;
  if found then
    return new;
  end if;
  raise exception 'There is no draft or scheduled post to preview' using errcode = '23503';
end;
$$;
revoke execute on function private.check_preview() from public;
create trigger post_previews_check
  before insert on public.post_previews
  for each row execute function private.check_preview();

create function private.end_previews()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  case tg_table_name
    when 'people' then
      delete from public.post_previews where created_by = new.user_id;
    when 'posts' then
      delete from public.post_previews where post_id = new.id;
    else
      delete from public.post_previews
        where post_id = old.id
          and not exists (select from public.post_drafts where id = old.id)
          and not exists (select from public.scheduled_posts where id = old.id);
  end case;
  return null;
end;
$$;
revoke execute on function private.end_previews() from public;
create trigger people_end_previews
  after update on private.people
  for each row when (new.role <> old.role) execute function private.end_previews();
create trigger posts_end_previews
  after insert or update on public.posts
  for each row execute function private.end_previews();
-- At the end of the transaction: a post that is unscheduled becomes a draft and keeps its link.
create constraint trigger post_drafts_end_previews
  after delete on public.post_drafts deferrable initially deferred
  for each row execute function private.end_previews();
create constraint trigger scheduled_posts_end_previews
  after delete on public.scheduled_posts deferrable initially deferred
  for each row execute function private.end_previews();

create or replace function public.get_post_preview(preview_token uuid)
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
  select private.draft_document(draft) || jsonb_build_object('published_date', draft.updated_at)
    into found_post
    from public.post_drafts as draft where id = shown_id;
  if found_post is not null then
    return jsonb_build_object('state', 'draft', 'post', found_post);
  end if;
  select jsonb_build_object('state', 'scheduled', 'post', to_jsonb(scheduled) - 'failure')
    into found_post
    from public.scheduled_posts as scheduled where id = shown_id;
  return found_post;
end;
$$;
comment on function public.get_post_preview(uuid) is
  'What a preview link shows: {state, post}; null for an unknown or ended link.';

-- Times

-- The database sets the time of a testimonial: clients send created_at, which is ignored. current_user is the owner of
-- a function that restores or moves testimonials.
drop trigger testimonials_no_future on public.testimonials;
drop function public.testimonials_no_future();
create function private.set_testimonial_time()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if current_user in ('anon', 'authenticated') then
    new.created_at := now();
  end if;
  return new;
end;
$$;
revoke execute on function private.set_testimonial_time() from public;
create trigger testimonials_set_time
  before insert on public.testimonials
  for each row execute function private.set_testimonial_time();

-- Every column with a time has the same CHECK. A migration that adds such a column adds this CHECK, too.
do $$
declare
  first constant text := '2000-01-01 00:00Z';
  last constant text := '2200-01-01 00:00Z';
  found record;
begin
  for found in
    select attrelid::regclass as in_table, relname as table_name, attname as name
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace in ('public'::regnamespace, 'private'::regnamespace) and relkind = 'r'
        and atttypid in ('timestamptz'::regtype, 'date'::regtype) and attnum > 0 and not attisdropped
  loop
    -- Triggers would reject or undo the repair of older rows.
    execute format('alter table %s disable trigger user', found.in_table);
    execute format(
      'update %1$s set %2$I = least(greatest(%2$I, %3$L), %4$L) where %2$I not between %3$L and %4$L',
      found.in_table, found.name, first, last
    );
    execute format('alter table %s enable trigger user', found.in_table);
    execute format(
      'alter table %1$s add constraint %2$I check (%3$I between %4$L and %5$L)',
      found.in_table, found.table_name || '_' || found.name || '_years', found.name, first, last
    );
  end loop;
end;
$$;

-- What restores a deleted post: with its times repaired, and with the column that was added.
update public.post_versions
  set document = document
    || jsonb_build_object('is_sample', post_id::text like 'b1a9e6d0-3c52-4f7e-9a10-00000000000_')
    || (
      select jsonb_object_agg(
          key, least(greatest(value::timestamptz, '2000-01-01 00:00Z'), '2200-01-01 00:00Z')
        )
        from jsonb_each_text(document)
        where key in ('published_date', 'created_at', 'updated_at')
    )
  where event = 'deleted' and not document ? 'state';
