-- What people do with the content of the site, the same for every kind. Each command can be repeated when its response was lost:
-- it names the draft that it replaces (replaced, draft: its saved_at; null: there is none), or compares with what is stored.

create function private.require_task_of(kind public.content_kind)
returns void
language sql
stable
set search_path = ''
as $$
  select private.require(
    case kind
      when 'section' then 'manage the site'
      when 'testimonial' then 'moderate testimonials'
      else 'write posts'
    end::private.task
  );
$$;
comment on function private.require_task_of(public.content_kind) is
  'Rejects callers who may not change this kind of content.';

create function private.table_of(kind public.content_kind)
returns regclass
language sql
stable
set search_path = ''
as $$
  -- Posts and pages, and what else is written alike.
  select case when kind not in ('section', 'testimonial') then to_regclass(format('public.%ss', kind)) end;
$$;

create function private.free_slug(kind public.content_kind, thing text, wanted text)
returns text
language plpgsql
stable
strict
security definer
set search_path = ''
as $$
declare
  candidate text := wanted;
  suffix integer := 0;
  is_taken boolean;
begin
  loop
    execute format('select exists (select from %s where slug = $1 and id <> $2)', private.table_of(kind))
      into is_taken using candidate, thing::uuid;
    exit when not is_taken and candidate not in ('new', 'category', 'preview');
    suffix := suffix + 1;
    candidate := left(wanted, 590) || '-' || suffix;
  end loop;
  return candidate;
end;
$$;
comment on function private.free_slug(public.content_kind, text, text) is
  'The first free one of slug, slug-1, slug-2 and so on.';

create function private.complete_document(kind public.content_kind, thing text, document jsonb)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  defaults text;
  complete jsonb;
begin
  if private.table_of(kind) is null then
    return document;
  end if;
  -- Times are set when the row is stored.
  select string_agg(format('%L, %s', attname, pg_get_expr(adbin, adrelid)), ', ') into defaults
    from pg_catalog.pg_attribute join pg_catalog.pg_attrdef on (adrelid, adnum) = (attrelid, attnum)
    where attrelid = private.table_of(kind) and attgenerated = '' and atttypid <> 'timestamptz'::regtype;
  execute format(
    'select to_jsonb(
      jsonb_populate_record(null::%s, private.with_references((jsonb_build_object(%s) || $1)::text)::jsonb)
    )',
    private.table_of(kind), defaults
  )
    into complete
    using document || jsonb_build_object('id', thing);
  return complete;
end;
$$;
comment on function private.complete_document(public.content_kind, text, jsonb) is
  'A document as the row of a post or page would be, with the defaults of the columns that it lacks.';

create function private.check_document(kind public.content_kind, document jsonb)
returns void
language plpgsql
stable
set search_path = ''
as $$
declare
  rule record;
  is_kept boolean;
begin
  if private.table_of(kind) is null then
    raise exception 'Only posts and pages are scheduled' using errcode = 'check_violation';
  end if;
  perform private.check_content(document -> 'content');
  perform private.require_filled(document);
  for rule in
    select conname::text as name, pg_get_expr(conbin, conrelid) as expression
      from pg_catalog.pg_constraint where conrelid = private.table_of(kind) and contype = 'c'
    union all
    select attname || ' is missing', quote_ident(attname) || ' is not null'
      from pg_catalog.pg_attribute
      -- These are set when the row is stored.
      where attrelid = private.table_of(kind) and attnotnull and attnum > 0
        and attname not in ('created_at', 'updated_at', 'published_date', 'position')
  loop
    execute format(
      'select (%s) is not false from jsonb_populate_record(null::%s, $1)', rule.expression, private.table_of(kind)
    )
      into is_kept using document;
    if not is_kept then
      raise exception 'The % is not complete, or has a value that is not accepted: %', kind, rule.name
        using errcode = 'check_violation', constraint = rule.name;
    end if;
  end loop;
end;
$$;
comment on function private.check_document(public.content_kind, jsonb) is
  'Rejects a complete document that its table would not accept when it is published.';

create function private.make_public(kind public.content_kind, thing text, document jsonb)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  stored regclass := coalesce(private.table_of(kind), to_regclass('public.testimonials'));
  names text[];
begin
  if kind = 'section' then
    perform private.publish_document(thing, document);
    return;
  end if;
  -- Columns that the document does not have, because they were added later, get their defaults.
  select array_agg(quote_ident(attname)) into names
    from pg_catalog.pg_attribute
    where attrelid = stored and attnum > 0 and not attisdropped
      and (attname = 'id' or document ? attname::text) and not (attnotnull and document -> attname::text = 'null');
  execute format(
    'insert into %1$s as stored (%2$s) select %2$s from jsonb_populate_record(null::%1$s, $1)
      on conflict (id) do update set (%2$s) = row (%3$s)',
    stored, array_to_string(names, ', '), 'excluded.' || array_to_string(names, ', excluded.')
  )
    using document || jsonb_build_object('id', thing);
end;
$$;
comment on function private.make_public(public.content_kind, text, jsonb) is
  'Stores a document as the public row of a post, page, section or testimonial, in place of the present one.';

create function private.draft_of(document jsonb)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select document - array[
    'id', 'published_date', 'created_at', 'updated_at', 'draft_version', 'is_sample', 'hidden', 'place', 'position', 'state'
  ];
$$;
comment on function private.draft_of(jsonb) is 'What people write of a document.';

create function private.take_draft(kind public.content_kind, thing text, draft timestamptz)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_variable
declare
  taken jsonb;
begin
  delete from public.drafts as stored
    where stored.kind = kind and stored.thing = thing and stored.saved_at = draft
    returning stored.document into taken;
  if draft is not null and taken is null
    or exists (select from public.drafts as stored where stored.kind = kind and stored.thing = thing)
  then
    raise exception 'Another window changed the draft' using errcode = 'exclusion_violation';
  end if;
  return taken;
end;
$$;
comment on function private.take_draft(public.content_kind, text, timestamptz) is
  'Ends the draft that was seen and returns its document; fails when it was changed meanwhile.';

create function public.save_draft(
  kind public.content_kind, thing text, document text, base bigint, replaced timestamptz
)
returns timestamptz
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_variable
declare
  saved timestamptz;
begin
  perform private.require_task_of(kind);
  -- Not when a version is restored, which may be larger.
  perform private.check_content(document::jsonb -> 'content');
  if kind <> 'section' then
    -- Otherwise, publishing the draft would put back what was published since. A page that was moved has the same words.
    if (select digest from public.versions where number = base) is distinct from
      (select digest from public.versions where number = private.current_version(kind, thing))
    then
      raise exception 'Another window published the %', kind using errcode = 'exclusion_violation';
    end if;
    base := private.current_version(kind, thing);
  end if;
  if replaced is null then
    insert into public.drafts (kind, thing, document, base) values (kind, thing, document::jsonb, base)
      on conflict on constraint drafts_pkey do nothing
      returning saved_at into saved;
  else
    update public.drafts as stored set document = save_draft.document::jsonb, base = save_draft.base
      where stored.kind = kind and stored.thing = thing and stored.saved_at = replaced
      returning saved_at into saved;
  end if;
  if saved is null then
    -- The response to the same call was lost.
    select stored.saved_at into saved
      from public.drafts as stored
      where stored.kind = kind and stored.thing = thing
        and stored.document = private.with_references(document::jsonb::text)::jsonb
        and stored.base is not distinct from save_draft.base and stored.saved_by = auth.uid();
  end if;
  return saved;
end;
$$;
comment on function public.save_draft(public.content_kind, text, text, bigint, timestamptz) is
  'Saves a draft (JSON) of changes to the version base (null: of something new), in place of the draft that was seen. Returns its saved_at, or null when another window changed it. Fails when base has other words than the current version, because another window published.';

create function public.keep_draft(kind public.content_kind, thing text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_variable
begin
  perform private.require_task_of(kind);
  perform private.add_version(kind, thing, 'draft', stored.document)
    from public.drafts as stored where stored.kind = kind and stored.thing = thing;
  return found;
end;
$$;
comment on function public.keep_draft(public.content_kind, text) is
  'Adds the stored draft to the history. Returns false when there is none.';

create function public.discard_draft(kind public.content_kind, thing text, replaced timestamptz)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_variable
declare
  discarded jsonb;
  scheduled jsonb;
begin
  perform private.require_task_of(kind);
  delete from public.drafts as stored
    where stored.kind = kind and stored.thing = thing and (stored.saved_at = replaced or replaced is null)
    returning stored.document into discarded;
  if replaced is null then
    with ended as (
      delete from public.schedules as stored where stored.kind = kind and stored.thing = thing
        returning stored.version
    )
    select private.draft_of(version.document) into scheduled
      from ended join public.versions as version on version.number = ended.version;
    discarded := coalesce(discarded, scheduled);
  end if;
  if discarded is null then
    return case
      when exists (select from public.drafts as stored where stored.kind = kind and stored.thing = thing)
        or replaced is null and private.public_version(kind, thing) is not null
        then null
      else '{}'::jsonb
    end;
  end if;
  if kind = 'section' or private.public_version(kind, thing) is not null
    or exists (select from public.schedules as stored where stored.kind = kind and stored.thing = thing)
  then
    perform private.add_version(kind, thing, 'draft', discarded);
  else
    perform private.add_version(kind, thing, 'deleted', discarded || '{"state": "draft"}');
  end if;
  delete from public.previews as preview
    where preview.kind = kind and preview.thing = thing
      and not exists (select from public.schedules as stored where stored.kind = kind and stored.thing = thing);
  return discarded;
end;
$$;
comment on function public.discard_draft(public.content_kind, text, timestamptz) is
  'Deletes the draft that was seen; without one, any draft and the schedule. Keeps the text in the history; what was never public can be restored for 30 days. Returns what was deleted, {} when it was deleted before, or null when another window changed or published it.';

create function public.submit(kind public.content_kind, thing text, document text, draft timestamptz)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_variable
declare
  submitted jsonb := private.complete_document(
    kind, thing,
    -- The date that an imported post is to get is approved with its words.
    private.draft_of(document::jsonb) || coalesce(
      (
        select jsonb_build_object('published_date', published_date, 'created_at', published_date)
          from public.imported_posts where id::text = thing and published_date < now()
      ),
      '{}'
    )
  );
begin
  perform private.require_task_of(kind);
  if kind = 'section' then
    submitted := private.with_references(document)::jsonb;
    perform private.check_settings(thing, submitted);
  else
    perform private.check_document(kind, submitted);
  end if;
  perform pg_advisory_xact_lock(hashtext('approval'), hashtext(thing));
  if not private.is_newest_draft(kind, thing, draft) then
    raise exception 'Another window changed the draft' using errcode = 'exclusion_violation';
  end if;
  perform private.use_images(submitted);
  perform private.require_own_images(submitted);
  -- Otherwise, a reviewer would approve an image that appears later.
  if exists (
    select from unnest(private.document_images(submitted)) as image
      where not exists (
        select from storage.objects where bucket_id in ('images', 'files') and objects.name = image
      )
  ) then
    raise exception 'An image or file of the post is not stored' using errcode = '23514';
  end if;
  return private.add_version(kind, thing, 'submitted', submitted, draft);
end;
$$;
comment on function public.submit(public.content_kind, text, text, timestamptz) is
  'Submits a finished document (JSON) for approval, whose draft was seen. Returns the number of the submission.';

create function public.decide(
  submission bigint, is_approved boolean, comment text, preview_token uuid, name text, email text
)
returns text
language plpgsql
security definer
set search_path = ''
as $$
declare
  submitted public.versions;
  newest public.versions;
  decision public.content_event := case when is_approved then 'approved' else 'returned' end;
  decided_by text := private.trimmed(name);
  is_signed_in boolean := private.own_email() is not null;
  link record;
  problem text;
begin
  select * into submitted from public.versions
    where number = submission and event = 'submitted' and kind <> 'testimonial';
  select created_by as maker, signature.* into link
    from public.previews cross join private.signature_of(created_by) as signature
    where token = preview_token and (kind, thing) = (submitted.kind, submitted.thing)
      and may_approve and expires_at > now();
  if preview_token is null then
    -- Not private.require_owner: the secret key is nobody who could approve.
    perform private.require('manage the site');
  elsif link.maker is null then
    return 'This link has ended, or it may not approve this post. Ask for a new link.';
  elsif is_signed_in then
    null;
  elsif char_length(coalesce(decided_by, '')) not between 1 and 100
    or not private.is_one_line(decided_by || coalesce(email, ''))
    or strpos(decided_by, '@') > 0
    or coalesce(email, '') !~ '^[^@[:space:]]+@[^@[:space:]]+$'
  then
    return 'Enter your name and your email address.';
  elsif private.is_of_account(decided_by, email) then
    return 'This is the name or address of an account of this site. With an account, sign in and decide in the editor. Otherwise, enter your own name and address.';
  end if;
  -- A signed-in person decides under her own name, through a link as well.
  if is_signed_in then
    decided_by := private.own_name();
    email := private.own_email();
  end if;
  -- One at a time, so that a decision and a newer submission cannot miss each other.
  perform pg_advisory_xact_lock(hashtext('approval'), hashtext(submitted.thing));
  newest := private.newest_version(submitted.kind, submitted.thing, '{submitted,approved,returned}');
  -- The response to the same call was lost.
  if (newest.event, newest.by_name, newest.digest) = (decision, decided_by, submitted.digest) then
    return null;
  end if;
  problem := case
    when newest.number is distinct from submitted.number
      then format(
        '%s %s this post meanwhile. Reload the page to see it.',
        private.shown_name(newest.event, newest.by_name), newest.event
      )
    when not private.is_newest_draft(submitted.kind, submitted.thing, submitted.draft)
      then 'This post was changed after it was submitted. It must be submitted again before it can be approved.'
    when decision = 'approved' and submitted.by_id = private.user_id() and private.owners_need_approval()
      then 'Another person must approve this post: another owner, or a reviewer with a link that another owner made.'
    -- Otherwise the owner, signed out, would be that reviewer.
    when decision = 'approved' and not is_signed_in and submitted.by_id = link.maker and private.owners_need_approval()
      then 'The person who asked for this approval made the link. Another owner must approve, or make the link.'
    when decision = 'returned' and coalesce(private.trimmed(comment), '') = ''
      then 'Write in the comment what should change.'
  end;
  if problem is null then
    insert into public.versions (
        kind, thing, event, document, draft, by_id, by_name, by_email, link_by_name, link_by_email, comment
      )
      values (
        submitted.kind, submitted.thing, decision, submitted.document, submitted.draft,
        case when is_signed_in then private.user_id() end, decided_by, email, link.name, link.email,
        coalesce(private.trimmed(comment), '')
      );
  end if;
  return problem;
end;
$$;
comment on function public.decide(bigint, boolean, text, uuid, text, text) is
  'Approves or returns a submission, for owners, and with name and email for the token of a preview link that may approve. Where owners need approval, nobody approves what she submitted, signed in or by her own link. Returns null, or why it was not decided and what to do.';

create function private.is_newest_draft(kind public.content_kind, thing text, draft timestamptz)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select draft is not distinct from (
    select saved_at from public.drafts
      where drafts.kind = is_newest_draft.kind and drafts.thing = is_newest_draft.thing
  );
$$;
comment on function private.is_newest_draft(public.content_kind, text, timestamptz) is
  'Whether the draft is still the one that was seen; for null, whether there is none.';

create function public.schedule(
  kind public.content_kind, thing text, document text, at timestamptz, replaced bigint, draft timestamptz
)
returns bigint
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_variable
declare
  planned jsonb := private.complete_document(
    kind, thing, private.draft_of(document::jsonb) || jsonb_build_object('published_date', at, 'created_at', at)
  );
  stored public.schedules;
begin
  perform private.require_task_of(kind);
  if at <= now() then
    raise exception 'The time to publish is in the past. Choose a later one.' using errcode = 'PT422';
  end if;
  perform private.check_document(kind, planned);
  if kind = 'post' and (planned ->> 'image_url' is null or not jsonb_path_exists(planned, '$.content[0]')) then
    raise exception 'The post is incomplete' using errcode = 'check_violation';
  end if;
  select * into stored from public.schedules as present
    where present.kind = kind and present.thing = thing
    for update;
  -- Otherwise the same is scheduled already: the response to the same call was lost.
  if stored.version is distinct from replaced and not exists (
      select from public.versions as version
        where version.number = stored.version
          and private.shown_part(version.document) = private.shown_part(planned)
    )
    or private.public_version(kind, thing) is not null
  then
    return null;
  end if;
  perform private.take_draft(kind, thing, case when stored.version is not distinct from replaced then draft end);
  perform private.use_images(planned);
  perform private.require_approval(kind, thing, planned);
  insert into public.schedules (kind, thing, version, at)
    values (kind, thing, private.add_version(kind, thing, 'scheduled', planned), at)
    on conflict on constraint schedules_pkey do update
      set version = excluded.version, at = excluded.at, failure = null, retry_at = null
    returning * into stored;
  return stored.version;
end;
$$;
comment on function public.schedule(public.content_kind, text, text, timestamptz, bigint, timestamptz) is
  'Schedules a finished document (JSON) in place of the scheduled version replaced (null: there is none), and ends its draft. Returns the number of the version, or null when it was scheduled, unscheduled or published meanwhile.';

create function public.unschedule(kind public.content_kind, thing text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_variable
begin
  perform private.require_task_of(kind);
  with ended as (
    delete from public.schedules as stored where stored.kind = kind and stored.thing = thing
      returning stored.version
  )
  insert into public.drafts as present (kind, thing, document)
    select kind, thing, private.draft_of(version.document)
      from ended join public.versions as version on version.number = ended.version
  -- A working copy is newer than what was scheduled.
  on conflict on constraint drafts_pkey do update set base = null;
  return private.public_version(kind, thing) is null
    and exists (select from public.drafts as stored where stored.kind = kind and stored.thing = thing);
end;
$$;
comment on function public.unschedule(public.content_kind, text) is
  'Makes a scheduled version a draft again. Returns whether there is one now; false when it was published or deleted meanwhile.';

create function public.unpublish(thing uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  present public.posts;
  draft jsonb;
begin
  perform private.require('write posts');
  -- The draft of changes to it stays: this function runs as its owner.
  delete from public.posts where id = unpublish.thing returning * into present;
  if found then
    insert into public.drafts as stored (kind, thing, document)
      values ('post', present.id::text, private.draft_of(to_jsonb(present)))
      on conflict on constraint drafts_pkey do update set base = null
      returning stored.document into draft;
    perform private.add_version('post', present.id::text, 'restored', draft);
  end if;
  return private.public_version('post', unpublish.thing::text) is null
    and exists (select from public.drafts as stored where stored.kind = 'post' and stored.thing = unpublish.thing::text);
end;
$$;
comment on function public.unpublish(uuid) is
  'Makes a published post a draft again, with the changes to it that were not public yet. Returns whether there is one now; false when it was deleted meanwhile.';

create function private.publish_due()
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  due record;
  published integer := 0;
begin
  for due in
    select schedule.*, version.document
      from public.schedules as schedule join public.versions as version on version.number = schedule.version
      where schedule.at <= now() and (retry_at is null or retry_at <= now())
      -- Those that failed come last.
      order by retry_at nulls first, schedule.at, schedule.thing
      limit 100
      for update of schedule skip locked
  loop
    begin
      if private.public_version(due.kind, due.thing) is null then
        perform private.make_public(
          due.kind,
          due.thing,
          due.document || jsonb_build_object(
            'published_date', due.at, 'created_at', due.at, 'updated_at', greatest(clock_timestamp(), due.at),
            'slug', private.free_slug(due.kind, due.thing, due.document ->> 'slug')
          )
        );
      end if;
      delete from public.schedules where (kind, thing) = (due.kind, due.thing);
      update public.drafts set base = private.public_version(due.kind, due.thing)
        where (kind, thing, base) = (due.kind, due.thing, due.version);
      published := published + 1;
    exception when others then
      update public.schedules
        set failure = left(sqlerrm, 1000), retry_at = now() + interval '1 hour'
        where (kind, thing) = (due.kind, due.thing);
      raise warning 'The scheduled % % was not published: %', due.kind, due.thing, sqlerrm;
    end;
  end loop;
  return published;
end;
$$;
comment on function private.publish_due() is
  'Publishes the scheduled versions that are due, and returns how many. One that fails is set aside for an hour. Run every minute by pg_cron, or by the timer of the embedded backend.';

create function public.publish(changes text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  change record;
  written jsonb;
begin
  -- In one order, so that two publications do not wait for each other.
  for change in
    select * from jsonb_to_recordset(changes::jsonb)
      as change (kind public.content_kind, thing text, draft timestamptz, document jsonb)
      order by kind, thing
  loop
    perform private.require_task_of(change.kind);
    if change.kind = 'testimonial' then
      raise exception 'Testimonials have no drafts' using errcode = 'check_violation';
    end if;
    written := private.take_draft(change.kind, change.thing, change.draft);
    written := coalesce(change.document, written);
    if change.kind <> 'section' then
      delete from public.schedules where (kind, thing) = (change.kind, change.thing);
      written := private.draft_of(written) || jsonb_build_object(
        'id', change.thing, 'draft_version', change.draft, 'updated_at', clock_timestamp()
      );
      if private.public_version(change.kind, change.thing) is null then
        select private.complete_document(
            change.kind, change.thing, written || jsonb_build_object('published_date', date, 'created_at', date)
          )
          into written
          from (
            select least(now(), min(published_date)) as date from public.imported_posts where id::text = change.thing
          ) as imported;
      end if;
      perform private.check_content(written -> 'content');
    end if;
    perform private.make_public(change.kind, change.thing, written);
  end loop;
end;
$$;
comment on function public.publish(text) is
  'Publishes changes, all or none: a JSON array of {kind, thing, draft: the saved_at of the draft that ends, document: the finished document, or else that of the draft}. The pages insert and update rows of posts and pages instead, which has the same effect.';

create function public.restore(version bigint, replaced timestamptz)
returns timestamptz
language plpgsql
security definer
set search_path = ''
as $$
declare
  chosen public.versions;
  stored public.drafts;
  document jsonb;
begin
  select * into chosen from public.versions where number = version;
  perform private.require_task_of(chosen.kind);
  if chosen.kind = 'testimonial' then
    raise exception 'Testimonials have no drafts' using errcode = 'check_violation';
  end if;
  select * into stored from public.drafts where (kind, thing) = (chosen.kind, chosen.thing) for update;
  document := case chosen.kind when 'section' then chosen.document else private.draft_of(chosen.document) end;
  -- The response to the same call was lost.
  if document = stored.document then
    return stored.saved_at;
  end if;
  if chosen.number is null
    or stored.saved_at is distinct from replaced
    or (private.newest_version(chosen.kind, chosen.thing)).event = 'removed'
    or chosen.event = 'deleted' and (
      chosen.at <= now() - interval '30 days'
      or (private.newest_version(chosen.kind, chosen.thing)).number <> chosen.number
    )
  then
    return null;
  end if;
  if stored.saved_at is not null then
    perform private.add_version(stored.kind, stored.thing, 'draft', stored.document);
  end if;
  delete from public.drafts where (kind, thing) = (chosen.kind, chosen.thing);
  insert into public.drafts (kind, thing, document, base)
    values (chosen.kind, chosen.thing, document, private.current_version(chosen.kind, chosen.thing))
    returning * into stored;
  perform private.add_version(stored.kind, stored.thing, 'restored', stored.document);
  return stored.saved_at;
end;
$$;
comment on function public.restore(bigint, timestamptz) is
  'Makes an earlier version the draft of changes to the current one, in place of the draft that was seen, whose text stays in the history. A deletion can be restored for 30 days, until another version follows. Returns saved_at of the draft, or null when there is nothing to restore or another window changed the draft.';

create function public.undo_deletion(kind public.content_kind, thing text)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  version public.versions := private.newest_version(kind, thing);
  document jsonb := version.document;
begin
  perform private.require_task_of(kind);
  -- The response to the same call was lost.
  if private.public_version(kind, thing) is not null
    or kind = 'testimonial' and version.event in ('submitted', 'returned')
  then
    return true;
  end if;
  if version.event is distinct from 'deleted' or version.at <= now() - interval '30 days'
    or document ->> 'state' = 'draft' or document ? 'erased'
  then
    return false;
  end if;
  if private.table_of(kind) is not null then
    document := document || jsonb_build_object('slug', private.free_slug(kind, thing, document ->> 'slug'));
  end if;
  perform private.make_public(kind, thing, document);
  return true;
end;
$$;
comment on function public.undo_deletion(public.content_kind, text) is
  'Stores a post, page or testimonial as it was before its deletion in the last 30 days. Returns false when it was restored, removed or erased meanwhile; of a post or page also when it was not public.';

create function public.remove_deleted(kind public.content_kind, thing text)
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  version public.versions;
  removed integer := 0;
begin
  perform private.require_task_of(kind);
  for version in
    select newest.* from public.versions as newest
      where newest.event = 'deleted' and newest.kind = remove_deleted.kind
        and case
          when remove_deleted.thing is null then (newest.document ->> 'is_sample')::boolean
          else newest.thing = remove_deleted.thing
        end
        and (private.newest_version(newest.kind, newest.thing)).number = newest.number
        and private.table_of(newest.kind) is not null
  loop
    perform private.add_version(
      version.kind, version.thing, 'removed', jsonb_build_object('title', version.document -> 'title')
    );
    removed := removed + 1;
  end loop;
  return removed;
end;
$$;
comment on function public.remove_deleted(public.content_kind, text) is
  'Ends the 30 days in which something deleted, or for null all deleted samples, can be restored. Their images are deleted like other unused ones. Returns how many.';

create function public.get_preview(preview_token uuid)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  link public.previews;
  draft public.drafts;
  scheduled public.versions;
  present bigint;
  newest public.versions;
begin
  select * into link from public.previews where token = preview_token and expires_at > now();
  select * into draft from public.drafts where (kind, thing) = (link.kind, link.thing);
  select version.* into scheduled
    from public.schedules as schedule join public.versions as version on version.number = schedule.version
    where (schedule.kind, schedule.thing) = (link.kind, link.thing);
  if draft.saved_at is null and scheduled.number is null then
    return null;
  end if;
  present := private.public_version(link.kind, link.thing);
  if link.may_approve then
    newest := private.newest_version(link.kind, link.thing, '{submitted,approved,returned}');
    if not private.is_newest_draft(link.kind, link.thing, newest.draft) then
      newest := null;
    end if;
  end if;
  return jsonb_build_object(
    'kind', link.kind,
    'state', case when draft.saved_at is null then 'scheduled' else 'draft' end,
    'document', private.complete_document(
      link.kind,
      link.thing,
      '{"title": "", "slug": "", "category": "", "author": ""}'
        || coalesce(
          private.draft_of(draft.document)
            || jsonb_build_object('published_date', draft.saved_at, 'updated_at', draft.saved_at),
          scheduled.document || jsonb_build_object('updated_at', scheduled.at)
        )
        -- A reviewer reads what was submitted, word for word.
        || coalesce(
          private.draft_of(newest.document) || jsonb_strip_nulls(jsonb_build_object(
            'published_date', newest.document -> 'published_date'
          )),
          '{}'
        )
    ),
    'stored', (
      select jsonb_build_object('title', document -> 'title', 'slug', document -> 'slug')
        from public.versions where number = coalesce(present, scheduled.number)
    ),
    'approval', case when link.may_approve then
      jsonb_build_object(
        'number', newest.number, 'event', newest.event, 'name', private.shown_name(newest.event, newest.by_name),
        'how', private.how_signed(newest.by_id, newest.by_name, private.shown_maker(newest.link_by_name)),
        'maker', (select private.shown_maker(name) from private.signature_of(link.created_by))
      )
    end
  );
end;
$$;
comment on function public.get_preview(uuid) is
  'What a preview link shows: {kind, state (draft or scheduled), document (the row that would be public), stored, approval}; null for an unknown or ended link. stored is {title, slug} of the public or scheduled version, null for something new. For a link that may approve, approval is {number, event, name, how, maker}: what was submitted or decided last, null in each when the draft was changed since; and who made the link.';

grant execute on function
  public.save_draft(public.content_kind, text, text, bigint, timestamptz),
  public.keep_draft(public.content_kind, text),
  public.discard_draft(public.content_kind, text, timestamptz),
  public.submit(public.content_kind, text, text, timestamptz),
  public.schedule(public.content_kind, text, text, timestamptz, bigint, timestamptz),
  public.unschedule(public.content_kind, text),
  public.unpublish(uuid),
  public.publish(text),
  public.restore(bigint, timestamptz),
  public.undo_deletion(public.content_kind, text),
  public.remove_deleted(public.content_kind, text)
  to authenticated;
grant execute on function
  public.decide(bigint, boolean, text, uuid, text, text), public.get_preview(uuid)
  to anon, authenticated, service_role;
