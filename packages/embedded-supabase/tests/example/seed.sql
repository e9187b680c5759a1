insert into public.notes (author, text) values (gen_random_uuid(), 'Of somebody else');
