-- The owner's inbox: what was read, what was answered, and what can go.

alter table public.contact_messages
  add column read_at timestamptz,
  add column answered_at timestamptz;
comment on column public.contact_messages.read_at is 'When the owner opened the message.';
comment on column public.contact_messages.answered_at is 'When the owner marked the message as answered.';

create index contact_messages_unread on public.contact_messages (id) where read_at is null;

-- By column: what a visitor wrote, and how far its delivery got, is nobody's to change.
grant update (read_at, answered_at) on public.contact_messages to authenticated;
grant delete on public.contact_messages to authenticated;

create policy "The owner marks messages" on public.contact_messages
  for update to authenticated
  using ((select public.is_owner())) with check ((select public.is_owner()));
create policy "The owner deletes messages" on public.contact_messages
  for delete to authenticated using ((select public.is_owner()));

-- Realtime sends a row to those alone who may select it: the owner. A deletion carries its id only.
alter publication supabase_realtime add table public.contact_messages;
