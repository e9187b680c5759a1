-- What a project consists of. `npm run check-live` compares it with a new database that has the same migrations.

create function public.project_facts()
returns table (kind text, name text, state text)
language plpgsql
stable
security definer
set search_path = ''
as $$
#variable_conflict use_column
begin
  return query
    -- The CLI stores the statements of a migration without their semicolons.
    select 'Migrations', concat_ws('_', version, name), md5(translate(array_to_string(statements, ''), E'; \t\r\n', ''))
      from supabase_migrations.schema_migrations
    union all
    select 'Tables of Realtime', tablename::text, schemaname::text
      from pg_catalog.pg_publication_tables where pubname = 'supabase_realtime'
    union all
    select 'Buckets', id, concat_ws(' ', public, file_size_limit, allowed_mime_types) from storage.buckets
    union all
    select 'Tables', oid::regclass::text, relrowsecurity::text
      from pg_catalog.pg_class
      where relkind = 'r' and relnamespace in ('public'::regnamespace, 'private'::regnamespace)
    union all
    select 'Policies', format('%s on %s.%s', policyname, schemaname, tablename),
        concat_ws(' ', permissive, cmd, roles, qual, 'check', with_check)
      from pg_catalog.pg_policies where schemaname in ('public', 'private', 'auth', 'storage', 'realtime')
    union all
    select 'Functions', oid::regprocedure::text, md5(concat(prosrc, prosecdef, proconfig))
      from pg_catalog.pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace);
  if to_regclass('cron.job') is not null then
    return query
      select 'Jobs', jobname::text,
          case (
            select status from cron.job_run_details as run
              where run.jobid = job.jobid order by runid desc limit 1
          ) when 'failed' then 'failed' else concat_ws(' ', schedule, command) end
        from cron.job where active;
  end if;
  if to_regclass('vault.decrypted_secrets') is not null then
    return query
      select 'Secrets of the Vault', name,
          case name when 'project_url' then rtrim(decrypted_secret, '/') else '' end
        from vault.decrypted_secrets where name in ('project_url', 'secret_key');
  end if;
end;
$$;
comment on function public.project_facts() is
  'What migrations and the set-up make, with a state to compare. For the secret key alone; shows no secret.';
grant execute on function public.project_facts() to service_role;
