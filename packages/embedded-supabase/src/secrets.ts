// The keys and passwords of one installation: random, created once, stored in DATA_DIR with mode 0600.
// Covers: creating, reading, restoring from a backup. Does not cover: rotation.
import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { codeOf, StartError } from "./errors.ts";

const secretsSchema = z.object({
  databasePassword: z.string().min(20),
  jwtSecret: z.string().min(40),
  /** The publishable key, which every page contains. */
  publishableKey: z.string().startsWith("sb_publishable_"),
  /** The secret key, which bypasses row-level security. Only the functions get it. */
  secretKey: z.string().startsWith("sb_secret_"),
});
export type Secrets = z.infer<typeof secretsSchema>;

const FILE = "secrets.json";

/**
 * Reads the secrets of the installation, or creates them at the first start.
 * @param options.create if false, missing secrets are an error
 */
export function loadSecrets(dataDir: string, { create = true } = {}): Secrets {
  const file = join(dataDir, FILE);
  try {
    return secretsSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") {
      throw new StartError(
        `${file} is damaged: restore it from a backup; it holds the database password`,
      );
    }
    if (!create) throw new StartError(`There is no site in ${dataDir}: ${file} is missing`);
  }
  const secrets: Secrets = {
    databasePassword: random(24),
    jwtSecret: random(48),
    publishableKey: `sb_publishable_${random(24)}`,
    secretKey: `sb_secret_${random(24)}`,
  };
  write(file, secrets);
  return secrets;
}

/** Stores the keys of a backup with a new database password, so that existing sessions and pages stay valid. */
export function adoptKeys(dataDir: string, json: string): void {
  const keys = secretsSchema.omit({ databasePassword: true }).parse(JSON.parse(json));
  write(join(dataDir, FILE), { databasePassword: random(24), ...keys });
}

/** Writes the file atomically: a partly written one would lock the owner out of the database. */
function write(file: string, secrets: Secrets): void {
  writeFileSync(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

function random(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}
