-- Approval of posts. With the setting blog.needApproval, words become public only after an owner, or a reviewer with a preview
-- link, has approved exactly these words. What an owner publishes or schedules counts as approved by her.

create table public.post_approvals (
  id bigint generated always as identity primary key,
  post_id uuid not null,
  event text not null,
  document jsonb not null,
  digest text not null,
  submission bigint references public.post_approvals (id),
  draft_version timestamptz,
  saved_at timestamptz not null default clock_timestamp(),
  saved_by uuid default auth.uid(),
  name text not null,
  email text,
  comment text not null default '',
  constraint post_approvals_event check (event in ('submitted', 'approved', 'returned')),
  constraint post_approvals_document check (octet_length(document::text) <= 600000),
  constraint post_approvals_name_length check (char_length(btrim(name)) between 1 and 320),
  constraint post_approvals_email_length check (char_length(email) <= 320),
  constraint post_approvals_comment_length check (char_length(comment) <= 2000)
);
comment on table public.post_approvals is
  'What was submitted for approval, and what was decided about it. Append-only, written by functions and a trigger alone.';
comment on column public.post_approvals.digest is 'private.post_digest of the document: names the exact version.';
comment on column public.post_approvals.submission is
  'The row that the decision is about; null for a submission, and for what an owner published herself.';
comment on column public.post_approvals.draft_version is
  'Of a submission: updated_at of the draft that was submitted; null when there was none.';
comment on column public.post_approvals.name is 'Who did it. A reviewer without an account also gives an email address.';
create index post_approvals_newest_first on public.post_approvals (post_id, id desc);
create unique index post_approvals_decided_once on public.post_approvals (submission);

alter table public.post_approvals enable row level security;
revoke all on public.post_approvals from anon, authenticated, service_role;
grant select on public.post_approvals to authenticated, service_role;

create policy "Writers read approvals" on public.post_approvals
  for select to authenticated using ((select private.may('write posts')));

create function private.post_words(document jsonb)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select jsonb_object_agg(field, document -> field)
    from unnest(
      array['title', 'tagline', 'category', 'author', 'content', 'image_url', 'alt', 'related_services']
    ) as field;
$$;
comment on function private.post_words(jsonb) is 'What readers see of a post: without its address and dates.';

create function private.post_digest(document jsonb)
returns text
language sql
immutable
set search_path = ''
as $$
  select encode(sha256(convert_to(private.post_words(document)::text, 'UTF8')), 'hex');
$$;
comment on function private.post_digest(jsonb) is 'The SHA-256 of what readers see of a post.';

create function private.add_post_approval(
  post_id uuid,
  event text,
  document jsonb,
  name text,
  submission bigint default null,
  draft_version timestamptz default null,
  email text default null,
  comment text default ''
)
returns bigint
language sql
security definer
set search_path = ''
as $$
  insert into public.post_approvals (
    post_id, event, document, digest, submission, draft_version, name, email, comment
  ) values (
    post_id, event, private.post_words(document) || jsonb_build_object('slug', document -> 'slug'),
    private.post_digest(document), submission, draft_version, btrim(name), email, btrim(comment)
  )
    returning id;
$$;
comment on function private.add_post_approval(uuid, text, jsonb, text, bigint, timestamptz, text, text) is
  'Adds a submission or a decision.';

create function private.own_name()
returns text
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(person.name, account.email::text)
    from private.people as person
    join auth.users as account on account.id = person.user_id
    where person.user_id = (select private.user_id());
$$;
comment on function private.own_name() is 'The name of the signed-in person, or the email address.';

create function private.newest_approval(wanted_post uuid)
returns public.post_approvals
language plpgsql
security definer
set search_path = ''
as $$
declare
  newest public.post_approvals;
begin
  -- Serialized, so that a decision and a new submission cannot miss each other.
  perform pg_advisory_xact_lock(hashtext('post_approvals'), hashtext(wanted_post::text));
  select * into newest from public.post_approvals
    where post_id = wanted_post order by id desc limit 1;
  return newest;
end;
$$;
comment on function private.newest_approval(uuid) is
  'The newest submission or decision of a post, locked until the end of the transaction.';

create function private.is_newest_draft(post_id uuid, draft_version timestamptz)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select case
    when exists (select from public.post_drafts where id = post_id)
      then exists (select from public.post_drafts where id = post_id and updated_at = draft_version)
    else draft_version is null and (
      exists (select from public.scheduled_posts where id = post_id)
      or exists (select from public.posts where id = post_id)
    )
  end;
$$;
comment on function private.is_newest_draft(uuid, timestamptz) is
  'Whether a post still has the draft with this updated_at; for null, whether it is stored and has no draft.';

create function private.waiting_posts()
returns setof uuid
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  if private.setting('blog', 'needApproval') = 'true'::jsonb then
    return query
      select submitted.post_id from public.post_approvals as submitted
        where submitted.event = 'submitted'
          and not exists (
            select from public.post_approvals as later
              where later.post_id = submitted.post_id and later.id > submitted.id
          )
          and private.is_newest_draft(submitted.post_id, submitted.draft_version);
  end if;
end;
$$;
comment on function private.waiting_posts() is
  'The posts whose newest submission can be decided: nothing was decided or changed since.';

create function private.require_approval()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  wanted text := private.post_digest(to_jsonb(new));
  decision text;
begin
  if private.setting('blog', 'needApproval') is distinct from 'true'::jsonb
    or tg_op = 'UPDATE' and new.id = old.id and wanted = private.post_digest(to_jsonb(old))
  then
    return null;
  end if;
  select event into decision from public.post_approvals
    where post_id = new.id and digest = wanted and event <> 'submitted'
    order by id desc
    limit 1;
  if decision = 'approved' then
    return null;
  end if;
  if private.may('manage the site') then
    perform private.add_post_approval(new.id, 'approved', to_jsonb(new), private.own_name());
    return null;
  end if;
  -- A code that nothing else raises here, so that the editor recognizes it.
  raise exception 'This version needs approval. Submit it for approval, or ask an owner to publish it'
    using errcode = 'restrict_violation', constraint = 'posts_approved';
end;
$$;
comment on function private.require_approval() is
  'With the setting blog.needApproval, rejects words that nobody has approved, for every role, the secret key and the job that publishes. Records the approval of an owner who publishes or schedules.';
-- After, so that the row is final, and an upsert is checked once, as what it does.
create trigger posts_require_approval
  after insert or update on public.posts
  for each row execute function private.require_approval();
create trigger scheduled_posts_require_approval
  after insert on public.scheduled_posts
  for each row execute function private.require_approval();

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
  newest public.post_approvals;
begin
  perform private.require_writer();
  if num_nulls(wanted.title, wanted.tagline, wanted.category, wanted.author, wanted.content, wanted.alt) > 0 then
    raise exception 'The post is incomplete' using errcode = '23514';
  end if;
  newest := private.newest_approval(wanted.id);
  if not private.is_newest_draft(wanted.id, submit_post.draft_version) then
    raise exception 'Another window changed the draft' using errcode = 'exclusion_violation';
  end if;
  -- The response to the same call was lost.
  if newest.event = 'submitted'
    and newest.digest = private.post_digest(to_jsonb(wanted))
    and newest.draft_version is not distinct from submit_post.draft_version
  then
    return newest.id;
  end if;
  return private.add_post_approval(
    wanted.id, 'submitted', to_jsonb(wanted), private.own_name(),
    draft_version => submit_post.draft_version
  );
end;
$$;
comment on function public.submit_post(text, timestamptz) is
  'Submits a finished post (JSON) for approval, whose draft has updated_at = draft_version (null: there is none). Returns the id of the submission. Safe to repeat. Owners and editors only.';
revoke execute on function public.submit_post(text, timestamptz) from public, anon;
grant execute on function public.submit_post(text, timestamptz) to authenticated;

create function private.decide_submission(
  wanted_submission bigint,
  decision text,
  decided_by text,
  comment text,
  email text default null
)
returns text
language plpgsql
security definer
set search_path = ''
as $$
declare
  submitted public.post_approvals;
  newest public.post_approvals;
begin
  select * into submitted from public.post_approvals
    where id = wanted_submission and event = 'submitted';
  if not found then
    return 'There is no such submission.';
  end if;
  newest := private.newest_approval(submitted.post_id);
  if newest.submission = submitted.id then
    -- The response to the same call was lost.
    if newest.event = decision and newest.name = btrim(decided_by) then
      return null;
    end if;
    return format('This version was already %s by %s.', newest.event, newest.name);
  end if;
  if newest.id <> submitted.id then
    return 'A newer version of this post was submitted or published. Reload the page to see it.';
  end if;
  if not private.is_newest_draft(submitted.post_id, submitted.draft_version) then
    return 'This post was changed after it was submitted. It must be submitted again before it can be approved.';
  end if;
  if decision is distinct from 'approved' and decision is distinct from 'returned' then
    return 'Choose whether to approve the post or to return it.';
  end if;
  if char_length(comment) > 2000 then
    return 'The comment can have at most 2,000 characters.';
  end if;
  if decision = 'returned' and coalesce(btrim(comment), '') = '' then
    return 'Write in the comment what should change.';
  end if;
  perform private.add_post_approval(
    submitted.post_id, decision, submitted.document, decided_by, submitted.id,
    email => email, comment => coalesce(decide_submission.comment, '')
  );
  return null;
end;
$$;
comment on function private.decide_submission(bigint, text, text, text, text) is
  'Approves or returns a submission. Returns null, or why it was not decided and what to do. Safe to repeat.';

create function public.decide_post(submission bigint, decision text, comment text)
returns text
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_owner();
  return private.decide_submission(
    decide_post.submission, decide_post.decision, private.own_name(), decide_post.comment
  );
end;
$$;
comment on function public.decide_post(bigint, text, text) is
  'Decides about a submission: approved or returned. Returns null, or why it was not decided. Safe to repeat. Owners only.';
revoke execute on function public.decide_post(bigint, text, text) from public, anon;
grant execute on function public.decide_post(bigint, text, text) to authenticated;

create function private.preview_approval(shown_post uuid)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  newest public.post_approvals;
begin
  select * into newest from public.post_approvals
    where post_id = shown_post order by id desc limit 1;
  if newest.event is distinct from 'submitted' then
    return jsonb_build_object('state', coalesce(newest.event, 'none'), 'name', newest.name);
  end if;
  if not private.is_newest_draft(shown_post, newest.draft_version) then
    return '{"state": "none"}';
  end if;
  return jsonb_build_object('state', 'submitted', 'id', newest.id, 'document', newest.document);
end;
$$;
comment on function private.preview_approval(uuid) is
  'What a reviewer can do about a post: {state: submitted, id, document}, {state: approved or returned, name}, or {state: none} while nothing waits.';

insert into private.request_limits (action, scope, max_count, period) values
  ('approval', 'visitor', 20, '1 hour'),
  ('approval', 'everyone', 200, '1 hour');

create function public.decide_preview(
  preview_token uuid,
  submission bigint,
  decision text,
  name text,
  email text,
  comment text
)
returns text
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Refusals are returned, not raised: a failed transaction would not count them.
  if private.count_request(
    'approval', nullif(current_setting('request.headers', true), '')::json ->> 'cf-connecting-ip'
  ) > 0 then
    return 'There were too many attempts. Please try again in an hour.';
  end if;
  if not exists (
    select from public.post_previews as link
      join public.post_approvals as submitted on submitted.post_id = link.post_id
      where link.token = preview_token and link.may_approve and link.expires_at > now()
        and submitted.id = decide_preview.submission
  ) then
    return 'This link has ended, or it may not approve this post. Ask for a new link.';
  end if;
  if coalesce(btrim(name), '') = '' or char_length(name) > 100 or name ~ '[[:cntrl:]]' then
    return 'Enter your name.';
  end if;
  if coalesce(email, '') !~ '^[^[:space:][:cntrl:]@]+@[^[:space:][:cntrl:]@]+\.[^[:space:][:cntrl:]@]+$'
    or char_length(email) > 320
  then
    return 'Enter your email address.';
  end if;
  return private.decide_submission(
    decide_preview.submission, decide_preview.decision, decide_preview.name, decide_preview.comment,
    decide_preview.email
  );
end;
$$;
comment on function public.decide_preview(uuid, bigint, text, text, text, text) is
  'Decides about a submission by a preview link that may approve. Returns null, or why it was not decided. Safe to repeat.';
revoke execute on function public.decide_preview(uuid, bigint, text, text, text, text) from public;
grant execute on function public.decide_preview(uuid, bigint, text, text, text, text)
  to anon, authenticated, service_role;
