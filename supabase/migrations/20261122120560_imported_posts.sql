-- Where imported posts come from: their former address, which the site redirects once they are public, and their date.

create table public.imported_posts (
  id uuid primary key,
  former_path text,
  published_date timestamptz,
  constraint imported_posts_former_path check (former_path ~ '^/[!-@[-~]+$' and char_length(former_path) <= 600)
);
comment on table public.imported_posts is
  'The origin of each post that an import has added as a draft, under the same id. It stays when the draft is published or deleted, so that the same export adds it only once.';
comment on column public.imported_posts.former_path is
  'The path of the post on the site before, as app/seo/former-path.ts writes it; null when it was not public there.';
create index imported_posts_former_path on public.imported_posts (former_path);

alter table public.imported_posts enable row level security;
revoke all on public.imported_posts from anon, authenticated;
grant select on public.imported_posts to anon, authenticated;
grant insert on public.imported_posts to authenticated;
grant all on public.imported_posts to service_role;

create policy "Visitors read the origin of public posts" on public.imported_posts
  for select to anon using (exists (select from public.posts where posts.id = imported_posts.id));
create policy "Writers read the origin of all posts" on public.imported_posts
  for select to authenticated using (
    (select private.may('write posts')) or exists (select from public.posts where posts.id = imported_posts.id)
  );
create policy "Writers import posts" on public.imported_posts
  for insert to authenticated with check ((select private.may('write posts')));

create function public.import_post(post text)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  origin public.imported_posts := jsonb_populate_record(null::public.imported_posts, post::jsonb);
  draft public.post_drafts := jsonb_populate_record(null::public.post_drafts, post::jsonb);
begin
  insert into public.imported_posts (id, former_path, published_date)
    values (origin.id, origin.former_path, origin.published_date)
  on conflict (id) do nothing;
  if not found then
    return false;
  end if;
  insert into public.post_drafts (id, title, category, content, slug)
    values (draft.id, draft.title, draft.category, draft.content, draft.slug);
  return true;
end;
$$;
comment on function public.import_post(text) is
  'Adds a post (JSON) of an export as a draft, with its origin. Returns false when it was added before, also when its draft was deleted since. Owners and editors only: policies of both tables decide.';
grant execute on function public.import_post(text) to authenticated;

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
