-- The hold: while a lawsuit or an examination is expected, nothing is deleted because of its age. Whatever deletes by age asks here.

create function private.is_held()
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return private.setting('site', 'hold') is not distinct from 'true'::jsonb;
end;
$$;
comment on function private.is_held() is
  'The setting site.hold: no job deletes anything by age, and no personal data is erased. Expired sessions, tokens and counts of requests are deleted nevertheless.';
