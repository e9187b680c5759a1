-- The list of all posts for the people who write them: drafts, scheduled, published and deleted ones.

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
revoke execute on function private.search_form(text) from public;

create function public.search_managed_posts(
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
  patterns text[];
  result jsonb;
begin
  perform private.require_writer();
  if char_length(query) > 1000 then
    raise exception 'A query has at most 1,000 characters' using errcode = '22001';
  end if;
  select coalesce(
      array_agg('%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'), '{}'
    )
    into patterns
    from regexp_split_to_table(private.search_form(query), '\s+') as word
    where word <> '';

  with listed as materialized (
    select id, 'published' as state, slug, title, category, author, published_date as date,
        exists (select from public.post_drafts as draft where draft.id = posts.id) as has_draft
      from public.posts
    union all
    select id, 'scheduled', slug, title, category, author, published_date,
        exists (select from public.post_drafts as draft where draft.id = scheduled.id)
      from public.scheduled_posts as scheduled
    union all
    select id, 'draft', slug, title, category, author, updated_at, true
      from public.post_drafts as draft
      where not exists (select from public.posts where posts.id = draft.id)
        and not exists (select from public.scheduled_posts as scheduled where scheduled.id = draft.id)
    union all
    select post_id, 'deleted', coalesce(document ->> 'slug', ''), coalesce(document ->> 'title', ''),
        coalesce(document ->> 'category', ''), coalesce(document ->> 'author', ''), saved_at, false
      from public.post_versions as version
      where event = 'deleted' and saved_at > now() - interval '30 days'
        and not exists (
          select from public.post_versions as later
            where later.post_id = version.post_id and later.id > version.id
        )
  ),
  found as materialized (
    select listed.*,
        to_char(date at time zone search_managed_posts.time_zone, 'YYYY-MM') as in_month,
        case
          when state = 'deleted' then array['deleted']
          else array[
            'all', state, case when state <> 'draft' and has_draft then 'draft' end
          ]
        end as filters
      from listed
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
      order by date desc, id
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
            jsonb_agg(to_jsonb(page) - array['filters', 'in_month'] order by date desc, id), '[]'
          )
          from page
      )
    )
    into result;
  return result;
end;
$$;
comment on function public.search_managed_posts(text, text, text, text, integer, integer) is
  'Posts in every state whose title, category and author contain the words of the query, newest first, with counts per filter (all, published, scheduled, draft, deleted) and the months that have posts. month is "YYYY-MM" in the time zone, or empty. Owners and editors only.';

revoke execute on function public.search_managed_posts(text, text, text, text, integer, integer)
  from public, anon;
grant execute on function public.search_managed_posts(text, text, text, text, integer, integer)
  to authenticated;
