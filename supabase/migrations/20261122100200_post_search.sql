-- Search, categories and neighbors of posts, for visitors. They read nothing but public.posts, under its policies.

create function private.post_search_vector(title text, tagline text, content jsonb)
returns tsvector
language sql
immutable
parallel safe
set search_path = ''
-- Far more than an operator: a plan must not compute it for rows that the index already found.
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
                  ? (@.key == "text" || @.key == "items" || @.key == "alt").value[*]'
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
  'What search_posts searches: title, tagline, and the texts, list items and alternative texts of the blocks.';
-- It stays executable: a role that writes a post also runs the index below.
create index posts_search on public.posts
  using gin (private.post_search_vector(title, tagline, content));

create index posts_by_category on public.posts (category, created_at desc, id) include (updated_at);

create function public.search_posts(query text, first integer, count integer)
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
  select post.id, post.slug, post.title, post.category, post.author, post.image_url, post.alt,
      post.updated_at, (count(*) over ())::integer
    from
      -- A phrase becomes all of its words. The index does not know their order: checking it would parse the text of
      -- every post that has the words.
      cast(
        regexp_replace(
          websearch_to_tsquery('english', left(search_posts.query, 200))::text,
          '<(-|\d+)>', '&', 'g'
        ) as tsquery
      ) as every_word,
      cast(replace(every_word::text, '&', '|') as tsquery) as any_word,
      public.posts as post
    where private.post_search_vector(post.title, post.tagline, post.content) @@ every_word
    -- Without the text, because that would parse the text of every post that was found.
    order by ts_rank(
        setweight(to_tsvector('english', post.title), 'A')
          || setweight(to_tsvector('english', post.tagline), 'B'),
        any_word
      ) desc,
      post.created_at desc, post.id
    limit least(greatest(search_posts.count, 0), 100)
    offset greatest(search_posts.first, 0);
end;
comment on function public.search_posts(text, integer, integer) is
  'Posts that match the first 200 characters of the query: those with its words in the title first, then in the tagline, then the newest. At most 100 rows; found is the number of all matches.';
revoke execute on function public.search_posts(text, integer, integer) from public;
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
revoke execute on function public.list_post_categories() from public;
grant execute on function public.list_post_categories() to anon, authenticated, service_role;

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
revoke execute on function public.find_neighbor_posts(text) from public;
grant execute on function public.find_neighbor_posts(text) to anon, authenticated, service_role;
