// Removes images that nothing has referred to for a day, and images that were deleted 30 days ago.
//   POST /remove-unused-images   for callers with the secret key
// The database function claim_unused_images lists the unused ones and stops posts from referring to them. Files are
// removed through Storage: deleting their rows would leave the bytes behind.
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { holdsSecretKey, readSecretKeys } from "../_shared/secret-key.ts";

/** The maximum number of files per call to Storage. */
const batchSize = 100;
/** Limits a call, which must end before its caller's timeout. The next call continues. */
const maxBatches = 20;

const secretKeys = readSecretKeys(
  Deno.env.get("SUPABASE_SECRET_KEYS"),
  Deno.env.get("SUPABASE_SERVICE_ROLE_KEY"),
);

Deno.serve(async (request) => {
  if (request.method !== "POST") {
    return Response.json({ error: "Use POST." }, { status: 405, headers: { Allow: "POST" } });
  }
  if (!holdsSecretKey(request.headers, secretKeys)) {
    return Response.json({ error: "This needs the secret key." }, { status: 403 });
  }
  try {
    return Response.json({ removed: await removeImages() });
  } catch (error) {
    console.error("remove-unused-images:", error);
    return Response.json({ error: "Unused images were not removed." }, { status: 500 });
  }
});

/** @returns how many files were removed */
async function removeImages(): Promise<number> {
  const client = createClient(required("SUPABASE_URL"), secretKeys[0] ?? "", {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const unused = await removeListed(client, "claim_unused_images", "images");
  return unused + (await removeListed(client, "list_expired_images", "deleted-images"));
}

/** Removes from the bucket what the database function lists. @returns how many files were removed */
async function removeListed(
  client: SupabaseClient,
  list: "claim_unused_images" | "list_expired_images",
  bucket: string,
): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < maxBatches; batch++) {
    const listed = await client.rpc(list, { max_count: batchSize });
    if (listed.error) throw listed.error;
    const names: string[] = listed.data;
    if (names.length === 0) break;
    const { data, error } = await client.storage.from(bucket).remove(names);
    if (error) throw error;
    // If nothing was removed, the next batch would have the same names.
    if (data.length === 0) throw new Error(`Storage removed none of ${names.length} files`);
    removed += data.length;
  }
  return removed;
}

function required(name: string): string {
  const value = Deno.env.get(name);
  if (!value) throw new Error(`${name} is missing`);
  return value;
}
