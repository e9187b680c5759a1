-- Who the firm is and what its pages say: one document per section. Their drafts and versions are those of
-- all content (versions.sql). Publishing checks a document, and copies what pages show to the table that visitors read.

create table public.site_settings (
  section text primary key references private.settings_schemas (section),
  document jsonb not null,
  version bigint not null,
  published_at timestamptz not null default now()
);
comment on table public.site_settings is
  'The published settings, a document per section. Visitors read public_site_settings. Written by private.publish_document alone.';

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

create trigger site_settings_record_change
  before insert or update or delete on public.site_settings
  for each row execute function private.record_change('section');

create table public.public_site_settings (
  section text primary key,
  document jsonb not null,
  version bigint not null,
  constraint public_site_settings_address check (
    section <> 'address'
    or coalesce(
      document ->> 'origin' ~ '^(https://[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|http://(127\.0\.0\.1|localhost|\[::1\]):[0-9]{1,5})$',
      false
    )
  )
);
comment on table public.public_site_settings is
  'What pages show of the published settings. A section without a row has the default of a new site. Written by triggers alone: of site_settings, for the row "content" of posts and testimonials, and for "ownPages" of pages. The row "address" is what an owner confirmed as the public address, written by private.store_site_address.';

alter table public.public_site_settings enable row level security;
-- The secret key may not write it either: visitors would read what is no version.
revoke all on public.public_site_settings from anon, authenticated, service_role;
grant select on public.public_site_settings to anon, authenticated, service_role;

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
    -- These have no section of site_settings.
    where section not in ('address', 'content', 'ownPages')
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
declare
  -- Realtime sends visitors nothing about an update that hides a row from them. They hear of the row of this section.
  is_hidden boolean := tg_argv[0] is not distinct from 'hidden';
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
          version = case when is_hidden or exists (select from public.site_settings)
            then nextval(pg_get_serial_sequence('public.versions', 'number'))
            else 0
          end
      where is_hidden or shown.document <> excluded.document;
  return null;
end;
$$;
comment on function private.note_content() is
  'Keeps the row "content": whether there are posts, and testimonials of clients on the site. The menu leaves out the pages of what there is none of (app/config/site-pages.ts). A testimonial that was hidden changes its version, so that open windows and cached pages are refreshed.';
insert into public.public_site_settings (section, document, version)
  values ('content', '{"posts": false, "testimonials": false}', 0);
create trigger posts_note_content after insert or delete on public.posts
  for each statement execute function private.note_content();
create trigger testimonials_note_content
  after insert or delete or update of approved_at on public.testimonials
  for each statement execute function private.note_content();
create trigger testimonials_note_hidden
  after update of approved_at on public.testimonials
  for each row when (old.approved_at is not null and new.approved_at is null)
  execute function private.note_content('hidden');

create function private.store_site_address(origin text)
returns void
language sql
set search_path = ''
as $$
  insert into public.public_site_settings as shown (section, document, version)
    values (
      'address',
      jsonb_build_object('origin', origin),
      -- Of all settings, so that open windows and cached pages are refreshed.
      nextval(pg_get_serial_sequence('public.versions', 'number'))
    )
    on conflict (section) do update set document = excluded.document, version = excluded.version;
$$;
comment on function private.store_site_address(text) is
  'Stores the public address of the site, which the site has checked. It takes effect at once: it is where the site is, no content that is drafted, approved or restored.';

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
  with stored as (
    select number as id, document ->> field as words, at from public.versions
      where kind = 'section' and thing = section_name and event = 'published'
  ),
  recent as (
    select id, words from stored
      where id >= coalesce((select max(id) from stored where at <= now() - interval '1 hour'), 0)
  ),
  published as (
    select id, words from recent
    union
    select version, document ->> field from public.site_settings where section = section_name
    union all
    select null, null
      where not exists (select from public.site_settings where section = section_name)
        or not exists (select from stored where at <= now() - interval '1 hour')
  )
  -- A document without the field shows the default, as the pages complete it.
  select coalesce(words, schema #>> array['properties', field, 'default']), id
    from published, private.settings_schemas where section = section_name;
$$;
comment on function private.shown_texts(text, text) is
  'The texts of a setting that pages show, or showed within the last hour: a page may be open or cached. version is null for the text of the release, while the section was not published.';

create table private.kept_contact (
  value text,
  kind public.content_kind,
  thing text,
  primary key (value, kind, thing),
  constraint kept_contact_value_length check (char_length(value) <= 1000),
  constraint kept_contact_thing_length check (char_length(thing) <= 100)
);
comment on table private.kept_contact is
  'Former contact data that is right where it is, as an owner said: public.outdated_contact leaves it out.';
alter table private.kept_contact enable row level security;

create function public.keep_contact(value text, kind public.content_kind, thing text, is_right boolean)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_owner();
  if is_right then
    insert into private.kept_contact values (value, kind, thing) on conflict do nothing;
  else
    delete from private.kept_contact as kept
      where (kept.value, kept.kind, kept.thing) = (keep_contact.value, keep_contact.kind, keep_contact.thing);
  end if;
end;
$$;
comment on function public.keep_contact(text, public.content_kind, text, boolean) is
  'Says that former contact data is right where it is, or that it is not. Owners only.';
grant execute on function public.keep_contact(text, public.content_kind, text, boolean) to authenticated;

create function public.outdated_contact()
returns table (value text, kind public.content_kind, thing text, title text, slug text)
language plpgsql
stable
security definer
set search_path = ''
as $$
#variable_conflict use_column
begin
  perform private.require_owner();
  return query
    with written as (
      select field, document ->> field as value, event.number
        from public.versions as event cross join unnest('{phone,email,street}'::text[]) as field
        where kind = 'section' and thing = 'contact' and event = 'published'
    ),
    compared as (
      select *,
          case field
            -- Without the extension and the country code.
            when 'phone' then right(regexp_replace(regexp_replace(value, '[a-z].*$', '', 'i'), '[^0-9]', '', 'g'), 10)
            else lower(value)
          end as key
        from written
    ),
    former as (
      select distinct on (field, key) value,
          case field
            when 'phone' then '(^|[^0-9]|1)' || regexp_replace(key, '(.)(?=.)', '\1[^0-9a-z]{0,3}', 'g') || '($|[^0-9])'
            else regexp_replace(key, '([^[:alnum:][:space:]])', '\\\1', 'g')
          end as pattern
        from compared
        where char_length(key) >= 5
          and key is distinct from (
            select present.key from compared as present where present.field = compared.field
              order by present.number desc limit 1
          )
        order by field, key, number desc
    ),
    places as (
      select 'post'::public.content_kind as kind, id::text as thing, title, slug,
          concat_ws(' ', title, tagline, content) as words
        from public.posts
      union all
      select 'page', id::text, title, slug, concat_ws(' ', title, tagline, content) from public.pages
      union all
      select 'section', section, '', '', document::text from public.site_settings where section <> 'contact'
    )
    select former.value, places.kind, places.thing, places.title, places.slug
      from former join places on lower(places.words) ~ former.pattern
      where (former.value, places.kind, places.thing) not in (select kept.value, kept.kind, kept.thing from private.kept_contact as kept)
      order by former.value, places.kind, places.title, places.thing;
end;
$$;
comment on function public.outdated_contact() is
  'Where posts, pages and other settings still have a phone number, email address or street that the section contact had before, apart from what an owner said is right there. Numbers are found however they are written. Owners only.';
grant execute on function public.outdated_contact() to authenticated;

create function private.check_settings(new_section text, new_document jsonb)
returns void
language plpgsql
set search_path = ''
as $$
declare
  problem text;
begin
  select private.schema_problem(new_document, schema, section) into problem
    from private.settings_schemas where section = new_section for update;
  if problem is not null then
    raise exception '%', problem using errcode = 'PT422', hint = split_part(problem, ' ', 1);
  end if;
end;
$$;
comment on function private.check_settings(text, jsonb) is
  'Rejects a document that its section does not accept, and locks the section.';

create function private.publish_document(new_section text, new_document jsonb)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.check_settings(new_section, new_document);
  -- A trigger sets the version.
  insert into public.site_settings as settings (section, document, version)
    values (new_section, new_document, 0)
    on conflict (section) do update set document = excluded.document, published_at = now();
end;
$$;
comment on function private.publish_document(text, jsonb) is 'Publishes a document of the settings, or fails with what is wrong with it.';
