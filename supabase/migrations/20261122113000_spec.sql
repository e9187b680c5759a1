-- A deleted post comes back as a draft, never to the site at once. Its former addresses lead to it again when it is
-- published.

drop function public.restore_deleted_post(uuid);
create function public.restore_deleted_post(deleted_id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  deleted public.post_versions;
  draft public.post_drafts;
begin
  perform private.require_writer();
  select * into deleted from public.post_versions
    where post_id = deleted_id order by id desc limit 1;
  if deleted.event is distinct from 'deleted' or deleted.saved_at <= now() - interval '30 days' then
    return false;
  end if;
  insert into public.post_drafts (
    id, title, tagline, category, author, content, image_url, alt, slug, related_services
  )
    select id, title, tagline, category, author, content, image_url, alt, slug, related_services
      from jsonb_populate_record(null::public.post_drafts, deleted.document)
    -- A working copy that is still stored is newer than the post was.
    on conflict (id) do update set base_version = null
    returning * into draft;
  perform private.add_post_version(deleted_id, 'draft', private.draft_document(draft));
  return true;
end;
$$;
comment on function public.restore_deleted_post(uuid) is
  'Makes a draft of a post or draft that was deleted in the last 30 days. Returns false when there is nothing to restore. Owners and editors only.';
revoke execute on function public.restore_deleted_post(uuid) from public, anon;
grant execute on function public.restore_deleted_post(uuid) to authenticated;

create or replace function private.keep_former_slug()
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
    insert into public.post_slugs (slug, post_id)
      select former.slug, new.id
        from public.post_versions as version,
          jsonb_array_elements_text(
            (version.document -> 'former_slugs') || (version.document -> 'slug')
          ) as former (slug)
        where version.post_id = new.id and version.event = 'deleted'
          and not exists (select from public.posts where posts.slug = former.slug)
    on conflict (slug) do nothing;
  end if;
  -- Whoever has the slug now wins over whoever had it before.
  delete from public.post_slugs where slug = new.slug;
  return null;
end;
$$;
