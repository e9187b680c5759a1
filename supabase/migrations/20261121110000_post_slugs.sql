-- The addresses that a post once had. A title edit gives a post a new slug; links to the old one must
-- go on working, so the site answers them with 301. The database keeps them, whoever changes the slug.
create table public.post_slugs (
  slug text primary key,
  post_id uuid not null references public.posts (id) on delete cascade,
  created_at timestamptz not null default now()
);
comment on table public.post_slugs is 'Former slugs of posts. Kept by a trigger on posts; a slug in use is never here.';

create index post_slugs_post on public.post_slugs (post_id);

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
  end if;
  -- Whoever has the slug now wins over whoever had it before.
  delete from public.post_slugs where slug = new.slug;
  return null;
end;
$$;
revoke execute on function private.keep_former_slug() from public;

create trigger posts_keep_former_slug
  after insert or update of slug on public.posts
  for each row execute function private.keep_former_slug();

alter table public.post_slugs enable row level security;

revoke all on public.post_slugs from anon, authenticated;
grant select on public.post_slugs to anon, authenticated;
grant all on public.post_slugs to service_role;

create policy "Anyone reads former slugs" on public.post_slugs
  for select to anon, authenticated using (true);
