-- The tables whose changes Realtime sends. A hosted project has the publication already.
do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end;
$$;

alter publication supabase_realtime
  add table public.posts, public.testimonials, public.contact_messages, public.public_site_settings;
