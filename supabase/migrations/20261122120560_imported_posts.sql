-- Where imported posts and pages come from: their former address, which the site redirects once they are public, and their date.

create table public.imported_posts (
  id uuid primary key,
  former_path text,
  published_date timestamptz,
  constraint imported_posts_former_path check (former_path ~ '^/[!-@[-~]+$' and char_length(former_path) <= 600)
);
comment on table public.imported_posts is
  'The origin of each post that an import has added as a draft, under the same id. It stays when the draft is published or deleted, so that the same export adds it only once.';
comment on column public.imported_posts.former_path is
  'The address of the post on the site before, as app/seo/former-path.ts writes it: its path, and the query that tells it from other posts. Null when it was not public there, or shared its address with another post.';
create index imported_posts_former_path on public.imported_posts (split_part(former_path, '?', 1));

alter table public.imported_posts enable row level security;
revoke all on public.imported_posts from anon, authenticated;
grant select, insert on public.imported_posts to authenticated;
grant all on public.imported_posts to service_role;

create policy "Writers read the origin of posts" on public.imported_posts
  for select to authenticated using ((select private.may('write posts')));
create policy "Writers import posts" on public.imported_posts
  for insert to authenticated with check ((select private.may('write posts')));

create function public.import_post(post text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  document jsonb := post::jsonb;
  origin public.imported_posts := jsonb_populate_record(null::public.imported_posts, document);
begin
  perform private.require('write posts');
  insert into public.imported_posts (id, former_path, published_date)
    values (origin.id, origin.former_path, origin.published_date)
  on conflict (id) do nothing;
  if not found then
    return false;
  end if;
  perform private.check_content(document -> 'content');
  insert into public.drafts (kind, thing, document)
    values (
      case when document @> '{"is_page": true}' then 'page' else 'post' end::public.content_kind,
      origin.id::text,
      document - array['id', 'is_page', 'former_path', 'published_date']
    );
  return true;
end;
$$;
comment on function public.import_post(text) is
  'Adds a post or page (JSON) of an export as a draft, with its origin. Returns false when it was added before, also when its draft was deleted since. Owners and editors only.';
grant execute on function public.import_post(text) to authenticated;

create function public.find_former_path(path text, parameters text[])
returns text
language plpgsql
stable
-- Also considers posts that are not public: the address of a draft never leads to another post.
security definer
set search_path = ''
as $$
declare
  found_id uuid;
begin
  with known as (
    select id, string_to_array(nullif(substr(former_path, strpos(former_path || '?', '?') + 1), ''), '&') as needed
      from public.imported_posts
      where split_part(former_path, '?', 1) = find_former_path.path
  ),
  ranked as (
    select id, needed, rank() over (order by cardinality(needed) desc nulls last) as place
      from known
      where needed is null or needed <@ parameters
  )
  select min(id::text)::uuid into found_id
    from ranked
    where place = 1
      and (
        needed is not null
        or cardinality(parameters) = 0
        -- An unknown query leads to the post of the path, unless the query decided what the path showed.
        or find_former_path.path !~ '[.](php[0-9]?|aspx?|cfml?|jspx?|cgi|pl|do)$'
          and not exists (select from known where known.needed is not null)
      )
    having count(*) = 1;
  return coalesce(
    (select '/blog/' || slug from public.posts where id = found_id),
    (select '/' || slug from public.pages where id = found_id and not hidden)
  );
end;
$$;
comment on function public.find_former_path(text, text[]) is
  'The path of the public post or page that an address had on the site before, with its path and the parameters of its query; null when it is of none, or of several.';
grant execute on function public.find_former_path(text, text[]) to anon, authenticated, service_role;

create function public.count_image_import()
returns integer
language sql
security definer
set search_path = ''
as $$
  select private.require('write posts');
  select private.count_request('import_image', null);
$$;
comment on function public.count_image_import() is
  'Counts an image that the function import-images fetches, like private.count_request. Owners and editors only.';
grant execute on function public.count_image_import() to authenticated;

create function private.keep_imported_date()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  former timestamptz;
begin
  select published_date into former from public.imported_posts where id = new.id;
  new.published_date := least(former, new.published_date);
  new.created_at := least(former, new.created_at);
  return new;
end;
$$;
comment on function private.keep_imported_date() is
  'An imported post is published under the date that it had. least() ignores null and keeps a date in the future from the page.';
-- Not for the schedule, whose time somebody chose: its function runs as its own owner.
create trigger posts_keep_imported_date
  before insert on public.posts
  for each row when (current_user in ('authenticated', 'service_role'))
  execute function private.keep_imported_date();
