create table public.contact_messages (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null,
  phone text,
  message text not null,
  status text not null default 'stored',
  sent_at timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  constraint contact_messages_name_length check (char_length(btrim(name)) between 2 and 200),
  constraint contact_messages_email_length check (char_length(email) between 3 and 320),
  constraint contact_messages_phone_length check (char_length(phone) <= 60),
  constraint contact_messages_message_length check (
    char_length(btrim(message)) between 10 and 10000
  ),
  constraint contact_messages_status check (status in ('stored', 'sent', 'failed'))
);
comment on table public.contact_messages is
  'What visitors sent through the contact forms. Written by the send-email function alone.';

create index contact_messages_newest_first on public.contact_messages (created_at desc, id);

alter table public.contact_messages enable row level security;

revoke all on public.contact_messages from anon, authenticated;
grant select on public.contact_messages to authenticated;
grant all on public.contact_messages to service_role;

create policy "The owner reads messages" on public.contact_messages
  for select to authenticated using ((select public.is_owner()));
