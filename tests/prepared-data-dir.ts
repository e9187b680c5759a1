// A DATA_DIR after the first start, made once per test run: initdb, migrations, sample content and owner. Tests of the
// first start use an empty folder; all other tests copy this one.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startBackend } from "embedded-supabase/start.ts";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { createTemporaryFolder } from "./temporary-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    preparedDataDir: string;
  }
}

/** The owner of the prepared folder. */
export const owner = { email: "owner@example.com", password: "a-password-for-tests" };

/** Vitest calls it before the first file of the project (vitest.config.ts). */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  if (!existsSync(join(import.meta.dirname, "../build"))) {
    throw new Error("These tests need the built site: npm run build");
  }
  const folder = await createTemporaryFolder("prepared");
  const dataDir = join(folder, "data");
  const backend = await startBackend({
    ...{ dataDir, siteUrl: "http://127.0.0.1", rateLimits: true },
    ...{ ownerEmail: owner.email, ownerPassword: owner.password },
    mail: { smtpUrl: undefined, resendApiKey: undefined, environment: {} },
    visitorAddress: () => null,
    onStep: () => {},
  });
  await backend.stop();
  // Nothing here has to survive a power failure.
  await appendFile(join(dataDir, "postgres/postgresql.conf"), "\nfsync = off\n");
  project.provide("preparedDataDir", dataDir);
  return () => rm(folder, { recursive: true });
}

/** All copies have the same secrets, because the database stores the password. */
export async function copyPreparedDataDir(dataDir: string): Promise<void> {
  // `fs.cp` would give the copy to the current user; under root, PostgreSQL runs as another one.
  await promisify(execFile)("cp", ["-a", inject("preparedDataDir"), dataDir]);
}
