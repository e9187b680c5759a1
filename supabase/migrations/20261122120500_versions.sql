-- What is public is a version that somebody chose. Posts, pages, sections of the settings and testimonials are kept the same way:
--
--   versions    append-only: each saved, submitted, approved, scheduled, published or deleted document, with who did it
--   drafts      the working copies, one for each thing
--   schedules   which version becomes public, and when
--   previews    links that show a draft or a scheduled version to people without an account
--
-- The tables posts, pages, site_settings and testimonials have what is public. private.record_change adds a version for each
-- change of their rows, whoever made it. With the setting blog.needApproval, it lets a post or page become public only when it
-- equals an approved version. The commands that change drafts and schedules are in content_commands.sql. Why:
-- docs/decisions/2026-11-28-versions.md.

create type public.content_kind as enum ('post', 'page', 'section', 'testimonial');
create type public.content_event as enum (
  'draft', 'submitted', 'approved', 'returned', 'scheduled', 'published', 'unpublished', 'deleted', 'restored', 'removed'
);

create function private.shown_part(document jsonb)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select document - array['updated_at', 'draft_version', 'seen_at', 'pin']
    -- Visitors see an edited sample as the adviser's own post (private.is_shown).
    || case
      when document ? 'is_sample' then jsonb_build_object(
        'is_sample',
        coalesce((document ->> 'is_sample')::boolean and document ->> 'updated_at' = document ->> 'created_at', false)
      )
      else '{}'
    end;
$$;
comment on function private.shown_part(jsonb) is
  'A document without what is no new version: when it was saved, who looked at it, and which testimonials are shown first.';

create function private.without_reading(document jsonb)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select document - 'starter' || case
    when jsonb_typeof(document -> 'items') = 'array' then jsonb_build_object(
      'items',
      (
        select coalesce(jsonb_agg(case jsonb_typeof(item) when 'object' then item - 'starter' else item end order by place), '[]')
          from jsonb_array_elements(document -> 'items') with ordinality as list (item, place)
      )
    )
    else '{}'
  end;
$$;
comment on function private.without_reading(jsonb) is
  'A document without the notes that its starting texts were not read yet: of a section of the settings, and of each service.';

create function private.digest(document jsonb)
returns text
language sql
immutable
set search_path = ''
as $$
  select encode(
    sha256(
      convert_to(
        (
          private.without_reading(private.shown_part(document))
            - array['id', 'published_date', 'created_at', 'place', 'position']
        )::text,
        'UTF8'
      )
    ),
    'hex'
  );
$$;
comment on function private.digest(jsonb) is
  'The SHA-256 of everything that decides what a reader gets, except dates, where a page is linked, and which starting texts were read: the address, the words and images, and whether it is hidden or a sample. An approval is for this. Leaves out columns by name, so that one that is added later counts.';

create table public.versions (
  number bigint generated always as identity primary key,
  kind public.content_kind not null,
  thing text not null,
  event public.content_event not null,
  document jsonb not null,
  digest text not null generated always as (private.digest(document)) stored,
  images text[] not null generated always as (private.document_images(document)) stored,
  at timestamptz not null default clock_timestamp(),
  by_id uuid default auth.uid(),
  by_name text default private.own_name(),
  by_email text default private.own_email(),
  by_role text default public.my_role(),
  link_by_name text,
  link_by_email text,
  comment text not null default '',
  draft timestamptz,
  constraint versions_thing_length check (char_length(thing) <= 100),
  constraint versions_document check (octet_length(document::text) <= 1100000),
  constraint versions_by_name_length check (char_length(private.trimmed(by_name)) between 1 and 320),
  constraint versions_by_name_line check (private.is_one_line(by_name)),
  constraint versions_by_email_length check (char_length(by_email) <= 320),
  constraint versions_by_email_line check (private.is_one_line(by_email)),
  constraint versions_by_role_length check (char_length(by_role) <= 40),
  constraint versions_link_by_name_length check (char_length(link_by_name) <= 320),
  constraint versions_link_by_email_length check (char_length(link_by_email) <= 320),
  constraint versions_comment_length check (char_length(comment) <= 2000)
);
comment on table public.versions is
  'Every version of everything that is or was to be public, append-only, written by functions and triggers alone.';
comment on column public.versions.thing is 'The id of the post, page or testimonial, or the name of the section.';
comment on column public.versions.event is
  'draft: kept while it was written; submitted, approved, returned: for approval, of a testimonial: received and refused; scheduled; published: public as it is here; unpublished: stored, but hidden from visitors; deleted; restored: made a draft again; removed: cannot be restored any more.';
comment on column public.versions.document is
  'All columns of the public row, or the draft; of a section its document. After the deletion of what was never public, with state "draft"; of what was removed, the title only.';
comment on column public.versions.by_name is
  'The name of the account by_id at that moment, or its address. With by_email, it stays when the account changes or is deleted. What the job publishes has the person who scheduled it; what a reviewer with a link decided has what she entered, and no by_id. Null for visitors and the secret key.';
comment on column public.versions.draft is 'Of a submission: saved_at of the draft that was submitted; null without one.';
comment on column public.versions.by_role is
  'The role of by_id at that moment; null for who had none, and for what a reviewer with a link entered.';
comment on column public.versions.link_by_name is
  'Of a decision by a preview link: who had made the link, as by_name. Without by_id, that is all that is known of the reviewer beside what she typed.';
create index versions_newest_first on public.versions (kind, thing, number desc);
create index versions_deleted on public.versions (at desc) where event = 'deleted';
create index versions_images on public.versions using gin (images);

alter table public.versions enable row level security;
revoke all on public.versions from anon, authenticated, service_role;
grant select on public.versions to authenticated, service_role;

create policy "Whoever may change a kind of content reads its versions" on public.versions
  for select to authenticated
  using (
    case kind
      when 'section' then (select private.may('manage the site'))
      when 'testimonial' then (select private.may('moderate testimonials'))
      else (select private.may('write posts'))
    end
  );

create table public.drafts (
  kind public.content_kind,
  thing text,
  document jsonb not null,
  base bigint references public.versions (number),
  saved_at timestamptz not null default clock_timestamp(),
  saved_by uuid default auth.uid(),
  images text[] not null generated always as (private.document_images(document)) stored,
  primary key (kind, thing),
  constraint drafts_kind check (kind <> 'testimonial'),
  constraint drafts_thing_length check (char_length(thing) <= 100),
  constraint drafts_document check (jsonb_typeof(document) = 'object' and octet_length(document::text) <= 1000000),
  constraint drafts_texts check (
    kind = 'section'
    or char_length(document ->> 'title') <= 500 and char_length(document ->> 'tagline') <= 600
      and char_length(document ->> 'category') <= 100 and char_length(document ->> 'author') <= 200
      and char_length(document ->> 'alt') <= 600 and char_length(document ->> 'image_url') <= 2000
      and char_length(document ->> 'slug') <= 600 and document ->> 'slug' ~ '^[A-Za-z0-9_-]*$'
      and jsonb_typeof(coalesce(document -> 'content', '[]')) = 'array'
  )
);
comment on table public.drafts is
  'The working copies: of something new, or of changes to what is scheduled or public. May be incomplete. An empty tagline, alt or slug is generated from the title. Written by functions, which name the draft that they replace.';
comment on column public.drafts.base is
  'The scheduled or public version that the draft started from; null for something new. Of a section, always the current one, so that a draft never puts back what was replaced since.';
comment on column public.drafts.saved_at is 'Tells one state of the draft from the next: whoever replaces it names the one that was seen.';
create index drafts_newest_first on public.drafts (saved_at desc, thing);
create index drafts_images on public.drafts using gin (images);

create table public.schedules (
  kind public.content_kind,
  thing text,
  version bigint not null references public.versions (number),
  at timestamptz not null,
  failure text,
  retry_at timestamptz,
  primary key (kind, thing),
  constraint schedules_kind check (kind not in ('section', 'testimonial')),
  constraint schedules_thing_length check (char_length(thing) <= 100),
  constraint schedules_failure_length check (char_length(failure) <= 1000)
);
comment on table public.schedules is 'Which version becomes public, and when. private.publish_due publishes it.';
comment on column public.schedules.failure is 'Why the last attempt to publish failed; null before its time, and after a change.';
comment on column public.schedules.retry_at is 'When publishing is tried again after a failure.';
create index schedules_next_first on public.schedules (at, thing);
create index schedules_version on public.schedules (version);

create table public.previews (
  token uuid primary key default gen_random_uuid(),
  kind public.content_kind not null,
  thing text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '14 days',
  created_by uuid default auth.uid() references private.people (user_id) on delete cascade,
  may_approve boolean not null default false,
  unique (kind, thing),
  constraint previews_kind check (kind not in ('section', 'testimonial')),
  -- The approval names its maker.
  constraint previews_maker check (not may_approve or created_by is not null),
  constraint previews_thing_length check (char_length(thing) <= 100)
);
comment on table public.previews is
  'Links that show a draft or a scheduled version to people without an account. One ends after 14 days, when its row is deleted, when what it shows is published or discarded, and when its maker is removed or gets another role.';
comment on column public.previews.may_approve is
  'Whether a person with the link may approve or return what it shows. Only owners create and see such a link, so that no editor approves her own post with it.';
create index previews_by_maker on public.previews (created_by);

alter table public.drafts enable row level security;
alter table public.schedules enable row level security;
alter table public.previews enable row level security;
revoke all on public.drafts, public.schedules, public.previews from anon, authenticated;
grant select on public.drafts, public.schedules, public.previews to authenticated;
grant insert (kind, thing, may_approve), delete on public.previews to authenticated;
grant all on public.drafts, public.schedules, public.previews to service_role;

create policy "Whoever may change a kind of content reads its drafts" on public.drafts
  for select to authenticated
  using (
    case kind
      when 'section' then (select private.may('manage the site'))
      else (select private.may('write posts'))
    end
  );
create policy "Writers read schedules" on public.schedules
  for select to authenticated using ((select private.may('write posts')));
create policy "Writers read preview links" on public.previews
  for select to authenticated using ((select private.may('write posts')));
create policy "Writers create preview links" on public.previews
  for insert to authenticated with check ((select private.may('write posts')));
create policy "Only owners use links that may approve" on public.previews
  as restrictive to authenticated
  using (not may_approve or (select private.may('manage the site')));
create policy "Writers revoke preview links" on public.previews
  for delete to authenticated using ((select private.may('write posts')));

-- Drafts

create function private.check_draft()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if new.kind = 'section' then
    -- A publication locks this row until its version is visible here.
    perform from private.settings_schemas where section = new.thing for share;
    if not found then
      raise exception 'There is no section %', new.thing using errcode = '23503';
    end if;
    if new.base is distinct from private.current_version(new.kind, new.thing) then
      raise exception 'Another window published this section' using errcode = 'exclusion_violation';
    end if;
  end if;
  new.document := private.with_references(new.document::text)::jsonb;
  if tg_op = 'UPDATE' then
    -- Publishing a scheduled version changes base alone, which does not count as an edit.
    if new.document = old.document then
      new.saved_at := old.saved_at;
      new.saved_by := old.saved_by;
      return new;
    end if;
    new.saved_at := greatest(clock_timestamp(), old.saved_at + interval '1 microsecond');
    new.saved_by := (select auth.uid());
  end if;
  perform private.use_images(new.document);
  return new;
end;
$$;
create trigger drafts_check
  before insert or update on public.drafts
  for each row execute function private.check_draft();

create function private.end_draft()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  in_kind public.content_kind := tg_argv[0];
begin
  if tg_op = 'DELETE' then
    -- Before the version of the deletion, which must be the newest one to be restored.
    perform private.add_version(kind, thing, 'draft', document)
      from public.drafts where kind = in_kind and thing = old.id::text;
    delete from public.drafts where kind = in_kind and thing = old.id::text;
    delete from public.previews where kind = in_kind and thing = old.id::text;
    return old;
  end if;
  delete from public.schedules where kind = in_kind and thing = new.id::text;
  delete from public.drafts where kind = in_kind and thing = new.id::text and saved_at = new.draft_version;
  if (tg_op = 'INSERT' or new.draft_version is distinct from old.draft_version)
    and exists (select from public.drafts where kind = in_kind and thing = new.id::text)
  then
    raise exception 'Another window changed the draft' using errcode = 'exclusion_violation';
  end if;
  return new;
end;
$$;
comment on function private.end_draft() is
  'Ends the schedule and the draft of a post or page that is published, saved or deleted. Fails when the draft is not the published one. An update that keeps draft_version leaves a draft as it is.';

-- Versions

create function private.newest_version(
  kind public.content_kind, thing text, events public.content_event[] default null
)
returns public.versions
language sql
stable
security definer
set search_path = ''
as $$
  select * from public.versions as version
    where version.kind = newest_version.kind and version.thing = newest_version.thing
      and (events is null or event = any(events))
    order by number desc
    limit 1;
$$;

create function private.public_version(kind public.content_kind, thing text)
returns bigint
language sql
stable
security definer
set search_path = ''
as $$
  select case event when 'deleted' then null else number end
    from public.versions as version
    where version.kind = public_version.kind and version.thing = public_version.thing
      -- Not of a draft that was discarded.
      and (event in ('published', 'unpublished') or event = 'deleted' and not document @> '{"state": "draft"}')
    -- Not by the result, which has the same name.
    order by version.number desc
    limit 1;
$$;
comment on function private.public_version(public.content_kind, text) is
  'The number of the version that is public now, or stored and hidden; null when there is none.';

create function private.current_version(kind public.content_kind, thing text)
returns bigint
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  if kind = 'section' then
    return (select version from public.site_settings where section = thing);
  end if;
  return coalesce(
    private.public_version(kind, thing),
    (
      select version from public.schedules as stored
        where stored.kind = current_version.kind and stored.thing = current_version.thing
    )
  );
end;
$$;
comment on function private.current_version(public.content_kind, text) is
  'The number of the version that is public, stored and hidden, or scheduled; null for something new. A draft has changes to it.';

create function private.add_version(
  kind public.content_kind, thing text, event public.content_event, document jsonb, draft timestamptz default null
)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_variable
declare
  newest public.versions := private.newest_version(kind, thing);
  signer public.versions;
  added bigint;
begin
  -- The job that publishes acts for the person who scheduled the version. It ends the schedule last.
  if event = 'published' and auth.uid() is null then
    select version.* into signer
      from public.schedules as due join public.versions as version on version.number = due.version
      where due.kind = kind and due.thing = thing and due.at <= now();
  end if;
  if newest.event = event and private.shown_part(newest.document) = private.shown_part(document)
    -- Another person who schedules or submits the same signs it.
    and (event not in ('scheduled', 'submitted') or auth.uid() is not distinct from newest.by_id)
    and newest.draft is not distinct from draft
  then
    return newest.number;
  end if;
  if signer.number is not null then
    insert into public.versions (kind, thing, event, document, draft, by_id, by_name, by_email, by_role)
      values (kind, thing, event, document, draft, signer.by_id, signer.by_name, signer.by_email, signer.by_role)
      returning number into added;
  else
    insert into public.versions (kind, thing, event, document, draft)
      values (kind, thing, event, document, draft)
      returning number into added;
  end if;
  return added;
end;
$$;
comment on function private.add_version(public.content_kind, text, public.content_event, jsonb, timestamptz) is
  'Adds a version in the name of the caller, or of the person who scheduled what the job publishes, unless the newest one is the same. Returns its number.';

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

create function private.needs_approval(kind public.content_kind)
returns boolean
language plpgsql
stable
set search_path = ''
as $$
begin
  return kind <> 'testimonial'
    and private.setting('blog', 'needApproval') is not distinct from 'true'::jsonb
    and (kind <> 'section' or private.setting('blog', 'settingsNeedApproval') is not distinct from 'true'::jsonb);
end;
$$;
comment on function private.needs_approval(public.content_kind) is
  'The setting blog.needApproval, and for sections of the settings blog.settingsNeedApproval as well.';

create function private.date_of(document jsonb)
returns timestamptz
language sql
stable
set search_path = ''
as $$
  select least((document ->> 'published_date')::timestamptz, (document ->> 'created_at')::timestamptz);
$$;
comment on function private.date_of(jsonb) is 'The date under which a post is shown and listed.';

create function private.is_approved(kind public.content_kind, thing text, document jsonb)
returns boolean
language sql
stable
set search_path = ''
as $$
  select coalesce(
    (
      select event = 'approved' from public.versions as version
        where version.kind = is_approved.kind and version.thing = is_approved.thing
          and event in ('approved', 'returned') and digest = private.digest(is_approved.document)
        order by number desc
        limit 1
    ),
    false
  );
$$;
comment on function private.is_approved(public.content_kind, text, jsonb) is
  'Whether the last decision about exactly this document approved it.';

create function private.is_date_approved(kind public.content_kind, thing text, date timestamptz)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  -- The time at which it is published, also when the job that publishes was late.
  select coalesce(date > now() - interval '1 hour', true)
    or exists (
      select from public.schedules as due
        where due.kind = is_date_approved.kind and due.thing = is_date_approved.thing and due.at = date
    )
    or exists (
      select from public.versions as version
        where version.kind = is_date_approved.kind and version.thing = is_date_approved.thing
          and event in ('approved', 'published', 'unpublished') and private.date_of(document) = date
    );
$$;
comment on function private.is_date_approved(public.content_kind, text, timestamptz) is
  'Whether a date is that of the publication, or one that was public or approved with the words of an imported post.';

create function private.require_own_images(document jsonb)
returns void
language plpgsql
stable
set search_path = ''
as $$
begin
  if exists (
    select from (
      select document ->> 'image_url'
      union all
      select source #>> '{}' from jsonb_path_query(document, '$.**.src') as source
    ) as images (reference)
    where reference ~* '^https?:'
  ) then
    raise exception 'An image on another host could change after the approval. Upload the image instead.'
      using errcode = 'PT422';
  end if;
end;
$$;
comment on function private.require_own_images(jsonb) is 'Rejects a document that shows an image on another host.';

create function private.require_approval(
  kind public.content_kind, thing text, document jsonb, former jsonb default null
)
returns void
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_variable
declare
  unnumbered text := substring(document ->> 'slug' from '^(.+)-[0-9]+$');
  date timestamptz := private.date_of(document);
begin
  if not private.needs_approval(kind) then
    return;
  end if;
  perform private.require_own_images(document);
  if (kind = 'section' or date = private.date_of(former) or private.is_date_approved(kind, thing, date))
    and (
      private.is_approved(kind, thing, document)
      -- A number was added, because the approved address is taken.
      or private.free_slug(kind, thing, unnumbered) <> unnumbered
        and private.is_approved(kind, thing, document || jsonb_build_object('slug', unnumbered))
    )
  then
    return;
  end if;
  if not private.may('manage the site')
    -- Nobody else could approve the settings of an only owner, nor switch this off.
    or private.owners_need_approval() and (kind <> 'section' or exists (
      select from private.people where role = 'owner' and user_id <> private.user_id()
    ))
  then
    raise exception 'This version needs approval. Ask for approval before it is published'
      using errcode = 'restrict_violation';
  end if;
  perform private.add_version(kind, thing, 'approved', document);
end;
$$;
comment on function private.require_approval(public.content_kind, text, jsonb, jsonb) is
  'Where a kind needs approval, rejects a document that nobody has approved, or a date that is neither that of its publication nor of the former document, for every role, the secret key and the job that publishes. Records the approval of an owner who publishes or schedules and needs none.';

create function private.require_filled(document jsonb)
returns void
language plpgsql
immutable
set search_path = ''
as $$
declare
  placeholder text := substring(
    (document -> 'content')::text from '\[(?=' || array_to_string(array[
      -- `npm run types` writes how the placeholders of app/manage/pages/templates.ts start.
      'A link, with',
      'A sentence or',
      'Commissions, fees or',
      'How often you',
      'Link the brochure',
      'Link the current',
      'Name]',
      'Role and licenses',
      'What clients turn',
      'What happens in',
      'What is here',
      'What you are',
      'What you did',
      'What you prepare',
      'Who works here',
      'Who you are',
      'Whom clients can',
      'Your answer'
    ], '|') || ')[^]"]*]?'
  );
begin
  if placeholder is not null then
    raise exception 'Fill in or remove %, which a template left in the text.', left(placeholder, 100)
      using errcode = 'PT422';
  end if;
end;
$$;
comment on function private.require_filled(jsonb) is
  'Rejects a text with a placeholder of a template. Other words in brackets, such as "[1]" or "[sic]", stay.';

create function private.record_change()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  in_kind public.content_kind := tg_argv[0];
  stored jsonb := coalesce(to_jsonb(new), to_jsonb(old));
  former jsonb := case when tg_op = 'UPDATE' then to_jsonb(old) end;
  key text := case in_kind when 'section' then 'section' else 'id' end;
  in_thing text := stored ->> key;
  -- Of testimonials, empty by now.
  write_only text[] := array['consent', 'email', 'request'];
  made public.content_event;
  has_same_words boolean;
  replaced bigint;
  added bigint;
begin
  if former ->> key <> in_thing then
    raise exception 'The % of a % never changes', key, in_kind using errcode = 'restrict_violation';
  -- It puts the defaults back.
  elsif tg_op = 'DELETE' and in_kind = 'section' and private.needs_approval(in_kind) then
    raise exception 'A section that needs approval is not deleted' using errcode = 'restrict_violation';
  elsif in_kind = 'section' then
    stored := stored -> 'document';
    former := former -> 'document';
  else
    stored := stored - write_only;
    former := former - write_only;
  end if;
  if private.shown_part(stored) = private.shown_part(former) then
    return new;
  end if;
  made := case
    when tg_op = 'DELETE' then 'deleted'
    when in_kind = 'page' and stored ->> 'hidden' = 'true' then 'unpublished'
    when in_kind <> 'testimonial' or stored ->> 'approved_at' is not null then 'published'
    when stored ->> 'refused_at' is null then 'submitted'
    when former ->> 'approved_at' is not null then 'unpublished'
    else 'returned'
  end;
  has_same_words := private.digest(stored) is not distinct from private.digest(former);
  -- Words that are public already stay: a page with them can be moved in the menu.
  if made = 'published' and in_kind in ('post', 'page') and (not has_same_words or former @> '{"hidden": true}') then
    perform private.require_filled(stored);
  end if;
  if made = 'published' and not (has_same_words and private.date_of(stored) is not distinct from private.date_of(former))
  then
    perform private.require_approval(in_kind, in_thing, stored, former);
  end if;
  replaced := private.public_version(in_kind, in_thing);
  added := private.add_version(in_kind, in_thing, made, stored);
  if tg_op = 'DELETE' then
    return old;
  end if;
  if has_same_words then
    -- A page was moved in the menu. A draft of other words is still one of the present words.
    update public.drafts set base = added where kind = in_kind and thing = in_thing and base = replaced;
  else
    delete from public.previews where kind = in_kind and thing = in_thing;
  end if;
  if in_kind = 'section' then
    new.version := added;
  end if;
  return new;
end;
$$;
comment on function private.record_change() is
  'Adds a version for each change of what is public, whoever made it, and rejects what needs approval and has none. Showing a hidden page, editing a sample and another date are publications, too. Sets the version of a section, so it comes before those rows and after all others.';
-- After, so that the row is final, and an upsert is checked once, as what it does.
create trigger posts_record_change
  after insert or update or delete on public.posts
  for each row execute function private.record_change('post');
-- Functions that publish or restore run as their own owner: they keep a draft of changes.
create trigger posts_end_draft
  before insert or update or delete on public.posts
  for each row when (current_user in ('authenticated', 'service_role'))
  execute function private.end_draft('post');

-- Preview links

create function private.check_preview()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Locked, so that a draft that is discarded meanwhile gets no link.
  perform from public.drafts where kind = new.kind and thing = new.thing for key share;
  if found then
    return new;
  end if;
  perform from public.schedules where kind = new.kind and thing = new.thing for key share;
  if found then
    return new;
  end if;
  raise exception 'There is no draft or scheduled version to preview' using errcode = '23503';
end;
$$;
create trigger previews_check
  before insert on public.previews
  for each row execute function private.check_preview();

create function private.end_previews_of_person()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.previews where created_by = new.user_id;
  return null;
end;
$$;
create trigger people_end_previews
  after update on private.people
  for each row when (new.role <> old.role) execute function private.end_previews_of_person();

create function private.signature_of(account uuid)
returns table (name text, email text)
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(person.name, account.email::text), account.email::text
    from private.people as person
    join auth.users as account on account.id = person.user_id
    where person.user_id = signature_of.account;
$$;

create function private.comparable_name(name text)
returns text
language sql
immutable
set search_path = ''
as $$
  select private.trimmed(
    regexp_replace(
      regexp_replace(
        lower(normalize(name, nfkc) collate "und-x-icu"),
        '[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]', '', 'g'
      ),
      '\s+', ' ', 'g'
    )
  );
$$;
comment on function private.comparable_name(text) is
  'A name as people read it: without case, invisible characters and differences in space and Unicode form. Letters of other alphabets that look the same stay different.';

create function private.is_of_account(name text, email text)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
#variable_conflict use_variable
declare
  typed text[] := array[private.comparable_name(name), private.comparable_name(email)];
begin
  return exists (
    select from auth.users as account
      left join private.people as person on person.user_id = account.id
      where private.comparable_name(account.email) = any (typed)
        -- Who has no name of her own is shown with the adviser's.
        or private.comparable_name(coalesce(person.name, private.setting('adviser', 'name') #>> '{}')) = any (typed)
  );
end;
$$;
comment on function private.is_of_account(text, text) is 'Whether a name or an address that somebody typed is that of an account.';

create function private.how_signed(by_id uuid, by_name text, link_by text)
returns text
language sql
immutable
set search_path = ''
as $$
  select case
    when by_id is not null then 'signed in'
    when link_by is not null then 'typed at the link of ' || link_by
    when by_name is not null then 'typed at a link'
  end;
$$;
comment on function private.how_signed(uuid, text, text) is
  'How the person of a version was known. Decisions of 0.9 do not name who had made the link. Null for visitors and the secret key.';

create function private.shown_name(event public.content_event, name text)
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
comment on function private.shown_name(public.content_event, text) is
  'Who submitted, approved or returned a version, for people with a preview link: never the email address of an account without a name.';

create function private.shown_maker(name text)
returns text
language sql
immutable
set search_path = ''
as $$
  select case when strpos(name, '@') = 0 then name when name is not null then 'the owner' end;
$$;
comment on function private.shown_maker(text) is 'As private.shown_name, of the owner who made a preview link.';
