-- Links that show a draft or scheduled post to people without an account.

create table public.post_previews (
  token uuid primary key default gen_random_uuid(),
  post_id uuid not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '14 days',
  created_by uuid default auth.uid(),
  may_approve boolean not null default false,
  constraint post_previews_maker
    foreign key (created_by) references private.people (user_id) on delete cascade
);
comment on table public.post_previews is
  'Links that show a draft or scheduled post to people without an account. One ends after 14 days, when its row is deleted, when the post is published or discarded, and when its maker is removed or gets another role.';
comment on column public.post_previews.may_approve is
  'Whether a person with the link may approve or return the post. Only owners create and see such a link, so that no editor approves her own post with it.';
create index post_previews_by_maker on public.post_previews (created_by);

alter table public.post_previews enable row level security;
revoke all on public.post_previews from anon, authenticated;
grant select, insert (post_id, may_approve), delete on public.post_previews to authenticated;
grant all on public.post_previews to service_role;

create policy "Writers read preview links" on public.post_previews
  for select to authenticated using ((select private.may('write posts')));
create policy "Writers create preview links" on public.post_previews
  for insert to authenticated with check ((select private.may('write posts')));
create policy "Only owners use links that may approve" on public.post_previews
  as restrictive to authenticated
  using (not may_approve or (select private.may('manage the site')));
create policy "Writers revoke preview links" on public.post_previews
  for delete to authenticated using ((select private.may('write posts')));

create function private.check_preview()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Locked, so that a draft that is discarded meanwhile gets no link.
  perform from public.post_drafts where id = new.post_id for key share;
  if found then
    return new;
  end if;
  perform from public.scheduled_posts where id = new.post_id for key share;
  if found then
    return new;
  end if;
  raise exception 'There is no draft or scheduled post to preview' using errcode = '23503';
end;
$$;
create trigger post_previews_check
  before insert on public.post_previews
  for each row execute function private.check_preview();

create function private.end_previews()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  case tg_table_name
    when 'people' then
      delete from public.post_previews where created_by = new.user_id;
    when 'posts', 'pages' then
      delete from public.post_previews where post_id = new.id;
    else
      delete from public.post_previews
        where post_id = old.id
          and not exists (select from public.post_drafts where id = old.id)
          and not exists (select from public.scheduled_posts where id = old.id);
  end case;
  return null;
end;
$$;
create trigger people_end_previews
  after update on private.people
  for each row when (new.role <> old.role) execute function private.end_previews();
create trigger posts_end_previews
  after insert or update on public.posts
  for each row execute function private.end_previews();
-- At the end of the transaction: a post that is unscheduled becomes a draft and keeps its link.
create constraint trigger post_drafts_end_previews
  after delete on public.post_drafts deferrable initially deferred
  for each row execute function private.end_previews();
create constraint trigger scheduled_posts_end_previews
  after delete on public.scheduled_posts deferrable initially deferred
  for each row execute function private.end_previews();

create function private.draft_document(draft public.post_drafts)
returns jsonb
language sql
stable
set search_path = ''
as $$
  select to_jsonb(draft) - array['base_version', 'created_at', 'updated_by'];
$$;

create function public.get_post_preview(preview_token uuid)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  link public.post_previews;
  found_post jsonb;
  stored_post jsonb;
  shown_state text := 'draft';
  newest record;
begin
  select * into link from public.post_previews
    where token = preview_token and expires_at > now();
  select private.draft_document(draft) || jsonb_build_object('published_date', draft.updated_at)
    into found_post
    from public.post_drafts as draft where id = link.post_id;
  if found_post is null then
    shown_state := 'scheduled';
    select to_jsonb(scheduled) - 'failure' into found_post
      from public.scheduled_posts as scheduled where id = link.post_id;
  end if;
  if found_post is null then
    return null;
  end if;
  select jsonb_build_object('title', title, 'slug', slug) into stored_post
    from (
      select id, title, slug from public.posts
      union all
      select id, title, slug from public.pages
      union all
      select id, title, slug from public.scheduled_posts
    ) as stored
    where id = link.post_id;
  select * into newest
    from (select * from public.post_approvals where post_id = link.post_id order by id desc limit 1) as last
    where link.may_approve and private.is_newest_draft(post_id, draft_version);
  return jsonb_build_object(
    'state', shown_state,
    -- A reviewer reads what was submitted, word for word.
    'post', found_post || coalesce(newest.document, '{}'),
    'stored', stored_post,
    'approval', case when link.may_approve then
      jsonb_build_object('id', newest.id, 'event', newest.event, 'name', private.shown_name(newest.event, newest.by_name))
    end
  );
end;
$$;
comment on function public.get_post_preview(uuid) is
  'What a preview link shows: {state, post, stored, approval}; null for an unknown or ended link. stored is {title, slug} of the published or scheduled post, null for a new one. For a link that may approve, approval is {id, event, name} of what was submitted or decided last, null in each when the post was changed since.';
grant execute on function public.get_post_preview(uuid) to anon, authenticated, service_role;
