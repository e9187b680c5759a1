// Encrypts a secret for the database, with a key that is not there: AES-256 in GCM, which notices a change.
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/** @param key 32 bytes */
export function encryptWith(key: Buffer, secret: string): string {
  const iv = randomBytes(ivBytes);
  const encryption = createCipheriv(cipher, key, iv);
  const encrypted = Buffer.concat([encryption.update(secret, "utf8"), encryption.final()]);
  return Buffer.concat([iv, encryption.getAuthTag(), encrypted]).toString("base64");
}

/** @returns null when it was encrypted with another key, as on another machine */
export function decryptWith(key: Buffer, stored: string): string | null {
  const bytes = Buffer.from(stored, "base64");
  const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)];
  try {
    const decryption = createDecipheriv(cipher, key, iv).setAuthTag(tag);
    const secret = decryption.update(bytes.subarray(ivBytes + tagBytes));
    return Buffer.concat([secret, decryption.final()]).toString("utf8");
  } catch {
    return null;
  }
}
