-- Rules for all tables and functions that the migrations before this one create.

-- Every column with a time has the same CHECK: JavaScript and the pages cannot show infinity or years before Christ. A
-- migration that adds such a column adds this CHECK, too.
do $$
declare
  found record;
begin
  for found in
    select attrelid::regclass as in_table, attname as name, relname || '_' || attname || '_years' as rule
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace in ('public'::regnamespace, 'private'::regnamespace) and relkind = 'r'
        and atttypid in ('timestamptz'::regtype, 'date'::regtype) and attnum > 0 and not attisdropped
  loop
    execute format(
      'alter table %s add constraint %I check (%I between %L and %L)',
      found.in_table, found.rule, found.name, '2000-01-01 00:00Z', '2200-01-01 00:00Z'
    );
  end loop;
end;
$$;
