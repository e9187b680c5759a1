-- What open pages and the site hear of changes.

-- Anyone with the public key hears that a row of these tables was written, even a hidden one that is deleted. So tables
-- that only accounts may read are not among them.
alter publication supabase_realtime
  add table public.posts, public.testimonials, public.public_site_settings;

create function public.table_states()
returns jsonb
language sql
stable
set search_path = ''
as $$
  -- xmin is the transaction that wrote this version of a row.
  select jsonb_build_object(
    'posts', (
      select concat(count(*), ' ', bit_xor(hashtextextended(concat(id, ' ', xmin), 0))) from public.posts
    ),
    'testimonials', (
      select concat(count(*), ' ', bit_xor(hashtextextended(concat(id, ' ', xmin), 0)))
        from public.testimonials
    ),
    'public_site_settings', (
      select concat(count(*), ' ', bit_xor(hashtextextended(concat(section, ' ', xmin), 0)))
        from public.public_site_settings
    )
  );
$$;
comment on function public.table_states() is
  'A text for each table in the publication, which changes with every row that the caller may read. Realtime can lose changes without a message; whoever listens compares these.';
grant execute on function public.table_states() to anon, authenticated, service_role;

-- Changes of tables that only accounts may read are broadcast in private channels: that a row changed, and its key when it
-- is the only one. Small tables that one list shows together share a channel. Of versions, only those without a change of
-- another table are broadcast.

create function private.broadcast_changes()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform realtime.send(jsonb_build_object('id', changes.key), tg_op, 'realtime ' || channel, true)
    from (
      select case row ->> 'kind' when 'section' then 'section_drafts' else tg_argv[0] end as channel,
          case count(*) when 1 then min(coalesce(row ->> 'id', row ->> 'thing')) end as key
        from changed, to_jsonb(changed) as row
        where tg_table_name <> 'versions'
          -- Realtime reports posts themselves, and what pages show of the settings.
          or row ->> 'kind' = 'page'
          or row ->> 'kind' <> 'testimonial' and row ->> 'event' in ('submitted', 'approved', 'returned')
        group by 1
    ) as changes;
  return null;
exception when others then
  -- Losing the broadcast is better than losing the change.
  raise warning 'A change of % was not broadcast: %', tg_table_name, sqlerrm;
  return null;
end;
$$;

do $$
declare
  source record;
begin
  for source in
    select * from (values
      ('public.contact_messages', 'contact_messages'),
      ('public.consent_withdrawals', 'consent_withdrawals'),
      ('public.testimonial_requests', 'testimonial_requests'),
      ('public.drafts', 'drafts'),
      ('public.schedules', 'content_states'),
      ('public.previews', 'content_states'),
      ('private.people', 'people')
    ) as broadcast (changed_table, channel)
  loop
    execute format(
      'create trigger broadcast_insert after insert on %1$s referencing new table as changed
         for each statement execute function private.broadcast_changes(%2$L);
       create trigger broadcast_update after update on %1$s referencing new table as changed
         for each statement execute function private.broadcast_changes(%2$L);
       create trigger broadcast_delete after delete on %1$s referencing old table as changed
         for each statement execute function private.broadcast_changes(%2$L);',
      source.changed_table, source.channel
    );
  end loop;
end;
$$;
create trigger broadcast_insert after insert on public.versions referencing new table as changed
  for each statement execute function private.broadcast_changes('content_states');

create policy "Accounts hear of the changes that they may read" on realtime.messages
  for select to authenticated using (
    extension = 'broadcast'
    and case (select realtime.topic())
      when 'realtime contact_messages' then (select private.may('handle messages'))
      when 'realtime consent_withdrawals'
        then (select private.may('handle messages')) or (select private.may('moderate testimonials'))
      when 'realtime section_drafts' then (select private.may('manage the site'))
      when 'realtime testimonial_requests' then (select private.may('moderate testimonials'))
      when 'realtime drafts' then (select private.may('write posts'))
      when 'realtime content_states' then (select private.may('write posts'))
      -- Everyone sees a new name of their own.
      when 'realtime people' then (select public.my_role()) is not null
      else false
    end
  );
