-- Notifies realtime.ts of each changed row of a table in the publication that a hosted project uses as well.
-- Runs at every start after the migrations, so each statement is safe to repeat.
-- Covers: tables of the schema public with a primary key of one short column. Does not cover: tables that are added to
-- the publication while the site runs.

create or replace function realtime.notify_change() returns trigger
language plpgsql set search_path = '' as $$
declare
  changed record := case when tg_op = 'DELETE' then old else new end;
  key text;
begin
  execute format('select ($1).%I', tg_argv[0]) into key using changed;
  perform pg_notify('realtime', json_build_object(
    'table', tg_table_name, 'type', tg_op, 'column', tg_argv[0], 'value', key
  )::text);
  return null;
end;
$$;

do $$
declare
  published record;
begin
  for published in
    select class.oid, class.relname, attribute.attname as key
    from pg_publication_tables as tables
    join pg_class as class on class.oid = format('public.%I', tables.tablename)::regclass
    join pg_index as index
      on index.indrelid = class.oid and index.indisprimary and index.indnkeyatts = 1
    join pg_attribute as attribute
      on attribute.attrelid = class.oid and attribute.attnum = index.indkey[0]
    where tables.pubname = 'supabase_realtime' and tables.schemaname = 'public'
      and not exists (
        select from pg_trigger where tgrelid = class.oid and tgname = 'notify_change'
      )
  loop
    execute format(
      'create trigger notify_change after insert or update or delete on public.%I
         for each row execute function realtime.notify_change(%L)',
      published.relname, published.key
    );
  end loop;
end;
$$;
