create table public.testimonials (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  role text,
  content text not null,
  rating smallint not null default 5,
  created_at timestamptz not null default now(),
  constraint testimonials_name_length check (char_length(btrim(name)) between 1 and 100),
  constraint testimonials_role_length check (char_length(role) <= 100),
  constraint testimonials_content_length check (char_length(btrim(content)) between 1 and 5000),
  constraint testimonials_rating_range check (rating between 1 and 5)
);
comment on table public.testimonials is 'Reviews that visitors leave. The five samples of the site are not stored.';

create index testimonials_newest_first on public.testimonials (created_at desc, id);

-- A visitor's browser sends created_at. A clock that runs ahead, honest or not, must not pin a
-- review to the top of the list.
create function public.testimonials_no_future()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.created_at := least(new.created_at, now());
  return new;
end;
$$;

create trigger testimonials_no_future
  before insert or update on public.testimonials
  for each row execute function public.testimonials_no_future();

alter table public.testimonials enable row level security;

revoke all on public.testimonials from anon, authenticated;
grant select on public.testimonials to anon, authenticated;
grant insert (id, name, role, content, rating, created_at)
  on public.testimonials to anon, authenticated;
grant delete on public.testimonials to authenticated;
grant all on public.testimonials to service_role;

create policy "Anyone reads testimonials" on public.testimonials
  for select to anon, authenticated using (true);
create policy "Anyone leaves a testimonial" on public.testimonials
  for insert to anon, authenticated with check (true);
create policy "The owner deletes testimonials" on public.testimonials
  for delete to authenticated using ((select public.is_owner()));
