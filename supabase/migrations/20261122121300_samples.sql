-- The sample posts and testimonials of supabase/seed.sql: where they show, and their removal in one step.

create table private.local_site (
  is_only boolean primary key default true,
  constraint local_site_is_only check (is_only)
);
comment on table private.local_site is
  'A row while the site has no public address. Written by the embedded backend at its start; a hosted project has none.';
alter table private.local_site enable row level security;

create policy "Samples show where they mislead no client" on public.posts
  as restrictive for select to anon, authenticated
  using (not is_sample or private.is_shown(posts));

create function public.sample_content()
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  perform private.require_owner();
  return jsonb_build_object(
    'posts', (select count(*) from public.posts where is_sample),
    -- The site writes updated_at with every edit; the seed gave both times the same value.
    'edited_posts', (select count(*) from public.posts where is_sample and updated_at <> created_at),
    'testimonials', (select count(*) from public.testimonials where is_sample),
    -- Null when the section was never published.
    'shows_samples', private.setting('testimonials', 'samples')
  );
end;
$$;
comment on function public.sample_content() is 'How much sample content is stored. Owners only.';
grant execute on function public.sample_content() to authenticated;

create function public.remove_sample_content(
  include_edited boolean,
  shows_samples boolean,
  shown_lead text,
  keep_posts boolean
)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  published jsonb;
  adviser text := coalesce(private.setting('adviser', 'name') #>> '{}', '');
  post uuid;
begin
  perform private.require_owner();
  for post in
    delete from public.posts where is_sample and (include_edited or updated_at = created_at) returning id
  loop
    if keep_posts and public.restore((private.newest_version('post', post::text)).number, null) is not null then
      update public.drafts set document = document || jsonb_build_object('author', adviser)
        where kind = 'post' and thing = post::text;
    end if;
  end loop;
  delete from public.testimonials where is_sample;

  select document into published from public.site_settings where section = 'testimonials';
  if coalesce((published ->> 'samples')::boolean, shows_samples) then
    perform private.publish_document(
      'testimonials',
      coalesce(published, jsonb_build_object('lead', shown_lead)) || '{"samples": false}'
    );
    -- A draft must not bring the samples back.
    update public.drafts as draft
      set document = draft.document || '{"samples": false}', base = settings.version, saved_at = default
      from public.site_settings as settings
      where draft.kind = 'section' and draft.thing = 'testimonials' and settings.section = draft.thing;
  end if;
  return public.sample_content();
end;
$$;
comment on function public.remove_sample_content(boolean, boolean, text, boolean) is
  'Deletes the sample posts and testimonials and switches the five samples off. The posts can be restored for 30 days like any other; with keep_posts, they are drafts of the adviser''s own at once. shows_samples and shown_lead are what the site shows when the section testimonials was never published. Owners only.';
grant execute on function public.remove_sample_content(boolean, boolean, text, boolean) to authenticated;
