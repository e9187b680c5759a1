import { createClient } from "@supabase/supabase-js";
import { loadSecrets } from "../../backend/secrets.ts";
import type { Keys } from "./requests.ts";

/** The keys of a running site with the test owner. */
export async function readKeys(port: number, dataDir: string): Promise<Keys> {
  const { publishableKey, secretKey } = loadSecrets(dataDir);
  const client = createClient(`http://127.0.0.1:${port}`, publishableKey, {
    auth: { persistSession: false },
  });
  const { data, error } = await client.auth.signInWithPassword({
    email: "owner@example.com",
    password: "a-password-for-tests",
  });
  if (error) throw error;
  return { anonKey: publishableKey, secretKey, ownerToken: data.session.access_token };
}
