-- Tables of the embedded Auth that its library does not have. Runs at every start.

create table if not exists auth.recovery_links (
  token_hash text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  sent_at timestamptz not null default now()
);
comment on table auth.recovery_links is
  'Links for a new password that have not been used. A link is valid for one hour.';
create index if not exists recovery_links_user_id_idx on auth.recovery_links (user_id);
