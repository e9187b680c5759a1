// Removes images and PDFs that nothing has referred to for a day, and those that were deleted 30 days ago.
//   POST /remove-unused-images   for callers with the secret key
// The database function claim_unused_images lists the unused ones and stops posts from referring to them. Files are
// removed through Storage: deleting their rows would leave the bytes behind.
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { holdsSecretKey, readSecretKeys } from "../_shared/secret-key.ts";
import { withoutSession } from "../_shared/without-session.ts";

/** Per bucket: the call must end before its caller's timeout, and the next call continues. */
const maxFiles = 1000;
/** Files in one call to Storage. */
const batchSize = 100;

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
    auth: withoutSession,
  });
  const unused = await list(client, "claim_unused_images");
  const isPdf = (name: string) => name.startsWith("files/");
  const isImage = (name: string) => !isPdf(name);
  return (
    (await remove(client, "files", unused.filter(isPdf))) +
    (await remove(client, "images", unused.filter(isImage))) +
    (await remove(client, "deleted-images", await list(client, "list_expired_images")))
  );
}

async function list(
  client: SupabaseClient,
  name: "claim_unused_images" | "list_expired_images",
): Promise<string[]> {
  const { data, error } = await client.rpc(name, { max_count: maxFiles });
  if (error) throw error;
  return data;
}

/** @returns how many files were removed */
async function remove(client: SupabaseClient, bucket: string, names: string[]): Promise<number> {
  let removed = 0;
  for (let start = 0; start < names.length; start += batchSize) {
    const batch = names.slice(start, start + batchSize);
    const { data, error } = await client.storage.from(bucket).remove(batch);
    if (error) throw error;
    if (data.length === 0) {
      console.error(`remove-unused-images: Storage removed none of ${batch.length} files`, batch);
    }
    removed += data.length;
  }
  return removed;
}

function required(name: string): string {
  const value = Deno.env.get(name);
  if (!value) throw new Error(`${name} is missing`);
  return value;
}
