-- Approval of posts. With the setting blog.needApproval, words become public only after an owner, or a reviewer with a preview
-- link, has approved exactly these words. What an owner publishes or schedules counts as approved by her, unless the setting
-- blog.ownersNeedApproval asks for another person.

create table public.post_approvals (
  id bigint generated always as identity primary key,
  post_id uuid not null,
  event text not null,
  document jsonb not null,
  draft_version timestamptz,
  saved_at timestamptz not null default clock_timestamp(),
  saved_by uuid default auth.uid(),
  by_name text not null default private.own_name(),
  by_email text default private.own_email(),
  comment text not null default '',
  constraint post_approvals_event check (event in ('submitted', 'approved', 'returned')),
  constraint post_approvals_document check (octet_length(document::text) <= 600000),
  constraint post_approvals_by_name_length check (char_length(private.trimmed(by_name)) between 1 and 320),
  constraint post_approvals_by_name_line check (private.is_one_line(by_name)),
  constraint post_approvals_by_email_length check (char_length(by_email) <= 320),
  constraint post_approvals_by_email_line check (private.is_one_line(by_email)),
  constraint post_approvals_comment_length check (char_length(comment) <= 2000)
);
comment on table public.post_approvals is
  'What was submitted for approval, and what was decided about it, with the exact words. Append-only, written by functions and a trigger alone.';
comment on column public.post_approvals.by_name is
  'As in post_versions, or what a reviewer with a link entered, whose saved_by is null. The same for by_email.';
comment on column public.post_approvals.draft_version is
  'updated_at of the draft that was submitted; null when there was none, and for what an owner published herself.';
create index post_approvals_newest_first on public.post_approvals (post_id, id desc);
create index post_approvals_images on public.post_approvals
  using gin (private.post_images(document ->> 'image_url', document -> 'content'));

alter table public.post_approvals enable row level security;
revoke all on public.post_approvals from anon, authenticated, service_role;
grant select on public.post_approvals to authenticated, service_role;

create policy "Writers read approvals" on public.post_approvals
  for select to authenticated using ((select private.may('write posts')));

create function private.post_words(post jsonb)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  -- Not an aggregate, which takes seconds for a long list.
  select jsonb_build_object(
    'title', post -> 'title', 'tagline', post -> 'tagline', 'category', post -> 'category',
    'author', post -> 'author', 'content', post -> 'content', 'image_url', post -> 'image_url',
    'alt', post -> 'alt', 'related_services', post -> 'related_services'
  );
$$;
comment on function private.post_words(jsonb) is
  'What readers see of a post, without its address and dates. An approval is for exactly this.';

create function private.shown_name(event text, name text)
returns text
language sql
immutable
set search_path = ''
as $$
  select case
    when strpos(name, '@') = 0 then name
    when event = 'submitted' then 'An editor'
    else 'The owner'
  end;
$$;
comment on function private.shown_name(text, text) is
  'Who submitted, approved or returned a post, for people with a preview link: never the email address of an account without a name.';

create function private.owners_need_approval()
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return private.setting('blog', 'ownersNeedApproval') is not distinct from 'true'::jsonb;
end;
$$;
comment on function private.owners_need_approval() is
  'The setting blog.ownersNeedApproval: an owner does not approve what she submitted herself, and does not publish without an approval.';

create function private.require_approval()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  words jsonb := private.post_words(to_jsonb(new));
begin
  if private.setting('blog', 'needApproval') is distinct from 'true'::jsonb
    or tg_op = 'UPDATE' and new.id = old.id and words = private.post_words(to_jsonb(old))
    or 'approved' = (
      select event from public.post_approvals
        where post_id = new.id and event <> 'submitted' and document = words
        order by id desc
        limit 1
    )
  then
    return null;
  end if;
  if not private.may('manage the site') or private.owners_need_approval() then
    raise exception 'This version needs approval. Ask for approval before it is published'
      using errcode = 'restrict_violation';
  end if;
  insert into public.post_approvals (post_id, event, document) values (new.id, 'approved', words);
  return null;
end;
$$;
comment on function private.require_approval() is
  'With the setting blog.needApproval, rejects words that nobody has approved, for every role, the secret key and the job that publishes. Records the approval of an owner who publishes or schedules and needs none.';
-- After, so that the row is final, and an upsert is checked once, as what it does.
create trigger posts_require_approval
  after insert or update on public.posts
  for each row execute function private.require_approval();
create trigger scheduled_posts_require_approval
  after insert on public.scheduled_posts
  for each row execute function private.require_approval();

create function private.is_newest_draft(post_id uuid, draft_version timestamptz)
returns boolean
language sql
stable
set search_path = ''
as $$
  select draft_version is not distinct from (select updated_at from public.post_drafts where id = post_id);
$$;
comment on function private.is_newest_draft(uuid, timestamptz) is
  'Whether the draft of a post still has this updated_at; for null, whether there is none.';

create function public.submit_post(post text, draft_version timestamptz)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  wanted public.scheduled_posts := jsonb_populate_record(
    null::public.scheduled_posts, private.with_references(post::jsonb::text)::jsonb
  );
  words jsonb := private.post_words(to_jsonb(wanted));
  newest public.post_approvals;
begin
  perform private.require_writer();
  if num_nulls(wanted.title, wanted.tagline, wanted.category, wanted.author, wanted.content, wanted.alt) > 0 then
    raise exception 'The post is incomplete' using errcode = '23514';
  end if;
  perform pg_advisory_xact_lock(hashtext('post_approvals'), hashtext(wanted.id::text));
  if not private.is_newest_draft(wanted.id, submit_post.draft_version) then
    raise exception 'Another window changed the draft' using errcode = 'exclusion_violation';
  end if;
  perform private.use_post_images(wanted.image_url, wanted.content);
  -- Otherwise, a reviewer would approve an image that appears later.
  if exists (
    select from unnest(private.post_images(wanted.image_url, wanted.content)) as image
      where not exists (
        select from storage.objects where bucket_id in ('images', 'files') and objects.name = image
      )
  ) then
    raise exception 'An image or file of the post is not stored' using errcode = '23514';
  end if;
  select * into newest from public.post_approvals
    where post_id = wanted.id order by id desc limit 1;
  -- Otherwise, the response to the same call was lost.
  if (newest.event, newest.document, newest.draft_version)
    is distinct from ('submitted', words, submit_post.draft_version)
  then
    insert into public.post_approvals (post_id, event, document, draft_version)
      values (wanted.id, 'submitted', words, submit_post.draft_version)
      returning * into newest;
  end if;
  return newest.id;
end;
$$;
comment on function public.submit_post(text, timestamptz) is
  'Submits a finished post (JSON) for approval, whose draft has updated_at = draft_version (null: there is none). Returns the id of the submission. Safe to repeat. Owners and editors only.';
grant execute on function public.submit_post(text, timestamptz) to authenticated;

create function public.decide_post(
  submission bigint, is_approved boolean, comment text, preview_token uuid, name text, email text
)
returns text
language plpgsql
security definer
set search_path = ''
as $$
declare
  submitted public.post_approvals;
  newest public.post_approvals;
  decision text := case when is_approved then 'approved' else 'returned' end;
  decided_by text := private.trimmed(name);
  problem text;
begin
  select * into submitted from public.post_approvals where id = submission and event = 'submitted';
  if preview_token is null then
    perform private.require_owner();
  elsif not exists (
    select from public.post_previews
      where token = preview_token and post_id = submitted.post_id and may_approve and expires_at > now()
  ) then
    return 'This link has ended, or it may not approve this post. Ask for a new link.';
  elsif char_length(coalesce(decided_by, '')) not between 1 and 100
    or not private.is_one_line(decided_by || coalesce(email, ''))
    or strpos(decided_by, '@') > 0
    or coalesce(email, '') !~ '^[^@[:space:]]+@[^@[:space:]]+$'
  then
    return 'Enter your name and your email address.';
  end if;
  -- A signed-in person decides under her own name, through a link as well.
  if preview_token is null or private.own_email() is not null then
    decided_by := private.own_name();
    email := private.own_email();
  end if;
  -- One at a time, so that a decision and a newer submission cannot miss each other.
  perform pg_advisory_xact_lock(hashtext('post_approvals'), hashtext(submitted.post_id::text));
  select * into newest from public.post_approvals
    where post_id = submitted.post_id order by id desc limit 1;
  -- The response to the same call was lost.
  if (newest.event, newest.by_name, newest.document) = (decision, decided_by, submitted.document) then
    return null;
  end if;
  problem := case
    when newest.id is distinct from submitted.id
      then format(
        '%s %s this post meanwhile. Reload the page to see it.',
        private.shown_name(newest.event, newest.by_name), newest.event
      )
    when not private.is_newest_draft(submitted.post_id, submitted.draft_version)
      then 'This post was changed after it was submitted. It must be submitted again before it can be approved.'
    when decision = 'approved' and submitted.saved_by = private.user_id() and private.owners_need_approval()
      then 'Another person must approve this post: another owner, or a reviewer with a link that may approve.'
    when decision = 'returned' and coalesce(private.trimmed(comment), '') = ''
      then 'Write in the comment what should change.'
  end;
  if problem is null then
    insert into public.post_approvals (post_id, event, document, draft_version, by_name, by_email, comment)
      values (
        submitted.post_id, decision, submitted.document, submitted.draft_version, decided_by, email,
        coalesce(private.trimmed(comment), '')
      );
  end if;
  return problem;
end;
$$;
comment on function public.decide_post(bigint, boolean, text, uuid, text, text) is
  'Approves or returns a submission, for owners, and with name and email for the token of a preview link that may approve. Returns null, or why it was not decided and what to do. Safe to repeat.';
grant execute on function public.decide_post(bigint, boolean, text, uuid, text, text)
  to anon, authenticated, service_role;
