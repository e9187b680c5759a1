// Encrypts secrets that the owner entered, with a key in a file of DATA_DIR, which no backup contains.
import { hkdfSync, randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decryptWith, encryptWith } from "../../supabase/functions/_shared/encrypted-secret.ts";

/** Of 32 bytes in base64. */
const keyLength = 44;

/** @param purpose which secret it is: that of another purpose cannot be put in its place */
export function encryptSecret(dataDir: string, purpose: string, secret: string): string {
  return encryptWith(keyOf(dataDir, purpose), secret);
}

/** @returns null when it was encrypted with another key, as on another machine */
export function decryptSecret(dataDir: string, purpose: string, stored: string): string | null {
  return decryptWith(keyOf(dataDir, purpose), stored);
}

/** The key for the secrets of one purpose alone. */
export function keyOf(dataDir: string, purpose: string): Buffer {
  const file = join(dataDir, "settings.key");
  // A file that a crash left empty would be a key that anybody knows.
  if (!existsSync(file) || readFileSync(file, "utf8").length !== keyLength) {
    const key = randomBytes(32).toString("base64");
    writeFileSync(`${file}.new`, key, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
  return Buffer.from(hkdfSync("sha256", readFileSync(file, "utf8"), "", purpose, 32));
}
