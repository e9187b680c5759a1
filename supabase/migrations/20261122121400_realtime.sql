-- What open pages and the site hear of changes. A hosted project has the publication and the schema `realtime` already.
do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end;
$$;

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
revoke execute on function public.table_states() from public;
grant execute on function public.table_states() to anon, authenticated, service_role;

-- Changes of tables that only accounts may read are broadcast in a private channel of each: that a row changed, and its key
-- when it is the only one.

create function private.broadcast_changes()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  changed_key text;
begin
  select case count(*) when 1 then min(coalesce(to_jsonb(changed) ->> 'id', to_jsonb(changed) ->> 'section')) end
    into changed_key from changed having count(*) > 0;
  if found then
    perform realtime.send(
      jsonb_build_object('id', changed_key), tg_op, 'realtime ' || tg_table_name, true
    );
  end if;
  return null;
exception when others then
  -- Losing the broadcast is better than losing the change.
  raise warning 'A change of % was not broadcast: %', tg_table_name, sqlerrm;
  return null;
end;
$$;

do $$
declare
  source text;
begin
  foreach source in array array['contact_messages', 'consent_withdrawals', 'site_settings_drafts'] loop
    execute format(
      'create trigger %1$s_broadcast_insert after insert on public.%1$s referencing new table as changed
         for each statement execute function private.broadcast_changes();
       create trigger %1$s_broadcast_update after update on public.%1$s referencing new table as changed
         for each statement execute function private.broadcast_changes();
       create trigger %1$s_broadcast_delete after delete on public.%1$s referencing old table as changed
         for each statement execute function private.broadcast_changes();',
      source
    );
  end loop;
end;
$$;

create policy "Accounts hear of the changes that they may read" on realtime.messages
  for select to authenticated using (
    extension = 'broadcast'
    and case (select realtime.topic())
      when 'realtime contact_messages' then (select private.may('handle messages'))
      when 'realtime consent_withdrawals'
        then (select private.may('handle messages')) or (select private.may('moderate testimonials'))
      when 'realtime site_settings_drafts' then (select private.may('manage the site'))
      else false
    end
  );
