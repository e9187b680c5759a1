-- How often pages are visited, as sums per day. No address, user agent or identifier is stored. The site counts in
-- memory and adds the sums a few seconds later.

create table public.visit_counts (
  day date not null,
  kind text not null,
  key text not null,
  count integer not null,
  primary key (day, kind, key),
  constraint visit_counts_kind check (kind in ('page', 'referrer', 'calculator', 'action', 'start')),
  -- The longest key is the path of a post.
  constraint visit_counts_key check (char_length(key) between 1 and 700 and key ~ '^[!-~]+$'),
  constraint visit_counts_positive check (count > 0)
);
comment on table public.visit_counts is
  'Shown pages, referring hosts, used calculators, clicks that may lead to a talk, and starts of the site: one sum per day and key, kept for 180 days.';
comment on column public.visit_counts.day is 'In the time zone of the site.';
comment on column public.visit_counts.key is
  'A path, a host name (direct when there is none), the name of a calculator, what a click opens (book, phone or mail), or site.';

alter table public.visit_counts enable row level security;
revoke all on public.visit_counts from anon, authenticated;
grant select on public.visit_counts to authenticated;
grant all on public.visit_counts to service_role;

create policy "The owner reads visit counts" on public.visit_counts
  for select to authenticated using ((select private.may('manage the site')));

create function private.store_visits(day date, visits jsonb)
returns void
language sql
security definer
set search_path = ''
as $$
  insert into public.visit_counts as stored (day, kind, key, count)
    select store_visits.day, added.kind, added.key, added.count
      from jsonb_to_recordset(visits) as added (kind text, key text, count integer)
      -- Anyone can invent referring hosts. The most that a day and kind can have is this plus one request.
      where exists (
          select from public.visit_counts as known
            where known.day = store_visits.day and known.kind = added.kind and known.key = added.key
        )
        or (
          select count(*) from public.visit_counts as known
            where known.day = store_visits.day and known.kind = added.kind
        ) < 1000
      -- In one order, so that two processes that add at the same time cannot deadlock.
      order by added.kind, added.key
      limit 1000
  on conflict (day, kind, key) do update set count = stored.count + excluded.count;
  delete from public.visit_counts
    where visit_counts.day < current_date - 180 and not (select private.is_held());
$$;
comment on function private.store_visits(date, jsonb) is
  'Adds counts to a day, for at most 1,000 keys of a kind, and prunes counts that are older than 180 days, unless a hold is on.';

-- The counts are JSON as text, because the embedded backend passes a JSON array differently.
create function public.add_visits(site_key text, day date, visits text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.require_site(site_key);
  perform private.store_visits(day, visits::jsonb);
end;
$$;
comment on function public.add_visits(text, date, text) is
  'Adds the counts of a site on a hosted project; the site key only.';
grant execute on function public.add_visits(text, date, text) to anon, service_role;

create function public.visit_summary(day_count integer, time_zone text)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  today date := (now() at time zone time_zone)::date;
  length integer := least(greatest(day_count, 1), 90);
  first_day date := today - length + 1;
  day_before date := first_day - length;
  -- In the time zone, where a day can have 23 or 25 hours.
  since timestamptz := day_before::timestamp at time zone time_zone;
begin
  perform private.require_owner();
  return jsonb_build_object(
    'key_created_at', (select created_at from private.site_key),
    'began', (select min(day) from public.visit_counts),
    'days', (
      select jsonb_agg(
        jsonb_build_object(
          'day', days.day::date,
          'visits', coalesce(counts.visits, 0),
          'pages', coalesce(counts.pages, 0),
          'messages', coalesce(messages.count, 0),
          'testimonials', coalesce(testimonials.count, 0)
        )
        order by days.day
      )
      from generate_series(day_before::timestamp, today::timestamp, interval '1 day') as days (day)
      left join (
        select day, sum(count) filter (where kind = 'referrer') as visits,
            sum(count) filter (where kind = 'page') as pages
          from public.visit_counts where day >= day_before group by day
      ) as counts on counts.day = days.day::date
      left join (
        select (created_at at time zone time_zone)::date as day, count(*) as count
          from public.contact_messages where created_at >= since and spam_at is null group by 1
      ) as messages on messages.day = days.day::date
      left join (
        select (created_at at time zone time_zone)::date as day, count(*) as count
          from public.testimonials where created_at >= since group by 1
      ) as testimonials on testimonials.day = days.day::date
    ),
    'top', (
      with counted as (
        select kind, key, substring(key from '^/blog/([^/]+)$') as slug,
            coalesce(sum(count) filter (where day >= first_day), 0) as count,
            coalesce(sum(count) filter (where day < first_day), 0) as before
          from public.visit_counts
          where kind <> 'start' and day between day_before and today
          group by kind, key
      ),
      ranked as (
        select case when counted.slug is null then kind else 'post' end as kind,
            coalesce('/blog/' || post.slug, key) as key, post.title,
            sum(count) as count, sum(before) as before
          from counted
          -- A post has the counts of its former slugs too.
          left join public.posts as post on post.id = coalesce(
            (select id from public.posts where posts.slug = counted.slug),
            (select post_id from public.post_slugs where post_slugs.slug = counted.slug)
          )
          group by 1, 2, 3
          having sum(count) > 0
      )
      select coalesce(jsonb_agg(to_jsonb(ranked) - 'position' order by kind, position), '[]')
        from (
          select *, row_number() over (partition by kind order by count desc, key) as position
            from ranked
        ) as ranked
        where position <= 10
    )
  );
end;
$$;
comment on function public.visit_summary(integer, text) is
  'Counts of the last days, up to today in the time zone, and of as many days before: per day, and of the most frequent keys. Since when the site counts; owners only.';
grant execute on function public.visit_summary(integer, text) to authenticated;
