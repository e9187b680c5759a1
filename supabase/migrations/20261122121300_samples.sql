-- The sample posts and testimonials of supabase/seed.sql: removed in one step, and put back within 30 days.

alter table public.posts add column is_sample boolean not null default false;
alter table public.testimonials add column is_sample boolean not null default false;
comment on column public.posts.is_sample is 'Whether supabase/seed.sql stored it. Not writable by API roles.';
comment on column public.testimonials.is_sample is
  'Whether supabase/seed.sql stored it. Not writable by API roles.';

create table private.removed_samples (
  table_name text not null,
  id text not null,
  content jsonb,
  removed_at timestamptz not null default now(),
  primary key (table_name, id)
);
comment on table private.removed_samples is
  'Rows that remove_sample_content removed, and the settings of testimonials before it. Kept for 30 days.';
comment on column private.removed_samples.content is
  'The removed row; null for settings of testimonials that were never published.';
create index removed_samples_images
  on private.removed_samples (private.image_name(content ->> 'image_url'));
alter table private.removed_samples enable row level security;

create function private.sample_posts()
returns table (id uuid, edited boolean)
language sql
stable
security definer
set search_path = ''
as $$
  -- The site writes updated_at with every edit; the seed gave both times the same value.
  select posts.id, posts.updated_at <> posts.created_at from public.posts where posts.is_sample;
$$;
comment on function private.sample_posts() is 'The stored posts of supabase/seed.sql.';

create function private.sample_testimonials()
returns setof uuid
language sql
stable
security definer
set search_path = ''
as $$
  -- Testimonials cannot be edited.
  select testimonials.id from public.testimonials where testimonials.is_sample;
$$;
comment on function private.sample_testimonials() is 'The stored testimonials of supabase/seed.sql.';

create function public.sample_content()
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  perform private.require_owner();
  return jsonb_build_object(
    'posts', (select count(*) from private.sample_posts()),
    'edited_posts', (select count(*) from private.sample_posts() where edited),
    'testimonials', (select count(*) from private.sample_testimonials()),
    -- Null when the section was never published.
    'shows_samples', private.setting('testimonials', 'samples'),
    'removed', (
      select count(*) from private.removed_samples
        where table_name in ('posts', 'testimonials') and removed_at > now() - interval '30 days'
    ),
    'removed_at', (
      select max(removed_at) from private.removed_samples where removed_at > now() - interval '30 days'
    )
  );
end;
$$;
comment on function public.sample_content() is
  'How much sample content is stored and how much can be put back. Owners only.';
revoke execute on function public.sample_content() from public, anon;
grant execute on function public.sample_content() to authenticated;

create function private.publish_testimonial_settings(new_document jsonb)
returns void
language sql
security definer
set search_path = ''
as $$
  select private.publish_document('testimonials', new_document);
  -- A draft must not bring the samples back, or remove them again.
  update public.site_settings_drafts
    set document = document || jsonb_build_object('samples', new_document -> 'samples')
    where section = 'testimonials';
$$;

create function public.remove_sample_content(
  include_edited boolean,
  shows_samples boolean,
  shown_lead text
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  published jsonb;
  removed_posts uuid[];
  removed_testimonials uuid[];
begin
  perform private.require_owner();
  perform pg_advisory_xact_lock(hashtext('sample_content'));
  delete from private.removed_samples where removed_at <= now() - interval '30 days';

  select coalesce(array_agg(sample.id), '{}') into removed_posts
    from private.sample_posts() as sample where include_edited or not edited;
  select coalesce(array_agg(sample), '{}') into removed_testimonials
    from private.sample_testimonials() as sample;

  insert into private.removed_samples (table_name, id, content)
    select 'posts', row.id::text, to_jsonb(row) from public.posts as row
      where row.id = any (removed_posts)
    union all
    select 'post_slugs', row.slug, to_jsonb(row) from public.post_slugs as row
      where row.post_id = any (removed_posts)
    union all
    select 'testimonials', row.id::text, to_jsonb(row) from public.testimonials as row
      where row.id = any (removed_testimonials)
    on conflict (table_name, id) do update
      set content = excluded.content, removed_at = excluded.removed_at;
  delete from public.posts where id = any (removed_posts);
  delete from public.testimonials where id = any (removed_testimonials);

  select document into published from public.site_settings where section = 'testimonials';
  if coalesce((published ->> 'samples')::boolean, shows_samples) then
    insert into private.removed_samples (table_name, id, content)
      values ('site_settings', 'testimonials', published)
      on conflict (table_name, id) do update
        set content = excluded.content, removed_at = excluded.removed_at;
    perform private.publish_testimonial_settings(
      coalesce(published, jsonb_build_object('lead', shown_lead)) || '{"samples": false}'
    );
  end if;
  return public.sample_content();
end;
$$;
comment on function public.remove_sample_content(boolean, boolean, text) is
  'Moves the sample posts and testimonials out of the site and switches the five samples off. shows_samples and shown_lead are what the site shows when the section testimonials was never published. Owners only.';
revoke execute on function public.remove_sample_content(boolean, boolean, text) from public, anon;
grant execute on function public.remove_sample_content(boolean, boolean, text) to authenticated;

create function private.restore_removed_rows(target regclass, name text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  removed record;
  columns text;
begin
  for removed in select id, content from private.removed_samples where table_name = name loop
    -- Columns that were added since get their defaults.
    select string_agg(quote_ident(attname), ', ') into columns
      from pg_catalog.pg_attribute
      where attrelid = target and attnum > 0 and not attisdropped and attgenerated = ''
        and removed.content ? attname;
    execute format(
      'insert into %1$s (%2$s) select %2$s from jsonb_populate_record(null::%1$s, $1) on conflict do nothing',
      target, columns
    ) using removed.content;
  end loop;
end;
$$;

create function public.restore_sample_content()
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  former jsonb;
  published jsonb;
begin
  perform private.require_owner();
  perform pg_advisory_xact_lock(hashtext('sample_content'));
  delete from private.removed_samples where removed_at <= now() - interval '30 days';

  perform private.restore_removed_rows('public.posts', 'posts');
  perform private.restore_removed_rows('public.testimonials', 'testimonials');
  delete from private.removed_samples as removed
    where table_name = 'post_slugs' and not exists (
      select from public.posts where posts.id::text = removed.content ->> 'post_id'
    );
  perform private.restore_removed_rows('public.post_slugs', 'post_slugs');

  select document into published from public.site_settings where section = 'testimonials';
  select content into former from private.removed_samples where table_name = 'site_settings';
  if found and published -> 'samples' = 'false'::jsonb then
    if former is null and published - 'samples' = (
      select document - 'samples' from public.site_settings_versions
        where section = 'testimonials' order by id limit 1
    ) then
      -- Nothing else was published since: the section has the default of a new site again.
      delete from public.site_settings where section = 'testimonials';
      update public.site_settings_drafts
        set document = document || '{"samples": true}' where section = 'testimonials';
    else
      perform private.publish_testimonial_settings(published || '{"samples": true}');
    end if;
  end if;
  delete from private.removed_samples;
  return public.sample_content();
end;
$$;
comment on function public.restore_sample_content() is
  'Puts back what remove_sample_content removed in the last 30 days. Owners only.';
revoke execute on function public.restore_sample_content() from public, anon;
grant execute on function public.restore_sample_content() to authenticated;
