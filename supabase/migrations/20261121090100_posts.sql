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
  constraint posts_slug_format check (slug ~ '^[A-Za-z0-9_-]+$' and char_length(slug) <= 600),
  constraint posts_title_length check (char_length(btrim(title)) between 1 and 500),
  constraint posts_tagline_length check (char_length(tagline) <= 600),
  constraint posts_category_length check (char_length(btrim(category)) between 1 and 100),
  constraint posts_author_length check (char_length(btrim(author)) between 1 and 200),
  constraint posts_content_blocks check (
    jsonb_typeof(content) = 'array' and octet_length(content::text) <= 500000
  ),
  constraint posts_image_url_length check (char_length(image_url) between 1 and 2000),
  constraint posts_alt_length check (char_length(alt) <= 600),
  constraint posts_related_services_list check (
    jsonb_typeof(related_services) = 'array' and octet_length(related_services::text) <= 10000
  )
);
comment on table public.posts is 'Blog articles. content is an array of heading, paragraph, list and quote blocks.';

create index posts_newest_first on public.posts (created_at desc, id);

alter table public.posts enable row level security;

revoke all on public.posts from anon, authenticated;
grant select on public.posts to anon, authenticated;
grant insert, update, delete on public.posts to authenticated;
grant all on public.posts to service_role;

create policy "Anyone reads posts" on public.posts
  for select to anon, authenticated using (true);
create policy "The owner writes posts" on public.posts
  for insert to authenticated with check ((select public.is_owner()));
create policy "The owner edits posts" on public.posts
  for update to authenticated
  using ((select public.is_owner())) with check ((select public.is_owner()));
create policy "The owner deletes posts" on public.posts
  for delete to authenticated using ((select public.is_owner()));
