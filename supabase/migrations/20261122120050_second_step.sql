-- The second step of a sign-in. Auth has the authenticator apps (auth.mfa_factors), and private.user_id() asks for a session that
-- proved one.

create function private.remove_factors(account uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from private.recovery_codes where user_id = account;
  delete from auth.mfa_factors where user_id = account;
  return found;
end;
$$;
comment on function private.remove_factors(uuid) is
  'Turns off the two-step sign-in of an account; false when it was off.';

create function public.remove_second_step(id uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  was_on boolean := private.remove_factors(remove_second_step.id);
begin
  perform public.end_sessions(remove_second_step.id);
  return was_on;
end;
$$;
comment on function public.remove_second_step(uuid) is
  'Turns off the two-step sign-in of an account and ends its sessions, the secret key only; false when it was off.';
grant execute on function public.remove_second_step(uuid) to service_role;
