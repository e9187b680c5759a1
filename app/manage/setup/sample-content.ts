import type { Client } from "../../supabase/client-context.ts";

/** Removes the sample posts, testimonials and images. @throws the backend's error */
export async function removeSamples(_client: Client): Promise<void> {
  throw new Error("Sample content cannot be removed here yet. Delete it in the blog.");
}
