-- Who the firm is and what its pages say: one document per section. Owners edit drafts; publishing checks them, keeps every
-- version, and copies what pages show to the table that visitors read.

create table public.site_settings (
  section text primary key references private.settings_schemas (section),
  document jsonb not null,
  version bigint not null,
  published_at timestamptz not null default now()
);
comment on table public.site_settings is
  'The published settings, a document per section. Visitors read public_site_settings. Written by publish_settings alone.';

alter table public.site_settings enable row level security;
revoke all on public.site_settings from anon, authenticated;
grant select on public.site_settings to authenticated;
grant all on public.site_settings to service_role;

create policy "Owners read the settings, editors those of the blog" on public.site_settings
  for select to authenticated
  using (
    (select private.may('manage the site'))
    or (section = 'blog' and (select private.may('write posts')))
  );

create table public.site_settings_versions (
  id bigint generated always as identity primary key,
  section text not null references private.settings_schemas (section),
  document jsonb not null,
  published_at timestamptz not null default now(),
  published_by uuid default auth.uid(),
  by_name text default private.own_name(),
  by_email text default private.own_email(),
  images text[] not null generated always as (private.document_images(document)) stored
);
comment on table public.site_settings_versions is
  'Every published document, append-only. Written by publish_settings alone.';
comment on column public.site_settings_versions.by_name is 'As in post_versions.';
create index site_settings_versions_newest_first
  on public.site_settings_versions (section, id desc);
create index site_settings_versions_images on public.site_settings_versions using gin (images);

alter table public.site_settings_versions enable row level security;
revoke all on public.site_settings_versions from anon, authenticated;
grant select on public.site_settings_versions to authenticated;
grant select on public.site_settings_versions to service_role;

create policy "Owners read earlier settings" on public.site_settings_versions
  for select to authenticated using ((select private.may('manage the site')));

create table public.site_settings_drafts (
  section text primary key references private.settings_schemas (section),
  document jsonb not null,
  base_version bigint,
  updated_at timestamptz not null default now(),
  updated_by uuid,
  images text[] not null default '{}',
  constraint site_settings_drafts_document check (
    jsonb_typeof(document) = 'object' and octet_length(document::text) <= 500000
  )
);
comment on table public.site_settings_drafts is
  'What owners changed and have not published. A draft may be incomplete; publishing checks it.';
comment on column public.site_settings_drafts.base_version is
  'The published version that the draft changes; null when there is none. Always the current one, so that a draft never puts back what was replaced since.';
create index site_settings_drafts_images on public.site_settings_drafts using gin (images);

alter table public.site_settings_drafts enable row level security;
revoke all on public.site_settings_drafts from anon, authenticated;
grant select, insert, update, delete on public.site_settings_drafts to authenticated;
grant all on public.site_settings_drafts to service_role;

create policy "Owners read drafts of settings" on public.site_settings_drafts
  for select to authenticated using ((select private.may('manage the site')));
create policy "Owners start drafts of settings" on public.site_settings_drafts
  for insert to authenticated with check ((select private.may('manage the site')));
create policy "Owners change drafts of settings" on public.site_settings_drafts
  for update to authenticated
  using ((select private.may('manage the site'))) with check ((select private.may('manage the site')));
create policy "Owners discard drafts of settings" on public.site_settings_drafts
  for delete to authenticated using ((select private.may('manage the site')));

create function private.touch_settings_draft()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  source jsonb;
begin
  if tg_op = 'INSERT' then
    -- A publication locks this row until its version is visible here.
    perform from private.settings_schemas where section = new.section for share;
  end if;
  if new.base_version is distinct from (
    select version from public.site_settings where section = new.section
  ) then
    raise exception 'Another window published this section' using errcode = 'exclusion_violation';
  end if;
  new.updated_at := clock_timestamp();
  new.updated_by := (select auth.uid());
  new.document := private.with_references(new.document::text)::jsonb;
  new.images := private.document_images(new.document);
  for source in select jsonb_path_query(new.document, '$.**.src') loop
    perform private.use_image(source #>> '{}');
  end loop;
  return new;
end;
$$;
create trigger site_settings_drafts_touch
  before insert or update on public.site_settings_drafts
  for each row execute function private.touch_settings_draft();

create table public.public_site_settings (
  section text primary key,
  document jsonb not null,
  version bigint not null
);
comment on table public.public_site_settings is
  'What pages show of the published settings. A section without a row has the default of a new site. Written by triggers alone: of site_settings, and for the row "content" of posts and testimonials.';

alter table public.public_site_settings enable row level security;
revoke all on public.public_site_settings from anon, authenticated;
grant select on public.public_site_settings to anon, authenticated;
grant all on public.public_site_settings to service_role;

create policy "Anyone reads what pages show" on public.public_site_settings
  for select to anon, authenticated using (true);

create function private.public_document(
  section text, document jsonb, hidden_parts jsonb, hidden_pages jsonb
)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select case section
    when 'contact' then
      document - case when document -> 'showStreet' = 'false' then '{street,postalCode}'::text[] else '{}' end
    when 'disclosures' then
      document - array(
        select case page when 'blog' then 'posts' else page end
          from jsonb_array_elements_text(hidden_pages) as page
      )
    when 'pages' then document - array(select jsonb_array_elements_text(hidden_pages))
    when 'blog' then
      document - case when hidden_pages ? 'blog' then '{heading,lead}'::text[] else '{}' end
    when 'testimonials' then
      document - case when hidden_pages ? 'testimonials' then '{lead}'::text[] else '{}' end
    when 'adviser' then
      document - case when hidden_parts ? 'about' then '{lead,paragraphs,bullets}'::text[] else '{}' end
    when 'home' then
      document - array(
        select field
          from (values
            ('services', 'servicesLead'), ('approach', 'approachHeading'), ('approach', 'approachSteps'),
            ('testimonials', 'testimonialsHeading'), ('blog', 'blogHeading'),
            ('contact', 'contactHeading'), ('contact', 'contactLead')
          ) as fields (part, field)
          where hidden_parts ? part or hidden_pages ? part
      )
    when 'services' then
      document || jsonb_build_object(
        'items',
        jsonb_path_query_array(document, '$.items[*] ? (!(@.hidden == true))'),
        'redirects',
        (
          select coalesce(
            jsonb_agg(
              case
                when document @> jsonb_build_object(
                  'items', jsonb_build_array(jsonb_build_object('slug', redirect -> 'to', 'hidden', true))
                )
                then redirect - 'to'
                else redirect
              end
              order by place
            ),
            '[]'
          )
            from jsonb_array_elements(document -> 'redirects') with ordinality as list (redirect, place)
        )
      )
    else document
  end;
$$;
comment on function private.public_document(text, jsonb, jsonb, jsonb) is
  'A published document without what no page shows. hidden_parts are the parts of the home page that are switched off, hidden_pages the pages.';

create function private.refresh_public_settings()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.public_site_settings
    -- Triggers of other tables write these two.
    where section not in ('content', 'ownPages')
      and section not in (select settings.section from public.site_settings as settings);
  insert into public.public_site_settings as shown (section, document, version)
    select settings.section,
        private.public_document(
          settings.section,
          settings.document,
          coalesce(home.document -> 'hidden', '[]'),
          coalesce(pages.document -> 'hidden', '[]')
        ) - array(
          select name from jsonb_each(described.schema -> 'properties') as field (name, rules)
            where rules @> '{"private": true}'
        ),
        settings.version
      from public.site_settings as settings
      join private.settings_schemas as described using (section)
      left join public.site_settings as home on home.section = 'home'
      left join public.site_settings as pages on pages.section = 'pages'
      where not described.schema @> '{"private": true}'
    on conflict (section) do update
      set document = excluded.document, version = excluded.version
      where (shown.document, shown.version) is distinct from (excluded.document, excluded.version);
  return null;
end;
$$;
create trigger site_settings_refresh_public
  after insert or update or delete on public.site_settings
  for each statement execute function private.refresh_public_settings();

create function private.note_content()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- One transaction at a time, so that the last one sees what all others stored.
  perform from public.public_site_settings where section = 'content' for update;
  insert into public.public_site_settings as shown (section, document, version)
    values (
      'content',
      jsonb_build_object(
        'posts', exists (select from public.posts),
        'testimonials', exists (
          select from public.testimonials where approved_at is not null and not is_sample
        )
      ),
      0
    )
    on conflict (section) do update
      set document = excluded.document,
          -- A site that has published nothing has no version.
          version = case when exists (select from public.site_settings)
            then nextval(pg_get_serial_sequence('public.site_settings_versions', 'id'))
            else 0
          end
      where shown.document <> excluded.document;
  return null;
end;
$$;
comment on function private.note_content() is
  'Keeps the row "content": whether there are posts, and testimonials of clients on the site. The menu leaves out the pages of what there is none of (app/config/site-pages.ts).';
insert into public.public_site_settings (section, document, version)
  values ('content', '{"posts": false, "testimonials": false}', 0);
create trigger posts_note_content after insert or delete on public.posts
  for each statement execute function private.note_content();
create trigger testimonials_note_content
  after insert or delete or update of approved_at on public.testimonials
  for each statement execute function private.note_content();

create function private.setting(section_name text, field text)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select document -> field from public.site_settings where section = section_name;
$$;
comment on function private.setting(text, text) is
  'A published setting; null when its section was never published.';

create function private.shown_texts(section_name text, field text)
returns table (text text, version bigint)
language sql
stable
security definer
set search_path = ''
as $$
  with recent as (
    select id, document ->> field as words from public.site_settings_versions as stored
      where section = section_name
        and id >= coalesce(
          (
            select max(id) from public.site_settings_versions
              where section = section_name and published_at <= now() - interval '1 hour'
          ),
          0
        )
  ),
  published as (
    select id, words from recent
    union
    select version, document ->> field from public.site_settings where section = section_name
    union all
    select null, null
      where not exists (select from public.site_settings where section = section_name)
        or not exists (
          select from public.site_settings_versions
            where section = section_name and published_at <= now() - interval '1 hour'
        )
  )
  -- A document without the field shows the default, as the pages complete it.
  select coalesce(words, schema #>> array['properties', field, 'default']), id
    from published, private.settings_schemas where section = section_name;
$$;
comment on function private.shown_texts(text, text) is
  'The texts of a setting that pages show, or showed within the last hour: a page may be open or cached. version is null for the text of the release, while the section was not published.';

create function private.publish_document(new_section text, new_document jsonb)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  problem text;
  new_version bigint;
begin
  select private.schema_problem(new_document, schema, section) into problem
    from private.settings_schemas where section = new_section for update;
  if problem is not null then
    raise exception '%', problem using errcode = 'PT422', hint = split_part(problem, ' ', 1);
  end if;
  insert into public.site_settings_versions (section, document)
    values (new_section, new_document)
    returning id into new_version;
  insert into public.site_settings as settings (section, document, version)
    values (new_section, new_document, new_version)
    on conflict (section) do update
      set document = excluded.document, version = excluded.version, published_at = now();
end;
$$;
comment on function private.publish_document(text, jsonb) is 'Publishes a document of the settings, or fails with what is wrong with it.';

create function public.publish_settings(sections text[], saved_at timestamptz[])
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  seen record;
  published jsonb;
begin
  perform private.require_owner();
  for seen in
    select section, updated_at from unnest(sections, saved_at) as drafts (section, updated_at)
      order by section
  loop
    delete from public.site_settings_drafts
      where section = seen.section and updated_at = seen.updated_at
      returning document into published;
    if not found then
      raise exception 'Another window changed the draft' using errcode = 'exclusion_violation';
    end if;
    perform private.publish_document(seen.section, published);
  end loop;
end;
$$;
comment on function public.publish_settings(text[], timestamptz[]) is
  'Publishes the drafts of these sections, all or none. saved_at has the updated_at of each, as the caller has seen it. Owners only.';
grant execute on function public.publish_settings(text[], timestamptz[]) to authenticated;
