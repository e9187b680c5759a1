-- An invited person has joined when the account has a password, not when the link of the invitation was used.

create or replace function public.list_people()
returns table (
  id uuid,
  email text,
  name text,
  role text,
  created_at timestamptz,
  last_sign_in_at timestamptz,
  is_invited boolean
)
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  perform private.require_owner();
  return query
    select person.user_id, account.email::text, person.name, person.role, person.created_at,
           account.last_sign_in_at,
           account.invited_at is not null and coalesce(account.encrypted_password, '') = ''
      from private.people as person
      join auth.users as account on account.id = person.user_id
      order by person.created_at, person.user_id;
end;
$$;
comment on function public.list_people() is
  'Everyone with a role, for owners. is_invited: has accepted no invitation, so the account has no password yet.';
