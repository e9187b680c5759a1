// Removes images that no post has referred to for a day.
//   POST /remove-unused-images   for callers with the secret key
// The database says which ones (claim_unused_images) and lets no post refer to them from then on. Files
// are removed through Storage: deleting their rows would leave the bytes behind.
import { createClient } from "@supabase/supabase-js";
import { holdsSecretKey, readSecretKeys } from "../_shared/secret-key.ts";

/** At most what one call to Storage takes. */
const atOnce = 100;
/** One call must end before its caller's timeout; the next one goes on. */
const mostBatches = 20;

const secretKeys = readSecretKeys(
  Deno.env.get("SUPABASE_SECRET_KEYS"),
  Deno.env.get("SUPABASE_SERVICE_ROLE_KEY"),
);

Deno.serve(async (request) => {
  if (request.method !== "POST") {
    return Response.json({ error: "Use POST." }, { status: 405, headers: { Allow: "POST" } });
  }
  if (!holdsSecretKey(request.headers, secretKeys)) {
    return Response.json({ error: "This needs the secret key." }, { status: 401 });
  }
  try {
    return Response.json({ removed: await removeUnusedImages() });
  } catch (error) {
    console.error("remove-unused-images:", error);
    return Response.json({ error: "Unused images were not removed." }, { status: 500 });
  }
});

/** @returns how many files were removed. */
async function removeUnusedImages(): Promise<number> {
  const client = createClient(required("SUPABASE_URL"), secretKeys[0] ?? "", {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  let removed = 0;
  for (let batch = 0; batch < mostBatches; batch++) {
    const claimed = await client.rpc("claim_unused_images", { max_count: atOnce });
    if (claimed.error) throw claimed.error;
    const names: string[] = claimed.data;
    if (names.length === 0) break;
    const { data, error } = await client.storage.from("images").remove(names);
    if (error) throw error;
    // Otherwise the same names would be claimed again and again.
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
