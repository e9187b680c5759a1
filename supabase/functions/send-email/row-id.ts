// The id of a message's row, and so of its mail: the same for the same submission.
import { createHash, randomUUID } from "node:crypto";
import type { Message } from "./message.ts";

/**
 * @param key the browser's idempotency key: one per filled-in form, whatever its shape. The text
 * counts too, so a form that was corrected and sent again is a new message, never dropped as a copy;
 * and nobody can choose an id. Without a key every submission is a message of its own.
 * @returns a UUID (version 8 of RFC 9562).
 */
export function rowIdOf({ name, email, phone, message }: Message, key: string | null): string {
  if (!key) return randomUUID();
  const hash = createHash("sha256").update(JSON.stringify([key, name, email, phone, message]));
  const bytes = hash.digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
