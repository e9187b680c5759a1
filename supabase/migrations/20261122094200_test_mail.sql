-- An owner may ask for a test mail, a few times in ten minutes.

create table private.test_mails (
  asked_at timestamptz not null default clock_timestamp()
);
comment on table private.test_mails is 'When owners asked for a test mail in the last ten minutes.';
alter table private.test_mails enable row level security;

create function public.claim_test_mail()
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  oldest timestamptz;
begin
  perform private.require_owner();
  perform pg_advisory_xact_lock(hashtext('test_mails'));
  delete from private.test_mails where asked_at <= clock_timestamp() - interval '10 minutes';
  if (select count(*) from private.test_mails) >= 5 then
    select min(asked_at) into oldest from private.test_mails;
    return jsonb_build_object(
      'seconds', ceil(extract(epoch from oldest + interval '10 minutes' - clock_timestamp()))
    );
  end if;
  insert into private.test_mails default values;
  return jsonb_build_object(
    'seconds', 0,
    'recipients', coalesce(private.setting('mail', 'recipients'), '[]'),
    'sender', coalesce(private.setting('mail', 'sender') #>> '{}', '')
  );
end;
$$;
comment on function public.claim_test_mail() is
  'Counts a test mail and returns its recipients, or returns the seconds until the next is allowed. Owners only.';
revoke execute on function public.claim_test_mail() from public, anon;
grant execute on function public.claim_test_mail() to authenticated;
