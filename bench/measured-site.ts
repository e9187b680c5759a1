// The built site and a backend in separate processes, as with a hosted project.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import freePort from "get-port";
import type { Database } from "../app/supabase/database.ts";
import { loadSecrets } from "../backend/secrets.ts";
import { startSite, stopSite } from "../tests/start-site.ts";
import { createTemporaryFolder } from "../tests/temporary-folder.ts";
import { type ProcessUsage, usageOf } from "./process-usage.ts";

export interface Backend {
  url: string;
  publishableKey: string;
  /** Bypasses every policy. */
  secretKey: string;
  /** Lets a site add its visit counts. */
  visitsKey: string;
  stop(): Promise<void>;
}

export interface MeasuredSite extends ProcessUsage {
  url: string;
  /** Milliseconds from the start of the process to its first response. */
  startTime: number;
  stop(): Promise<void>;
}

/** An embedded backend with the sample content, in a temporary folder. */
export async function startBackend(): Promise<Backend> {
  const folder = await createTemporaryFolder("bench");
  const dataDir = join(folder, "data");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const owner = { email: "owner@example.com", password: "a-password-for-bench" };
  const process = await startSite(port, {
    DATA_DIR: dataDir,
    OWNER_EMAIL: owner.email,
    OWNER_PASSWORD: owner.password,
    RATE_LIMITS: "off",
  });
  const { publishableKey, secretKey } = loadSecrets(dataDir);
  const client = createClient<Database>(url, publishableKey, { auth: { persistSession: false } });
  await client.auth.signInWithPassword(owner);
  const { data: visitsKey } = await client.rpc("create_visits_key").throwOnError();
  return {
    url,
    publishableKey,
    secretKey,
    visitsKey,
    async stop() {
      await stopSite(process);
      await rm(folder, { recursive: true });
    },
  };
}

/** The site on that backend, with empty caches. */
export async function startMeasuredSite(backend: Backend): Promise<MeasuredSite> {
  const folder = await mkdtemp(join(tmpdir(), "bench-site-"));
  const port = await freePort();
  const startedAt = performance.now();
  const process = await startSite(port, {
    SUPABASE_URL: backend.url,
    SUPABASE_ANON_KEY: backend.publishableKey,
    VISITS_KEY: backend.visitsKey,
    DATA_DIR: folder,
    RATE_LIMITS: "off",
  });
  return {
    url: `http://127.0.0.1:${port}`,
    startTime: performance.now() - startedAt,
    ...usageOf(process),
    async stop() {
      await stopSite(process);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
