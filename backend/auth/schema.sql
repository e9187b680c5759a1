-- Tables of the embedded Auth that its library does not have. Runs at every start.

create table if not exists auth.recovery_links (
  token_hash text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  sent_at timestamptz not null default now()
);
alter table auth.recovery_links
  add column if not exists lifetime interval not null default interval '1 hour';
comment on table auth.recovery_links is
  'Links that sign in to set a password, for a forgotten one or an invitation, and have not been used.';
create index if not exists recovery_links_user_id_idx on auth.recovery_links (user_id);

create table if not exists auth.email_changes (
  token_hash text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  new_email text not null,
  sent_at timestamptz not null default now()
);
comment on table auth.email_changes is
  'Links that confirm a new email address and have not been used. A link is valid for one hour.';
create index if not exists email_changes_user_id_idx on auth.email_changes (user_id);

create table if not exists auth.applied_settings (
  name text primary key,
  value text not null
);
comment on table auth.applied_settings is 'Settings as of the last start, to notice when one has changed.';
