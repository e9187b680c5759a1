-- The history: every saved version of every post, and the functions that save and restore versions.

create table public.post_versions (
  id bigint generated always as identity primary key,
  post_id uuid not null,
  event text not null,
  document jsonb not null,
  saved_at timestamptz not null default clock_timestamp(),
  saved_by uuid default auth.uid(),
  by_name text default private.own_name(),
  by_email text default private.own_email(),
  constraint post_versions_event check (event in ('draft', 'scheduled', 'published', 'deleted', 'removed'))
);
comment on table public.post_versions is
  'Every saved version of every post, append-only, written by triggers and functions alone. document has the columns of the post; after a deletion also former_slugs, and state "draft" when it was never published. "removed" ends what can be restored, and has the title only.';
comment on column public.post_versions.by_name is
  'The name of the account saved_by at that moment, or its address. With by_email, it stays when the account changes or is deleted. Null for the secret key.';
create index post_versions_newest_first on public.post_versions (post_id, id desc);
create index post_versions_deleted on public.post_versions (saved_at desc) where event = 'deleted';
create index post_versions_images on public.post_versions
  using gin (private.post_images(document ->> 'image_url', document -> 'content'));

alter table public.post_versions enable row level security;
revoke all on public.post_versions from anon, authenticated, service_role;
grant select on public.post_versions to authenticated, service_role;

create policy "Writers read versions of posts" on public.post_versions
  for select to authenticated using ((select private.may('write posts')));

create function private.add_post_version(post_id uuid, event text, document jsonb)
returns void
language sql
security definer
set search_path = ''
as $$
  with newest as (
    select * from public.post_versions as last
      where last.post_id = add_post_version.post_id
      order by last.id desc
      limit 1
  ),
  -- The job that publishes acts for the person who scheduled the post. It deletes the scheduled row last.
  signer as (
    select saved_by, by_name, by_email
      from public.post_versions as last
      where last.post_id = add_post_version.post_id and last.event = 'scheduled'
        and add_post_version.event = 'published'
        and exists (select from public.scheduled_posts where id = add_post_version.post_id)
      order by last.id desc
      limit 1
  ),
  signed as (
    select * from signer
    union all
    select auth.uid(), private.own_name(), private.own_email() where not exists (select from signer)
  )
  insert into public.post_versions (post_id, event, document, saved_by, by_name, by_email)
    select add_post_version.post_id, add_post_version.event, add_post_version.document, signed.*
      from signed
      where not exists (
        select from newest
          where newest.event = add_post_version.event
            and newest.document - 'updated_at' = add_post_version.document - 'updated_at'
            -- Another person who schedules the same again signs it.
            and (newest.event <> 'scheduled' or newest.saved_by is not distinct from signed.saved_by)
      );
$$;
comment on function private.add_post_version(uuid, text, jsonb) is
  'Adds a version in the name of the caller, or of the person who scheduled what the job publishes, unless the newest one is the same.';

create function private.keep_post_version()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    perform private.add_post_version(
      old.id,
      'deleted',
      to_jsonb(old) || jsonb_build_object(
        'former_slugs',
        (
          select coalesce(jsonb_agg(former.slug order by former.created_at), '[]')
            from public.post_slugs as former where former.post_id = old.id
        )
      )
    );
    return old;
  end if;
  perform private.add_post_version(new.id, tg_argv[0], to_jsonb(new));
  return null;
end;
$$;
create trigger posts_keep_version
  after insert or update on public.posts
  for each row execute function private.keep_post_version('published');
-- Before, because the deletion also removes the former slugs.
create trigger posts_keep_deleted_version
  before delete on public.posts
  for each row execute function private.keep_post_version();
create trigger scheduled_posts_keep_version
  after insert on public.scheduled_posts
  for each row execute function private.keep_post_version('scheduled');

create function public.save_draft_version(draft_id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  draft public.post_drafts;
begin
  perform private.require_writer();
  select * into draft from public.post_drafts where id = draft_id;
  if not found then
    return false;
  end if;
  perform private.add_post_version(draft.id, 'draft', private.draft_document(draft));
  return true;
end;
$$;
comment on function public.save_draft_version(uuid) is
  'Adds the stored draft to the history of its post. Returns false when there is no such draft. Owners and editors only.';
grant execute on function public.save_draft_version(uuid) to authenticated;

create function public.discard_draft(draft_id uuid, seen_version timestamptz)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  scheduled jsonb;
  document jsonb;
begin
  perform private.require_writer();
  if seen_version is null then
    delete from public.scheduled_posts as stored where id = draft_id
      returning to_jsonb(stored) into scheduled;
  end if;
  delete from public.post_drafts as draft
    where id = draft_id and (updated_at = seen_version or seen_version is null)
    returning private.draft_document(draft) into document;
  document := coalesce(document, scheduled);
  if document is null then
    return case
      when exists (select from public.post_drafts where id = draft_id)
        or seen_version is null and exists (
          select from public.posts where id = draft_id
          union all
          select from public.pages where id = draft_id
        )
        then null
      else '{}'::jsonb
    end;
  end if;
  if exists (select from public.posts where id = draft_id)
    or exists (select from public.pages where id = draft_id)
    or exists (select from public.scheduled_posts where id = draft_id)
  then
    perform private.add_post_version(draft_id, 'draft', document);
  else
    perform private.add_post_version(draft_id, 'deleted', document || '{"state": "draft"}');
  end if;
  return document;
end;
$$;
comment on function public.discard_draft(uuid, timestamptz) is
  'Deletes the draft with updated_at = seen_version; without seen_version, also the scheduled post. Keeps the text in the history; what was never published can be restored for 30 days. Returns what was deleted, {} when it was deleted before, or null when another window changed or published it. Owners and editors only.';
grant execute on function public.discard_draft(uuid, timestamptz) to authenticated;

create function private.newest_version(post_id uuid)
returns public.post_versions
language sql
stable
security definer
set search_path = ''
as $$
  select * from public.post_versions as version
    where version.post_id = newest_version.post_id
    order by version.id desc
    limit 1;
$$;

create function public.restore_post_version(
  version_id bigint,
  seen_version timestamptz,
  base_version timestamptz
)
returns timestamptz
language plpgsql
security definer
set search_path = ''
as $$
declare
  version public.post_versions;
  draft public.post_drafts;
  restored public.post_drafts;
begin
  perform private.require_writer();
  select * into version from public.post_versions where id = version_id;
  select * into draft from public.post_drafts where id = version.post_id for update;
  restored := jsonb_populate_record(
    draft, version.document - array['id', 'created_at', 'updated_at']
  );
  -- The response to the same call was lost.
  if restored = draft then
    return draft.updated_at;
  end if;
  if draft.updated_at is distinct from seen_version
    or (private.newest_version(version.post_id)).event = 'removed'
    or version.event = 'deleted' and (
      version.saved_at <= now() - interval '30 days'
      or exists (
        select from public.post_versions as later
          where later.post_id = version.post_id and later.id > version.id
      )
    )
  then
    return null;
  end if;
  delete from public.post_drafts where id = version.post_id;
  insert into public.post_drafts (
    id, title, tagline, category, author, content, image_url, alt, slug, related_services,
    is_page, base_version, created_at
  ) values (
    version.post_id, restored.title, restored.tagline, restored.category, restored.author,
    restored.content, restored.image_url, restored.alt, restored.slug, restored.related_services,
    coalesce(restored.is_page, false), restore_post_version.base_version, coalesce(draft.created_at, now())
  )
    returning * into draft;
  perform private.add_post_version(draft.id, 'draft', private.draft_document(draft));
  return draft.updated_at;
end;
$$;
comment on function public.restore_post_version(bigint, timestamptz, timestamptz) is
  'Makes an earlier version the draft of its post, in place of the draft with updated_at = seen_version (null: there is none). A deletion can be restored for 30 days, until another version follows. Returns updated_at of the draft, or null when there is nothing to restore or another window changed the draft. Owners and editors only.';
grant execute on function public.restore_post_version(bigint, timestamptz, timestamptz)
  to authenticated;

create function public.undo_post_deletion(post_id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  version public.post_versions := private.newest_version(post_id);
  post public.posts := jsonb_populate_record(null::public.posts, version.document);
begin
  perform private.require_writer();
  -- The response to the same call was lost.
  if exists (select from public.posts where id = undo_post_deletion.post_id)
    or exists (select from public.pages where id = undo_post_deletion.post_id)
  then
    return true;
  end if;
  if version.event is distinct from 'deleted' or version.saved_at <= now() - interval '30 days'
    or version.document ->> 'state' = 'draft'
  then
    return false;
  end if;
  if version.document @> '{"is_page": true}' then
    insert into public.pages select page.* from jsonb_populate_record(null::public.pages, version.document) as page;
    return true;
  end if;
  post.slug := private.free_slug(post.slug, post.id);
  insert into public.posts select post.*;
  return true;
end;
$$;
comment on function public.undo_post_deletion(uuid) is
  'Publishes a post or page as it was before its deletion in the last 30 days. Returns false when it was restored or removed meanwhile, or was not public. Owners and editors only.';
grant execute on function public.undo_post_deletion(uuid) to authenticated;

create function public.remove_deleted_posts(post_id uuid)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  removed integer := 0;
  version public.post_versions;
begin
  perform private.require_writer();
  for version in
    select newest.* from public.post_versions as newest
      where event = 'deleted'
        and case
          when remove_deleted_posts.post_id is null then (document ->> 'is_sample')::boolean
          else newest.post_id = remove_deleted_posts.post_id
        end
        and (private.newest_version(newest.post_id)).id = newest.id
  loop
    perform private.add_post_version(
      version.post_id, 'removed', jsonb_build_object('title', version.document -> 'title')
    );
    removed := removed + 1;
  end loop;
  return removed;
end;
$$;
comment on function public.remove_deleted_posts(uuid) is
  'Ends the 30 days in which a deleted post, or for null all deleted samples, can be restored. Their images are deleted like other unused ones. Returns how many. Owners and editors only.';
grant execute on function public.remove_deleted_posts(uuid) to authenticated;
