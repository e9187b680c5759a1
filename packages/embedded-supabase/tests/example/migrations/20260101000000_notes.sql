-- A table, a policy, a bucket and a function, as an example of a project.
create table public.notes (
  id uuid primary key default gen_random_uuid(),
  author uuid not null default auth.uid(),
  text text not null constraint notes_text_length check (char_length(text) <= 200),
  created_at timestamptz not null default now()
);
alter table public.notes enable row level security;
grant select, insert, delete on public.notes to authenticated;

create policy "People read, write and delete their own notes" on public.notes
  for all to authenticated
  using (author = (select auth.uid()))
  with check (author = (select auth.uid()));
alter publication supabase_realtime add table public.notes;

create function public.count_notes()
returns integer
language sql
stable
set search_path = ''
as $$
  select count(*)::integer from public.notes;
$$;

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('images', 'images', true, 1024, array['image/gif']);

create policy "People add images" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'images');
