-- PDFs to which posts and pages link. The site serves them as downloads (server/files/send-file.ts), and checks that they are
-- PDFs. The rules of use and removal are those of images.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  values ('files', 'files', true, 10 * 1024 * 1024, array['application/pdf'])
  on conflict (id) do update set
    public = excluded.public,
    file_size_limit = excluded.file_size_limit,
    allowed_mime_types = excluded.allowed_mime_types;

create policy "Writers upload files" on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'files'
    and name ~ '^files/[a-z0-9-]{1,100}[.]pdf$'
    and coalesce(metadata ->> 'mimetype', 'application/pdf') = 'application/pdf'
    and (select private.may('write posts'))
    and not private.is_image_kept(name)
  );
