// The built site and a backend in separate processes, as with a hosted project.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import freePort from "get-port";
import { loadSecrets } from "../backend/secrets.ts";
import { startSite, stopSite } from "../tests/start-site.ts";
import { createTemporaryFolder } from "../tests/temporary-folder.ts";
import { type ProcessUsage, usageOf } from "./process-usage.ts";

export interface Backend {
  url: string;
  publishableKey: string;
  /** Bypasses every policy. */
  secretKey: string;
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
  const process = await startSite(port, {
    DATA_DIR: dataDir,
    OWNER_PASSWORD: "a-password-for-bench",
    RATE_LIMITS: "off",
  });
  const { publishableKey, secretKey } = loadSecrets(dataDir);
  return {
    url: `http://127.0.0.1:${port}`,
    publishableKey,
    secretKey,
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
