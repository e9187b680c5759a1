// A DATA_DIR after the first start, made once per test run: initdb, migrations, sample content and owner. Tests of the
// first start use an empty folder; all other tests copy this one.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { hashPassword } from "embedded-supabase/auth/passwords.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** Workers inherit it from the process that prepares the folder. */
const variable = "PREPARED_DATA_DIR";

/** The owner of the prepared folder. */
export const ownerAccount = { email: "owner@example.com", password: "a-password-for-tests" };

/** A hash of the lowest cost: sign-ins would take a good part of the time of the tests. */
export function hashForTests(password: string): Promise<string> {
  return hashPassword(password, 4);
}

/** Vitest and Playwright call it before the first file (vitest.config.ts, playwright.config.ts). */
export default async function prepare(): Promise<() => Promise<void>> {
  if (!existsSync(join(import.meta.dirname, "../build"))) {
    throw new Error("These tests need the built site: npm run build");
  }
  const folder = await createTemporaryFolder("prepared");
  const dataDir = join(folder, "data");
  // Imported here, because the workers only copy the folder.
  const { startBackend } = await import("../server/embedded/start.ts");
  const backend = await startBackend({
    ...{ dataDir, siteUrl: "http://127.0.0.1", rateLimits: true },
    ...{ ownerEmail: ownerAccount.email, ownerPassword: ownerAccount.password },
    mail: { smtpUrl: undefined, resendApiKey: undefined, environment: {} },
    visitorAddress: () => null,
    onStep: () => {},
  });
  const hash = await hashForTests(ownerAccount.password);
  await backend.sql`update auth.users set encrypted_password = ${hash}`;
  await backend.stop();
  // Nothing here has to survive a power failure.
  await appendFile(join(dataDir, "postgres/postgresql.conf"), "\nfsync = off\n");
  process.env[variable] = dataDir;
  return () => rm(folder, { recursive: true });
}

/**
 * All copies have the same secrets, because the database stores the password. Without a prepared folder, as in a
 * measurement, the first start makes a new one.
 * @param options.database if false, the copy has no database
 */
export async function copyPreparedDataDir(
  dataDir: string,
  { database = true }: { database?: boolean } = {},
): Promise<void> {
  const prepared = process.env[variable];
  if (!prepared) return;
  const names = (await readdir(prepared)).filter((name) => database || name !== "postgres");
  await mkdir(dataDir);
  // `fs.cp` would give the copy to the current user; under root, PostgreSQL runs as another one.
  await promisify(execFile)("cp", ["-a", ...names.map((name) => join(prepared, name)), dataDir]);
}
