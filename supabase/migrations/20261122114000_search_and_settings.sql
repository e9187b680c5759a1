-- Search

create or replace function public.search_posts(query text, first integer, count integer)
returns table (
  id uuid,
  slug text,
  title text,
  category text,
  author text,
  image_url text,
  alt text,
  updated_at timestamptz,
  found integer
)
language sql
stable
set search_path = ''
-- Without the index, every post's text would be parsed again.
set enable_seqscan = off
-- Parsed when it is created: callers cannot name functions of the schema private.
begin atomic
  with words as materialized (
    select
      -- A phrase becomes all of its words. The index does not know their order: checking it would parse the text of
      -- every post that has the words.
      cast(
        regexp_replace(
          websearch_to_tsquery('english', left(search_posts.query, 200))::text,
          '<(-|\d+)>', '&', 'g'
        ) as tsquery
      ) as all_of
  ),
  matches as (
    select post.id, post.title, post.tagline, post.created_at,
        row_number() over (order by post.created_at desc, post.id) as place,
        (count(*) over ())::integer as found
      from words, public.posts as post
      where private.post_search_vector(post.title, post.tagline, post.content) @@ words.all_of
  ),
  ranked as (
    select matches.*,
        -- Ranking parses title and tagline, which for all matches of a frequent word would take seconds.
        case when matches.place <= 200 then
          ts_rank(
            setweight(to_tsvector('english', matches.title), 'A')
              || setweight(to_tsvector('english', matches.tagline), 'B'),
            cast(replace(words.all_of::text, '&', '|') as tsquery)
          )
        end as rank
      from words, matches
      order by rank desc nulls last, matches.place
      limit least(greatest(search_posts.count, 0), 100)
      offset greatest(search_posts.first, 0)
  )
  select post.id, post.slug, post.title, post.category, post.author, post.image_url, post.alt,
      post.updated_at, ranked.found
    from ranked join public.posts as post using (id)
    order by ranked.rank desc nulls last, ranked.place;
end;
comment on function public.search_posts(text, integer, integer) is
  'Posts that match the first 200 characters of the query. Of the 200 newest: those with its words in the title first, then in the tagline, then the newest; then the others, newest first. At most 100 rows; found is the number of all matches.';

-- What visitors read of the settings

create or replace function private.schema_problem(value jsonb, schema jsonb, path text)
returns text
language plpgsql
immutable
set search_path = ''
as $$
declare
  expected text := schema ->> 'type';
  actual text := jsonb_typeof(value);
  content text := value #>> '{}';
  problem text;
  item record;
begin
  if schema ? 'anyOf' then
    -- A value or null.
    if actual = 'null' then
      return null;
    end if;
    return private.schema_problem(value, schema -> 'anyOf' -> 0, path);
  end if;
  if actual is distinct from (case expected when 'integer' then 'number' else expected end) then
    return format('%s must be of type %s', path, expected);
  end if;
  case expected
    when 'string' then
      -- Like JavaScript, which counts a character beyond U+FFFF twice.
      if char_length(regexp_replace(content, '[\U00010000-\U0010ffff]', 'xx', 'g'))
        > (schema ->> 'maxLength')::integer
      then
        return format('%s must have at most %s characters', path, schema ->> 'maxLength');
      end if;
      -- In JavaScript, \s has these characters and \d only these digits. Here, that depends on the locale.
      if content !~ replace(
        replace(
          coalesce(schema ->> 'pattern', ''),
          '\s', '\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
        ),
        '\d', '[0-9]'
      ) then
        return format('%s has characters or a form that is not allowed', path);
      end if;
      if schema ? 'enum' and not (schema -> 'enum') @> value then
        return format('%s is none of the choices', path);
      end if;
    when 'integer' then
      if value::numeric % 1 <> 0
        or value::numeric not between (schema ->> 'minimum')::numeric and (schema ->> 'maximum')::numeric
      then
        return format(
          '%s must be a whole number from %s to %s', path, schema ->> 'minimum', schema ->> 'maximum'
        );
      end if;
    when 'array' then
      if jsonb_array_length(value) > (schema ->> 'maxItems')::integer then
        return format('%s must have at most %s entries', path, schema ->> 'maxItems');
      end if;
      for item in
        select element, place from jsonb_array_elements(value) with ordinality as list (element, place)
      loop
        problem := private.schema_problem(
          item.element, schema -> 'items', format('%s[%s]', path, item.place - 1)
        );
        if problem is not null then
          return problem;
        end if;
      end loop;
    when 'object' then
      for item in select name from jsonb_array_elements_text(schema -> 'required') as names (name) loop
        if not value ? item.name then
          return format('%s.%s is missing', path, item.name);
        end if;
      end loop;
      for item in select name, field from jsonb_each(value) as fields (name, field) loop
        if not (schema -> 'properties') ? item.name then
          return format('%s.%s is not a setting', path, item.name);
        end if;
        problem := private.schema_problem(
          item.field, schema -> 'properties' -> item.name, format('%s.%s', path, item.name)
        );
        if problem is not null then
          return problem;
        end if;
      end loop;
    else
      null;
  end case;
  return null;
end;
$$;

create table public.public_site_settings (
  section text primary key,
  document jsonb not null,
  version bigint not null
);
comment on table public.public_site_settings is
  'What pages show of the published settings. A section without a row has the default of a new site. Written by a trigger of site_settings alone.';
comment on table public.site_settings is
  'The published settings, a document per section. Visitors read public_site_settings. Written by publish_settings alone.';

create function private.public_document(section text, document jsonb, hidden_parts jsonb)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select case section
    when 'contact' then
      document - case when document -> 'showStreet' = 'false' then '{street,postalCode}'::text[] else '{}' end
    when 'disclosures' then document - 'mails'
    when 'blog' then document - 'authors'
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
          where hidden_parts ? part
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
comment on function private.public_document(text, jsonb, jsonb) is
  'A published document without what no page shows. hidden_parts are the parts of the home page that are switched off.';
revoke execute on function private.public_document(text, jsonb, jsonb) from public;

create function private.refresh_public_settings()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.public_site_settings
    where section not in (select settings.section from public.site_settings as settings);
  insert into public.public_site_settings as shown (section, document, version)
    select settings.section,
        private.public_document(settings.section, settings.document, home.document -> 'hidden'),
        settings.version
      from public.site_settings as settings
      left join public.site_settings as home on home.section = 'home'
      where settings.section <> 'mail'
    on conflict (section) do update
      set document = excluded.document, version = excluded.version
      where (shown.document, shown.version) is distinct from (excluded.document, excluded.version);
  return null;
end;
$$;
revoke execute on function private.refresh_public_settings() from public;
create trigger site_settings_refresh_public
  after insert or update or delete on public.site_settings
  for each statement execute function private.refresh_public_settings();

create or replace function public.publish_settings(sections text[])
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  draft record;
  problem text;
  new_version bigint;
begin
  if not (select public.is_owner()) then
    raise exception 'Only an owner publishes settings' using errcode = '42501';
  end if;
  for draft in
    select drafts.section, drafts.document, schemas.schema
      from public.site_settings_drafts as drafts
      join private.settings_schemas as schemas using (section)
      where drafts.section = any (sections)
      order by drafts.section
      for update of drafts
  loop
    problem := private.schema_problem(draft.document, draft.schema, draft.section);
    if problem is not null then
      raise exception '%', problem using errcode = '23514';
    end if;
    insert into public.site_settings_versions (section, document, published_by)
      values (draft.section, draft.document, (select auth.uid()))
      returning id into new_version;
    insert into public.site_settings as settings (section, document, version)
      values (draft.section, draft.document, new_version)
      on conflict (section) do update
        set document = excluded.document, version = excluded.version, published_at = now();
    delete from public.site_settings_drafts where section = draft.section;
  end loop;
end;
$$;

-- A hidden street was in the version alone. This also fills the new table.
update public.site_settings as settings
  set document = versions.document
  from public.site_settings_versions as versions
  where versions.id = settings.version;

alter table public.public_site_settings enable row level security;
revoke all on public.public_site_settings, public.site_settings from anon, authenticated;
grant select on public.public_site_settings to anon, authenticated;
grant all on public.public_site_settings to service_role;
grant select on public.site_settings to authenticated;

create policy "Anyone reads what pages show" on public.public_site_settings
  for select to anon, authenticated using (true);
drop policy "Anyone reads public settings, owners all" on public.site_settings;
create policy "Owners read the settings, editors those of the blog" on public.site_settings
  for select to authenticated
  using (
    (select public.is_owner()) or (section = 'blog' and (select public.my_role()) = 'editor')
  );

alter publication supabase_realtime drop table public.site_settings;
alter publication supabase_realtime add table public.public_site_settings;

-- The size of posts

create function private.check_content_size()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and new.content = old.content then
    return new;
  end if;
  if regexp_count(new.content::text, '://|www\.|"type": "image"', 1, 'i') > 1000 then
    raise exception 'The text has too many links and images' using errcode = '23514';
  end if;
  if (select count(*) from jsonb_path_query(new.content, '$.**')) > 20000 then
    raise exception 'The text has too many list items, paragraphs and formatted words' using errcode = '23514';
  end if;
  return new;
end;
$$;
comment on function private.check_content_size() is
  'Bounds the size of a page and the time to render it. No CHECK: posts that were larger before stay, can be restored, and can change in other columns.';
revoke execute on function private.check_content_size() from public;

-- Functions that move or restore a post run as their own owner.
create trigger posts_check_content_size
  before insert or update of content on public.posts
  for each row when (current_user in ('authenticated', 'service_role'))
  execute function private.check_content_size();
create trigger scheduled_posts_check_content_size
  before insert or update of content on public.scheduled_posts
  for each row when (current_user in ('authenticated', 'service_role'))
  execute function private.check_content_size();
create trigger post_drafts_check_content_size
  before insert or update of content on public.post_drafts
  for each row when (current_user in ('authenticated', 'service_role'))
  execute function private.check_content_size();
