-- The schedules of a hosted project. The embedded backend has timers of its own.

create function private.call_function(path text, timeout_milliseconds integer)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  project_url text;
  secret_key text;
begin
  if to_regclass('vault.decrypted_secrets') is null or to_regproc('net.http_post') is null then
    return;
  end if;
  select decrypted_secret into project_url
    from vault.decrypted_secrets where name = 'project_url';
  select decrypted_secret into secret_key
    from vault.decrypted_secrets where name = 'secret_key';
  if project_url is null or secret_key is null then
    return;
  end if;
  perform net.http_post(
    url := rtrim(project_url, '/') || '/functions/v1/' || path,
    headers := jsonb_build_object('Content-Type', 'application/json', 'apikey', secret_key),
    body := '{}'::jsonb,
    timeout_milliseconds := call_function.timeout_milliseconds
  );
end;
$$;
comment on function private.call_function(text, integer) is
  'Calls an edge function with the secret key. Does nothing until the Vault holds project_url and secret_key (docs/operations.md).';

create function private.request_mail_delivery()
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if private.is_mail_due() then
    perform private.call_function('send-email/deliver', 10000);
  end if;
end;
$$;
comment on function private.request_mail_delivery() is
  'Calls send-email when a mail is due. Run by pg_cron every minute; without it, the next message of a visitor does.';

create function private.request_image_removal()
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if private.note_unused_images() then
    perform private.call_function('remove-unused-images', 60000);
  end if;
end;
$$;
comment on function private.request_image_removal() is
  'Calls remove-unused-images when images have been unused for a day. Run by pg_cron every hour.';

-- A project may forbid an extension. A migration that fails here would block every later one.
do $$
begin
  create extension if not exists pg_cron with schema pg_catalog;
  create extension if not exists pg_net;
  create extension if not exists supabase_vault with schema vault;
exception when others then
  raise notice 'Not all extensions for scheduled jobs are available: %', sqlerrm;
end;
$$;

create function private.scheduled_jobs()
returns table (name text, schedule text, command text)
language sql
immutable
set search_path = ''
as $$
  values
    ('deliver-mails', '* * * * *', 'select private.request_mail_delivery()'),
    ('publish-due', '* * * * *', 'select private.publish_due()'),
    ('remove-unused-images', '17 * * * *', 'select private.request_image_removal()'),
    ('remove-deleted-messages', '43 * * * *', 'select private.remove_deleted_messages()'),
    ('warn-owners', '37 * * * *', $job$select private.warn_owners('{}')$job$),
    ('remove-old-mails', '47 * * * *', 'select private.remove_old_mails()'),
    ('finish-erasures', '13 4 * * *', 'select private.finish_erasures()'),
    ('delete-expired-files', '23 4 * * *', 'select private.delete_expired_files()'),
    -- pg_cron keeps a row for each run of a job.
    ('remove-old-runs', '29 3 * * *', $job$delete from cron.job_run_details where end_time < now() - interval '7 days'$job$);
$$;
comment on function private.scheduled_jobs() is 'The jobs that pg_cron runs.';

create function private.schedule_jobs()
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform cron.schedule(name, schedule, command) from private.scheduled_jobs();
end;
$$;
comment on function private.schedule_jobs() is 'Schedules every job. Safe to repeat; run it by hand when pg_cron came later.';

do $$
begin
  perform private.schedule_jobs();
exception when others then
  raise notice 'The jobs are not scheduled: %', sqlerrm;
end;
$$;
