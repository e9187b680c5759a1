-- Search, categories and neighbors of posts for visitors, which read nothing but public.posts under its policies, and the
-- list of the posts in every state for the people who write them.

create function private.post_search_vector(title text, tagline text, content jsonb)
returns tsvector
language sql
immutable
parallel safe
set search_path = ''
-- Higher than the default, so that a plan does not compute it for rows that the index already found.
cost 1000
as $$
  select setweight(to_tsvector('english', title), 'A')
    || setweight(to_tsvector('english', tagline), 'B')
    || setweight(
      to_tsvector(
        'english',
        -- A tsvector has at most 1 MB. This many characters fit, whatever they are.
        left(
          (
            select coalesce(string_agg(piece #>> '{}', E'\n'), '')
              from jsonb_path_query(
                content,
                '$[*] ? (@.type() == "object").keyvalue()
                  ? (@.key == "text" || @.key == "items" || @.key == "rows" || @.key == "alt").value[*][*]'
              ) as piece
              where jsonb_typeof(piece) = 'string'
          ),
          100000
        )
      ),
      'C'
    );
$$;
comment on function private.post_search_vector(text, text, jsonb) is
  'What search_posts searches: title, tagline, and the texts, list items, cells and alternative texts of the blocks.';
-- A role that writes a post also computes the index.
grant execute on function private.post_search_vector(text, text, jsonb) to anon, authenticated, service_role;
create index posts_search on public.posts
  using gin (private.post_search_vector(title, tagline, content));

create function private.is_shown(post public.posts)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  -- An edited sample is the adviser's own post.
  return not post.is_sample or post.updated_at <> post.created_at
    or exists (select from private.local_site)
    or private.setting('testimonials', 'demonstration') is not distinct from 'true'::jsonb
    or private.may('write posts');
end;
$$;
comment on function private.is_shown(public.posts) is
  'Whether the reader sees a post: samples only at an address that is not public, in a demonstration, or as a writer of posts.';
grant execute on function private.is_shown(public.posts) to anon, authenticated, service_role;

create function public.search_posts(query text, first integer, count integer)
returns table (
  id uuid,
  slug text,
  title text,
  category text,
  author text,
  image_url text,
  alt text,
  published_date timestamptz,
  updated_at timestamptz,
  found integer
)
language plpgsql
stable
-- A policy is evaluated before the search, which could then not use its index.
security definer
set search_path = ''
-- Without the index, every post's text would be parsed again.
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query with words as materialized (
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
        -- Called for every match, the function would take most of the time.
        and (not post.is_sample or private.is_shown(post))
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
      post.published_date, post.updated_at, ranked.found
    from ranked join public.posts as post using (id)
    order by ranked.rank desc nulls last, ranked.place;
end;
$$;
comment on function public.search_posts(text, integer, integer) is
  'Posts that match the first 200 characters of the query. Of the 200 newest: those with its words in the title first, then in the tagline, then the newest; then the others, newest first. At most 100 rows; found is the number of all matches.';
grant execute on function public.search_posts(text, integer, integer) to anon, authenticated, service_role;

create function public.list_post_categories()
returns table (category text, posts integer, changed_at timestamptz)
language sql
stable
set search_path = ''
as $$
  select post.category, count(*)::integer, max(post.updated_at)
    from public.posts as post
    group by post.category
    order by count(*) desc, post.category
    limit 1000;
$$;
comment on function public.list_post_categories() is
  'The categories of the posts, the most frequent first, with the number of posts and the time of the newest change.';
grant execute on function public.list_post_categories() to anon, authenticated, service_role;

create function public.list_category_posts(categories text[], first integer, count integer)
returns setof public.posts
language sql
stable
set search_path = ''
as $$
  select *
    from public.posts as post
    where post.category = any((list_category_posts.categories)[1:1000])
    order by post.created_at desc, post.id
    limit least(greatest(list_category_posts.count, 0), 30)
    offset greatest(list_category_posts.first, 0);
$$;
comment on function public.list_category_posts(text[], integer, integer) is
  'Posts with one of these categories (at most 1,000), newest first, at most 30. A filter of the API could not name every category: supabase-js does not escape quotes and backslashes in lists.';
grant execute on function public.list_category_posts(text[], integer, integer) to anon, authenticated, service_role;

create function public.find_neighbor_posts(post_slug text)
returns table (direction text, slug text, title text)
language sql
stable
set search_path = ''
as $$
  with this as (select post.id, post.created_at from public.posts as post where post.slug = post_slug),
  newer as (
    select post.slug, post.title
      from this, public.posts as post
      where post.created_at >= this.created_at
        and (post.created_at > this.created_at or post.id < this.id)
      order by post.created_at, post.id desc
      limit 1
  ),
  older as (
    select post.slug, post.title
      from this, public.posts as post
      where post.created_at <= this.created_at
        and (post.created_at < this.created_at or post.id > this.id)
      order by post.created_at desc, post.id
      limit 1
  )
  select 'newer', newer.slug, newer.title from newer
  union all
  select 'older', older.slug, older.title from older;
$$;
comment on function public.find_neighbor_posts(text) is
  'The posts before and after a post in the list of all posts, which is ordered by created_at, newest first, and id.';
grant execute on function public.find_neighbor_posts(text) to anon, authenticated, service_role;

create function private.search_form(text text)
returns text
language sql
immutable
set search_path = ''
as $$
  select lower(
    regexp_replace(normalize(text, nfd), '[\u0300-\u036f]', '', 'g') collate "und-x-icu"
  );
$$;
comment on function private.search_form(text) is
  'Text as searches compare it: lower case, without accents.';
-- A role that writes a message also computes its searchable form.
grant execute on function private.search_form(text) to authenticated, service_role;

create function private.search_patterns(query text)
returns text[]
language plpgsql
immutable
set search_path = ''
as $$
begin
  if char_length(query) > 1000 then
    raise exception 'A query has at most 1,000 characters' using errcode = '22001';
  end if;
  return array(
    select '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'
      from regexp_split_to_table(private.search_form(query), '\s+') as word
      where word <> ''
  );
end;
$$;
comment on function private.search_patterns(text) is
  'The words of a query, of which each matches the searchable form of a text with LIKE.';

create function private.public_rows(kind public.content_kind)
returns table (
  id uuid, slug text, title text, category text, author text, date timestamptz, is_sample boolean, image_url text,
  place text, "position" bigint, hidden boolean
)
language plpgsql
stable
set search_path = ''
as $$
begin
  return query execute format(
    'select id, slug, title, category, author, %s from %s',
    case kind
      when 'page' then 'updated_at, false, null::text, place, position, hidden'
      else 'published_date, is_sample, image_url, null::text, null::bigint, false'
    end,
    private.table_of(kind)
  );
end;
$$;
comment on function private.public_rows(public.content_kind) is
  'What the list of all posts, or of all pages, shows of those that are public or hidden.';

create function public.search_managed_posts(
  kind public.content_kind,
  query text,
  filter text,
  month text,
  time_zone text,
  first integer,
  count integer
)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  in_kind public.content_kind := search_managed_posts.kind;
  patterns text[];
  result jsonb;
begin
  perform private.require('write posts');
  patterns := private.search_patterns(query);

  with listed as materialized (
    select id, 'published' as state, slug, title, category, author, date,
        null as failure, is_sample, image_url, place, position, hidden
      from private.public_rows(in_kind)
    union all
    select schedule.thing::uuid, 'scheduled', document ->> 'slug', document ->> 'title', document ->> 'category',
        document ->> 'author', schedule.at, failure, false, document ->> 'image_url', null, null, false
      from public.schedules as schedule join public.versions as version on number = schedule.version
      where schedule.kind = in_kind
    union all
    select thing::uuid, 'draft', coalesce(document ->> 'slug', ''), coalesce(document ->> 'title', ''),
        coalesce(document ->> 'category', ''), coalesce(document ->> 'author', ''), saved_at, null, false,
        document ->> 'image_url', null, null, false
      from public.drafts as draft
      where draft.kind = in_kind and private.public_version(draft.kind, thing) is null
        and not exists (select from public.schedules as schedule where (schedule.kind, schedule.thing) = (draft.kind, draft.thing))
    union all
    select thing::uuid, 'deleted', coalesce(document ->> 'slug', ''), coalesce(document ->> 'title', ''),
        coalesce(document ->> 'category', ''), coalesce(document ->> 'author', ''), at,
        null, coalesce((document ->> 'is_sample')::boolean, false), null, null, null, false
      from public.versions as version
      where event = 'deleted' and at > now() - interval '30 days' and version.kind = in_kind
        and number = (private.newest_version(version.kind, thing)).number
  ),
  found as materialized (
    select listed.*, draft.thing is not null as has_draft,
        to_char(date at time zone search_managed_posts.time_zone, 'YYYY-MM') as in_month,
        case
          when state = 'deleted' then array['deleted']
          else array[
            'all', state, case when state <> 'draft' and draft.thing is not null then 'draft' end,
            case
              when newest.event = 'submitted' and private.setting('blog', 'needApproval') = 'true'::jsonb
                and newest.draft is not distinct from draft.saved_at
                then 'waiting'
            end
          ]
        end as filters
      from listed
      left join public.drafts as draft on draft.kind = in_kind and draft.thing = id::text
      left join lateral private.newest_version(in_kind, id::text, '{submitted,approved,returned}') as newest on true
      where patterns = '{}'
        or private.search_form(concat_ws(' ', title, category, author)) like all (patterns)
  ),
  matching as (
    select * from found
      where search_managed_posts.filter = any (filters)
        and search_managed_posts.month in ('', in_month)
  ),
  page as (
    select * from matching
      order by array_position(array['menu', 'footer', 'none'], place), position, date desc, id
      limit least(greatest(search_managed_posts.count, 0), 200)
      offset greatest(search_managed_posts.first, 0)
  )
  select jsonb_build_object(
      'counts', (
        select coalesce(jsonb_object_agg(each.name, each.posts), '{}')
          from (
            select name, count(*) as posts
              from found, unnest(filters) as name
              where name is not null and search_managed_posts.month in ('', in_month)
              group by name
          ) as each
      ),
      'months', (
        select coalesce(jsonb_agg(each.in_month order by each.in_month desc), '[]')
          from (
            select distinct in_month from found where search_managed_posts.filter = any (filters)
          ) as each
      ),
      'rows', (
        select coalesce(
            jsonb_agg(
              to_jsonb(page) - array['filters', 'in_month']
              order by array_position(array['menu', 'footer', 'none'], place), position, date desc, id
            ),
            '[]'
          )
          from page
      )
    )
    into result;
  return result;
end;
$$;
comment on function public.search_managed_posts(public.content_kind, text, text, text, text, integer, integer) is
  'Posts, or pages, in every state whose title, category and author contain the words of the query, pages by their place and order, then the newest first, with counts per filter (all, published, scheduled, draft, deleted, waiting for approval) and the months that have posts. month is "YYYY-MM" in the time zone, or empty. Owners and editors only.';
grant execute on function public.search_managed_posts(public.content_kind, text, text, text, text, integer, integer)
  to authenticated;
