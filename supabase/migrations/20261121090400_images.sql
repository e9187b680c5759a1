-- Post images. The bucket is public: a file is read by its address without a policy; listing,
-- writing and removing are the owner's.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'images', 'images', true, 50 * 1024 * 1024,
  array['image/jpeg', 'image/png', 'image/gif', 'image/webp']
)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create policy "The owner lists images" on storage.objects
  for select to authenticated
  using (bucket_id = 'images' and (select public.is_owner()));
create policy "The owner uploads images" on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'images'
    and (storage.foldername(name))[1] = 'public'
    and (select public.is_owner())
  );
create policy "The owner replaces images" on storage.objects
  for update to authenticated
  using (bucket_id = 'images' and (select public.is_owner()))
  with check (
    bucket_id = 'images'
    and (storage.foldername(name))[1] = 'public'
    and (select public.is_owner())
  );
create policy "The owner removes images" on storage.objects
  for delete to authenticated
  using (bucket_id = 'images' and (select public.is_owner()));
