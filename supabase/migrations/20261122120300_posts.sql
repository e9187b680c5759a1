-- Published posts, and their former addresses. They stay readable here while the setting pages.hidden keeps the blog off the
-- pages, feeds and sitemap of the site.

create table public.posts (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique,
  title text not null,
  tagline text not null default '',
  category text not null,
  author text not null,
  content jsonb not null default '[]',
  image_url text,
  alt text not null default '',
  related_services jsonb not null default '[]',
  published_date timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  draft_version timestamptz,
  is_sample boolean not null default false,
  constraint posts_slug_format check (slug ~ '^[A-Za-z0-9_-]+$' and char_length(slug) <= 600),
  constraint posts_title_length check (char_length(private.trimmed(title)) between 1 and 500),
  constraint posts_title_line check (private.is_one_line(title)),
  constraint posts_tagline_length check (char_length(tagline) <= 600),
  constraint posts_tagline_line check (private.is_one_line(tagline)),
  constraint posts_category_length check (char_length(private.trimmed(category)) between 1 and 100),
  constraint posts_category_line check (private.is_one_line(category)),
  constraint posts_author_length check (char_length(private.trimmed(author)) between 1 and 200),
  constraint posts_author_line check (private.is_one_line(author)),
  constraint posts_content_blocks check (
    jsonb_typeof(content) = 'array' and octet_length(content::text) <= 500000
  ),
  constraint posts_image_url_length check (char_length(image_url) between 1 and 2000),
  constraint posts_alt_length check (char_length(alt) <= 600),
  constraint posts_alt_line check (private.is_one_line(alt)),
  constraint posts_related_services_list check (
    jsonb_typeof(related_services) = 'array' and octet_length(related_services::text) <= 10000
  )
);
comment on table public.posts is
  'Published posts only. content is an array of blocks, each with its type.';
comment on column public.posts.draft_version is
  'saved_at of the draft that was published last. A publication sends it, and ends that draft; null: there was none.';
comment on column public.posts.is_sample is 'Whether supabase/seed.sql stored it. Not writable by API roles.';
create index posts_newest_first on public.posts (created_at desc, id);
create index posts_by_category on public.posts (category, created_at desc, id) include (updated_at);

alter table public.posts enable row level security;
revoke all on public.posts from anon, authenticated;
grant select, delete on public.posts to authenticated;
grant select on public.posts to anon;
-- By column: is_sample is not writable.
grant
  insert (
    id, slug, title, tagline, category, author, content, image_url, alt, related_services,
    published_date, created_at, updated_at, draft_version
  ),
  update (
    id, slug, title, tagline, category, author, content, image_url, alt, related_services,
    published_date, created_at, updated_at, draft_version
  )
  on public.posts to authenticated;
grant all on public.posts to service_role;

create policy "Anyone reads posts" on public.posts
  for select to anon, authenticated using (true);
create policy "Writers add posts" on public.posts
  for insert to authenticated with check ((select private.may('write posts')));
create policy "Writers edit posts" on public.posts
  for update to authenticated
  using ((select private.may('write posts'))) with check ((select private.may('write posts')));
create policy "Writers delete posts" on public.posts
  for delete to authenticated using ((select private.may('write posts')));

create function private.use_post_images()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  new := jsonb_populate_record(new, private.with_references(to_jsonb(new)::text)::jsonb);
  perform private.use_images(to_jsonb(new));
  return new;
end;
$$;
comment on function private.use_post_images() is
  'Stores references to the images of a post, and keeps the files from being removed as unused.';
create trigger posts_use_images
  before insert or update of image_url, content on public.posts
  for each row execute function private.use_post_images();

create function private.check_content(content jsonb)
returns void
language plpgsql
set search_path = ''
as $$
begin
  if octet_length(content::text) > 500000 then
    raise exception 'The text is too long: it can have about 80,000 words. Shorten it or split it up.'
      using errcode = 'PT422';
  end if;
  if regexp_count(content::text, '://|www\.|"href": "/|"type": "image"', 1, 'i') > 1000 then
    raise exception 'The text has too many links and images. Remove some or split it up.'
      using errcode = 'PT422';
  end if;
  if (select count(*) from jsonb_path_query(content, '$.**')) > 20000 then
    raise exception 'The text has too many list items, cells, paragraphs and formatted words. Remove some or split it up.'
      using errcode = 'PT422';
  end if;
  -- As pages show them: app/posts/blocks.tsx.
  if exists (
    select from jsonb_path_query(content, 'strict $[*] ? (@.type == "table")') as block
      where case
        when jsonb_typeof(block -> 'rows') is distinct from 'array'
          or jsonb_path_exists(block, 'strict $.rows[*] ? (@.type() != "array")')
          or jsonb_path_exists(block, 'strict $.rows[*][*] ? (@.type() != "string")') then true
        else (
          select size.columns > 0 and size.columns <= 50 and size.columns * size.rows <= 5000
            from (
              select max(jsonb_array_length(cells)) as columns, count(*) as rows
                from jsonb_array_elements(block -> 'rows') as cells
            ) as size
        ) is not true
      end
  ) then
    raise exception 'The text has a table that is damaged or too large: it can have 50 columns and 5,000 cells. Split it up or delete it.'
      using errcode = 'PT422';
  end if;
end;
$$;
comment on function private.check_content(jsonb) is
  'Bounds the size of a text, of its tables, and the time to render it. No CHECK: texts that were larger before stay, can be restored, and their posts can change in other columns.';

create function private.check_post_content()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'INSERT' or new.content <> old.content then
    perform private.check_content(new.content);
  end if;
  return new;
end;
$$;
-- Functions that publish or restore a post run as their own owner.
create trigger posts_check_content
  before insert or update of content on public.posts
  for each row when (current_user in ('authenticated', 'service_role'))
  execute function private.check_post_content();

create function private.set_post_times()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    new.created_at := clock_timestamp();
    new.published_date := new.created_at;
    new.updated_at := new.created_at;
    return new;
  end if;
  if current_user = 'authenticated' then
    new.created_at := old.created_at;
    new.published_date := old.published_date;
  end if;
  -- A version that no window has seen, also when the clock was set back.
  if current_user = 'authenticated' or new.updated_at = old.updated_at then
    new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 microsecond');
  end if;
  return new;
end;
$$;
comment on function private.set_post_times() is
  'Sets the times of posts that accounts write, whatever clock their browser has, and a new updated_at with each update, which saves compare. The secret key may bring posts with their times.';
-- Not for functions that publish or restore a post, which run as their own owner.
create trigger posts_date_new
  before insert on public.posts
  for each row when (current_user = 'authenticated')
  execute function private.set_post_times();
create trigger posts_date_update
  before update on public.posts
  for each row when (current_user in ('authenticated', 'service_role'))
  execute function private.set_post_times();

create table public.post_slugs (
  slug text primary key,
  post_id uuid not null references public.posts (id) on delete cascade,
  created_at timestamptz not null default now()
);
comment on table public.post_slugs is
  'Former slugs of posts, which the site redirects. Written by a trigger of posts alone; a slug in use is never here.';
create index post_slugs_post on public.post_slugs (post_id);

alter table public.post_slugs enable row level security;
revoke all on public.post_slugs from anon, authenticated;
grant select on public.post_slugs to anon, authenticated;
grant all on public.post_slugs to service_role;

create policy "Anyone reads former slugs" on public.post_slugs
  for select to anon, authenticated using (true);

create function private.keep_former_slug()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    if new.slug = old.slug then
      return null;
    end if;
    insert into public.post_slugs (slug, post_id) values (old.slug, new.id)
    on conflict (slug) do update set post_id = excluded.post_id, created_at = excluded.created_at;
  else
    -- A post that was deleted and restored.
    insert into public.post_slugs (slug, post_id, created_at)
      select version.document ->> 'slug', new.id, max(version.at)
        from public.versions as version
        where version.kind = 'post' and version.thing = new.id::text and version.event = 'published'
          and not exists (select from public.posts where posts.slug = version.document ->> 'slug')
        group by 1
    on conflict (slug) do nothing;
  end if;
  -- The post that has the slug now wins over those that had it before.
  delete from public.post_slugs where slug = new.slug;
  return null;
end;
$$;

create trigger posts_keep_former_slug
  after insert or update of slug on public.posts
  for each row execute function private.keep_former_slug();
