-- A picture is on the web or on the site itself: never a script or data address. Rows from before stay as
-- they are; the site shows no other address either.
alter table public.posts
  add constraint posts_image_url_scheme check (image_url ~* '^(https?://[^/]|/[^/\\])') not valid;
