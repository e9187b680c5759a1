-- Who may write. The owner is a row here, never a claim in a token that its bearer could edit.
-- The schema is not exposed by the API: only the functions below read or write it.

create schema if not exists private;
revoke all on schema private from public;

create table private.owners (
  user_id uuid primary key references auth.users (id) on delete cascade,
  created_at timestamptz not null default now()
);
comment on table private.owners is 'The accounts that may manage posts, images, testimonials and messages.';
alter table private.owners enable row level security;

create function public.is_owner()
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
    select 1 from private.owners where user_id = (select auth.uid())
  );
$$;
comment on function public.is_owner() is 'Whether the signed-in user owns this site. Every policy asks this.';

create function public.make_owner(id uuid)
returns boolean
language sql
security definer
set search_path = ''
as $$
  with added as (
    insert into private.owners (user_id) values (id) on conflict do nothing returning true
  )
  select exists (select from added);
$$;
comment on function public.make_owner(uuid) is
  'Promotes an account to owner; the secret key only. Safe to repeat: answers whether it was none before.';

revoke execute on function public.is_owner() from public;
revoke execute on function public.make_owner(uuid) from public, anon, authenticated;
grant execute on function public.is_owner() to anon, authenticated, service_role;
grant execute on function public.make_owner(uuid) to service_role;
