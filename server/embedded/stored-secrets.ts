// Encrypts secrets that the owner entered, with a key in a file of DATA_DIR, which no backup contains.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/** @param purpose which secret it is: that of another purpose cannot be put in its place */
export function encryptSecret(dataDir: string, purpose: string, secret: string): string {
  const iv = randomBytes(ivBytes);
  const encryption = createCipheriv(cipher, keyOf(dataDir, purpose), iv);
  const encrypted = Buffer.concat([encryption.update(secret, "utf8"), encryption.final()]);
  return Buffer.concat([iv, encryption.getAuthTag(), encrypted]).toString("base64");
}

/** @returns null when it was encrypted with another key, as on another machine */
export function decryptSecret(dataDir: string, purpose: string, stored: string): string | null {
  const bytes = Buffer.from(stored, "base64");
  const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)];
  try {
    const decryption = createDecipheriv(cipher, keyOf(dataDir, purpose), iv).setAuthTag(tag);
    const secret = decryption.update(bytes.subarray(ivBytes + tagBytes));
    return Buffer.concat([secret, decryption.final()]).toString("utf8");
  } catch {
    return null;
  }
}

function keyOf(dataDir: string, purpose: string): Buffer {
  const file = join(dataDir, "settings.key");
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(32).toString("base64"), {
      mode: 0o600,
      flag: "wx",
      flush: true,
    });
  }
  return Buffer.from(hkdfSync("sha256", readFileSync(file, "utf8"), "", purpose, 32));
}
