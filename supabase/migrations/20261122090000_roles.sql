-- Roles of the accounts that manage the site. The owner may do everything, an editor writes posts and images,
-- an assistant handles messages and testimonials.

alter table private.owners rename to people;
alter table private.people
  add column role text not null default 'owner',
  add column name text,
  add constraint people_role check (role in ('owner', 'editor', 'assistant')),
  add constraint people_name_length check (char_length(btrim(name)) between 1 and 100);
alter table private.people alter column role drop default;
comment on table private.people is 'The accounts that manage the site, each with one role.';
comment on column private.people.name is 'Greeted and shown as the author of posts; null for the name of the adviser.';

create function public.my_role()
returns text
language sql
stable
security definer
set search_path = ''
as $$
  select role from private.people where user_id = (select auth.uid());
$$;
comment on function public.my_role() is
  'The role of the signed-in user: owner, editor or assistant; null for everyone else. Policies ask this.';
revoke execute on function public.my_role() from public;
grant execute on function public.my_role() to anon, authenticated, service_role;

create or replace function public.is_owner()
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
    select 1 from private.people where user_id = (select auth.uid()) and role = 'owner'
  );
$$;
comment on function public.is_owner() is 'Whether the signed-in user is an owner of this site.';

create or replace function public.make_owner(id uuid)
returns boolean
language sql
security definer
set search_path = ''
as $$
  with made as (
    insert into private.people as person (user_id, role) values (id, 'owner')
    on conflict (user_id) do update set role = 'owner' where person.role <> 'owner'
    returning true
  )
  select exists (select from made);
$$;

alter policy "The owner writes posts" on public.posts
  with check ((select public.my_role()) in ('owner', 'editor'));
alter policy "The owner edits posts" on public.posts
  using ((select public.my_role()) in ('owner', 'editor'))
  with check ((select public.my_role()) in ('owner', 'editor'));
alter policy "The owner deletes posts" on public.posts
  using ((select public.my_role()) in ('owner', 'editor'));
alter policy "The owner writes posts" on public.posts rename to "Owners and editors write posts";
alter policy "The owner edits posts" on public.posts rename to "Owners and editors edit posts";
alter policy "The owner deletes posts" on public.posts rename to "Owners and editors delete posts";

alter policy "The owner deletes testimonials" on public.testimonials
  using ((select public.my_role()) in ('owner', 'assistant'));
alter policy "The owner deletes testimonials" on public.testimonials
  rename to "Owners and assistants delete testimonials";

alter policy "The owner reads messages" on public.contact_messages
  using ((select public.my_role()) in ('owner', 'assistant'));
alter policy "The owner marks messages" on public.contact_messages
  using ((select public.my_role()) in ('owner', 'assistant'))
  with check ((select public.my_role()) in ('owner', 'assistant'));
alter policy "The owner deletes messages" on public.contact_messages
  using ((select public.my_role()) in ('owner', 'assistant'));
alter policy "The owner reads messages" on public.contact_messages
  rename to "Owners and assistants read messages";
alter policy "The owner marks messages" on public.contact_messages
  rename to "Owners and assistants mark messages";
alter policy "The owner deletes messages" on public.contact_messages
  rename to "Owners and assistants delete messages";

-- On a hosted project these policies can be created and dropped, but not renamed: the table is not ours.
drop policy "The owner lists images" on storage.objects;
drop policy "The owner uploads images" on storage.objects;
drop policy "The owner replaces images" on storage.objects;
drop policy "The owner removes images" on storage.objects;
create policy "Owners and editors list images" on storage.objects
  for select to authenticated
  using (bucket_id = 'images' and (select public.my_role()) in ('owner', 'editor'));
create policy "Owners and editors upload images" on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'images'
    and (storage.foldername(name))[1] = 'public'
    and (select public.my_role()) in ('owner', 'editor')
  );
create policy "Owners and editors replace images" on storage.objects
  for update to authenticated
  using (
    bucket_id = 'images'
    and (select public.my_role()) in ('owner', 'editor')
    and not private.is_image_used(name)
  )
  with check (
    bucket_id = 'images'
    and (storage.foldername(name))[1] = 'public'
    and (select public.my_role()) in ('owner', 'editor')
  );
create policy "Owners and editors remove images" on storage.objects
  for delete to authenticated
  using (
    bucket_id = 'images'
    and (select public.my_role()) in ('owner', 'editor')
    and not private.is_image_used(name)
  );
