// The built site and a backend in separate processes, as with a hosted project.
import { createClient } from "@supabase/supabase-js";
import { findRunning } from "embedded-supabase/postgres/server.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import type { Database } from "../app/supabase/database.ts";
import { ownerAccount } from "../tests/prepared-data-dir.ts";
import { startNewSite } from "../tests/start-site.ts";
import { usageOf } from "./process-usage.ts";

export type Backend = Awaited<ReturnType<typeof startBackend>>;

/** An embedded backend with the sample content. */
export async function startBackend() {
  const { url, dataDir, stop } = await startNewSite();
  const { publishableKey, secretKey, databasePassword } = loadSecrets(dataDir);
  const databaseUrl = findRunning(dataDir, databasePassword) ?? "";
  const client = createClient<Database>(url, publishableKey, { auth: { persistSession: false } });
  await client.auth.signInWithPassword(ownerAccount);
  const { data: siteKey } = await client.rpc("create_site_key").throwOnError();
  return { url, publishableKey, secretKey, siteKey, databaseUrl, stop };
}

/** The address of the same page that the page cache ignores, like all unusual spellings: each request is rendered. */
export function uncached(address: string): string {
  return address.replace(/\/?$/, "//");
}

/** @throws Error if the address does not respond from the page cache, or does although it should not */
export async function expectCached(address: string, isCached: boolean): Promise<void> {
  const { ok, headers } = await fetch(address);
  const status = headers.get("cache-status");
  if (!ok || isCached !== Boolean(status?.includes("hit"))) {
    throw new Error(`${address} measures something else: cache-status ${status}`);
  }
}

/** The site on that backend, with empty caches. `startTime` is in milliseconds, to its first response. */
export async function startMeasuredSite(backend: Backend) {
  const startedAt = performance.now();
  const { url, process, stop } = await startNewSite({
    SUPABASE_URL: backend.url,
    SUPABASE_ANON_KEY: backend.publishableKey,
    SITE_KEY: backend.siteKey,
  });
  const startTime = performance.now() - startedAt;
  return { url, startTime, ...usageOf(process), stop };
}
