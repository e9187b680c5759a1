/** The tables that visitors' pages show and Realtime reports (public.table_states has them, too), with their keys. */
export const watchedTables = {
  posts: "id",
  testimonials: "id",
  public_site_settings: "section",
} as const;
