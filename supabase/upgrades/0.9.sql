-- Moves the content of a backup of 0.9 into the tables that have replaced eight of its tables (docs/decisions/2026-11-28-versions.md).
-- A restore runs this once, in its transaction, with triggers off: former.rows has each row of those tables as JSON, by the name of
-- its table; all other tables are loaded. Times are kept, so that a draft and its published row still belong together.

create temporary table pages_of_0_9 on commit drop as
  select id::text as thing from public.pages
  union
  select row ->> 'post_id' from former.rows
    where name = 'post_versions' and row -> 'document' @> '{"is_page": true}'
  union
  select row ->> 'id' from former.rows where name = 'post_drafts' and row @> '{"is_page": true}';

-- Of an approval of 0.9, which was for the words alone, the address is the one that the post has or is to get.
create temporary table addresses_of_0_9 on commit drop as
  select distinct on (thing) thing, slug
    from (
      select id::text as thing, slug, 1 as place from public.posts
      union all
      select id::text, slug, 1 from public.pages
      union all
      select row ->> 'id', row ->> 'slug', 2 from former.rows where name = 'scheduled_posts'
      union all
      select row ->> 'id', nullif(row ->> 'slug', ''), 3 from former.rows where name = 'post_drafts'
    ) as known
    where slug is not null
    order by thing, place;

-- In 0.9, the section of the firm also had what is the section "look" now.
create function pg_temp.look_of(document jsonb) returns jsonb language sql as $$
  select jsonb_object_agg(key, value) from jsonb_each(document)
    where key = any ('{logo,logoDark,icon,shareImage,mainColor,accentColor}');
$$;
create function pg_temp.without_look(document jsonb) returns jsonb language sql as $$
  select document - array(select jsonb_object_keys(pg_temp.look_of(document)));
$$;
create temporary table sections_of_0_9 on commit drop as
  select name, row ->> 'section' as section,
      case row ->> 'section' when 'firm' then pg_temp.without_look(row -> 'document') else row -> 'document' end as document, row
    from former.rows where name in ('site_settings_versions', 'site_settings_drafts')
  union all
  select name, 'look', pg_temp.look_of(row -> 'document'), row
    from former.rows
    where name in ('site_settings_versions', 'site_settings_drafts')
      and row ->> 'section' = 'firm' and pg_temp.look_of(row -> 'document') is not null;

create temporary table versions_of_0_9 on commit drop as
  select row_number() over (order by at, source, id, thing) as number, moved.*
    from (
      select name as source, (row ->> 'id')::bigint as id, kind, row ->> 'post_id' as thing,
          case when row @> '{"event": "published", "document": {"hidden": true}}' then 'unpublished' else row ->> 'event' end as event,
          (row -> 'document') - array['is_page', 'former_slugs'] as document,
          (row ->> 'saved_at')::timestamptz as at, row ->> 'saved_by' as by_id, null as comment, null as draft, row
        from former.rows
        cross join lateral (
          select case when row ->> 'post_id' in (select thing from pages_of_0_9) then 'page' else 'post' end as kind
        ) as known
        where name = 'post_versions'
      union all
      select name, (row ->> 'id')::bigint, kind, row ->> 'post_id', row ->> 'event',
          private.complete_document(
            kind::public.content_kind, row ->> 'post_id',
            (row -> 'document') || jsonb_build_object(
              'slug', (select slug from addresses_of_0_9 where thing = row ->> 'post_id')
            )
          ),
          (row ->> 'saved_at')::timestamptz, row ->> 'saved_by', row ->> 'comment', row ->> 'draft_version', row
        from former.rows
        cross join lateral (
          select case when row ->> 'post_id' in (select thing from pages_of_0_9) then 'page' else 'post' end as kind
        ) as known
        where name = 'post_approvals'
      union all
      select name, (row ->> 'id')::bigint, 'section', section, 'published', document,
          (row ->> 'published_at')::timestamptz, row ->> 'published_by', null, null, row
        from sections_of_0_9 where name = 'site_settings_versions'
      union all
      select name, (row ->> 'id')::bigint, 'testimonial', row ->> 'testimonial_id',
          case
            when row ->> 'event' = 'received' then 'submitted'
            when row ->> 'event' = 'deleted' then 'deleted'
            when row ->> 'event' = 'approved' or row #>> '{document, approved_at}' is not null then 'published'
            when row ->> 'event' = 'refused'
              and lag(row ->> 'event') over (partition by row -> 'testimonial_id' order by (row ->> 'id')::bigint)
                in ('approved', 'changed')
              then 'unpublished'
            else 'returned'
          end,
          row -> 'document'
            || case
              when row -> 'document' ? 'erased' then jsonb_build_object(
                'approved_at', case row ->> 'event' when 'approved' then row -> 'saved_at' end,
                'refused_at', case row ->> 'event' when 'refused' then row -> 'saved_at' end
              )
              else '{}'
            end,
          (row ->> 'saved_at')::timestamptz, row ->> 'saved_by', null, null, row
        from former.rows where name = 'testimonial_versions'
    ) as moved;

insert into public.versions (number, kind, thing, event, document, at, by_id, by_name, by_email, comment, draft)
  overriding system value
  select number, kind::public.content_kind, thing, event::public.content_event, document, at, by_id::uuid,
      row ->> 'by_name', row ->> 'by_email', coalesce(comment, ''), draft::timestamptz
    from versions_of_0_9;
select setval(pg_get_serial_sequence('public.versions', 'number'), coalesce(max(number), 0) + 1, false)
  from public.versions;

insert into public.drafts (kind, thing, document, base, saved_at, saved_by)
  select kind::public.content_kind, row ->> 'id',
      private.draft_of(row - array['is_page', 'base_version', 'updated_by']),
      (
        select max(number) from public.versions
          where versions.kind::text = known.kind and thing = row ->> 'id'
            and event in ('scheduled', 'published', 'unpublished')
            and (document ->> 'updated_at')::timestamptz = (row ->> 'base_version')::timestamptz
      ),
      (row ->> 'updated_at')::timestamptz, (row ->> 'updated_by')::uuid
    from former.rows
    cross join lateral (
      select case when row @> '{"is_page": true}' then 'page' else 'post' end as kind
    ) as known
    where name = 'post_drafts'
  union all
  select 'section', draft.section, draft.document,
      (
        select number from versions_of_0_9
          where source = 'site_settings_versions' and id = (draft.row ->> 'base_version')::bigint
            and thing = draft.section
      ),
      (draft.row ->> 'updated_at')::timestamptz, (draft.row ->> 'updated_by')::uuid
    from sections_of_0_9 as draft where name = 'site_settings_drafts';

insert into public.schedules (kind, thing, version, at, failure, retry_at)
  select 'post', row ->> 'id',
      (
        select max(number) from public.versions
          where kind = 'post' and thing = row ->> 'id' and event = 'scheduled'
      ),
      (row ->> 'published_date')::timestamptz, row ->> 'failure', (row ->> 'retry_at')::timestamptz
    from former.rows where name = 'scheduled_posts';

insert into public.previews (token, kind, thing, created_at, expires_at, created_by, may_approve)
  select (row ->> 'token')::uuid,
      case when row ->> 'post_id' in (select thing from pages_of_0_9) then 'page' else 'post' end::public.content_kind,
      row ->> 'post_id', (row ->> 'created_at')::timestamptz, (row ->> 'expires_at')::timestamptz,
      (row ->> 'created_by')::uuid, (row ->> 'may_approve')::boolean and row ->> 'created_by' is not null
    from former.rows where name = 'post_previews';

insert into public.site_settings (section, document, version, published_at)
  select 'look', pg_temp.look_of(document), version, published_at
    from public.site_settings where section = 'firm' and pg_temp.look_of(document) is not null;
insert into public.public_site_settings (section, document, version)
  select section, document, version from public.site_settings where section = 'look';
update public.site_settings set document = pg_temp.without_look(document) where section = 'firm';
update public.public_site_settings set document = pg_temp.without_look(document) where section = 'firm';

-- The versions of the settings have other numbers.
update public.site_settings as settings set version = moved.number
  from versions_of_0_9 as moved
  where moved.source = 'site_settings_versions' and moved.id = settings.version and moved.thing = settings.section;
update public.public_site_settings as shown set version = settings.version
  from public.site_settings as settings where settings.section = shown.section;
update public.public_site_settings
  set version = nextval(pg_get_serial_sequence('public.versions', 'number'))
  where section in ('content', 'ownPages') and version > 0;
update public.consents as consent set settings_version = moved.number
  from versions_of_0_9 as moved where moved.source = 'site_settings_versions' and moved.id = consent.settings_version;

-- In 0.9, a code worked while the app was registered with which it was made.
delete from private.recovery_codes
  where user_id not in (select user_id from auth.mfa_factors where status = 'verified');
