// A DATA_DIR after the first start, made once per test run: initdb, migrations, sample content and owner. Tests of
// anything but the first start copy it. Tests of the first start use an empty folder.
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import freePort from "get-port";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { startSite, stopSite } from "./start-site.ts";
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
  const folder = await createTemporaryFolder("prepared");
  const dataDir = join(folder, "data");
  const site = await startSite(await freePort(), {
    DATA_DIR: dataDir,
    OWNER_EMAIL: owner.email,
    OWNER_PASSWORD: owner.password,
  });
  await stopSite(site);
  project.provide("preparedDataDir", dataDir);
  return () => rm(folder, { recursive: true });
}

/** All copies have the same secrets, because the database knows its password. */
export async function copyPreparedDataDir(dataDir: string): Promise<void> {
  // `fs.cp` gives the copy to the current user, and under root PostgreSQL is another one.
  await promisify(execFile)("cp", ["-a", inject("preparedDataDir"), dataDir]);
}
