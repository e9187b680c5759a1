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
