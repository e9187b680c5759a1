import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../app/supabase/database.ts";

/** The ids of all stored reviews by `name`. */
export async function readReviewIds(
  client: SupabaseClient<Database>,
  name: string,
): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let offset = 0; ; offset += 1000) {
    const { data } = await client
      .from("testimonials")
      .select("id")
      .eq("name", name)
      .order("id")
      .range(offset, offset + 999)
      .throwOnError();
    for (const { id } of data) ids.add(id);
    if (data.length < 1000) return ids;
  }
}
