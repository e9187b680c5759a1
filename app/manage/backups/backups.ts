// The backups of the site, which its server makes every night. A hosted project has those of its platform.
import { z } from "zod";
import type { BucketForm } from "../../config/bucket.ts";
import type { Client } from "../../supabase/client-context.ts";
import { askServer } from "../ask-server.ts";

const outcomeSchema = z.nullable(z.object({ at: z.string(), problem: z.nullable(z.string()) }));
const listSchema = z.object({
  /** The newest first. */
  backups: z.array(z.object({ name: z.string(), madeAt: z.string(), bytes: z.number() })),
  /** The last attempts. */
  backup: outcomeSchema,
  trial: outcomeSchema,
  copy: outcomeSchema,
  /** Whether one is being made. */
  isRunning: z.boolean(),
  /** Where copies go. Its secret key is not shown. */
  bucket: z.nullable(
    z.object({ endpoint: z.string(), region: z.string(), bucket: z.string(), keyId: z.string() }),
  ),
});
export type BackupList = z.output<typeof listSchema>;
export type StoredBackup = BackupList["backups"][number];

/** @returns null with a hosted project. @throws for everyone but owners */
export async function readBackups(client: Client): Promise<BackupList | null> {
  const body = await askServer(client, "/manage/backups/list.json");
  return z.object({ isHosted: z.literal(true) }).safeParse(body).success
    ? null
    : listSchema.parse(body);
}

export const backupsQuery = { key: ["backups"], read: readBackups, tables: [] };

/**
 * Allows this browser one download, in the next minute.
 * @param client with a session that has just begun
 * @throws an Error with a sentence for the owner
 */
export async function allowDownload(client: Client, name: string): Promise<void> {
  await askServer(client, "/manage/backups/ticket", { name });
}

/**
 * @param client with a session that has just begun
 * @param form null to copy nothing any more
 * @throws an Error with a sentence for the owner
 */
export async function changeBucket(client: Client, form: BucketForm | null): Promise<void> {
  await askServer(client, "/manage/backups/bucket", form);
}

/** Starts a backup, and does not wait for its end. @throws an Error with a sentence for the owner */
export async function startBackup(client: Client): Promise<void> {
  await askServer(client, "/manage/backups/start", {});
}

/** @returns what is wrong with the stored bucket, as a sentence; null when it works */
export async function testBucket(client: Client): Promise<string | null> {
  const body = await askServer(client, "/manage/backups/test", {});
  return z.object({ problem: z.nullable(z.string()) }).parse(body).problem;
}
