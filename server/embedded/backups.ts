// What the owner's page shows of the backups, and their files. Does not cover: who may ask (server/backups/).
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Sql } from "embedded-supabase/database.ts";
import type { BucketForm } from "../../app/config/bucket.ts";
import { backupFolder, listBackups, readBackupState } from "./backup-folder.ts";
import { BucketProblem, forgetBucket, readBucket, storeBucket, testBucket } from "./bucket.ts";
import { backUpNow, isBackingUp } from "./schedule-backups.ts";

export type Backups = ReturnType<typeof openBackups>;

export function openBackups(sql: Sql, dataDir: string) {
  return {
    list: () => ({
      ...{ backups: listBackups(dataDir), bucket: readBucket(dataDir) },
      ...readBackupState(dataDir),
      isRunning: isBackingUp(dataDir),
    }),

    /** Makes a backup, for whose end nobody waits: `list` says when it is there, or what went wrong. */
    start(): void {
      backUpNow(sql, dataDir).catch((error) => console.error("The backup was not made", error));
    },

    /** Stores the settings of the bucket, or forgets it. @returns the problem with them, as a sentence */
    changeBucket(form: BucketForm | null): string | null {
      try {
        if (form) storeBucket(dataDir, form);
        else forgetBucket(dataDir);
        return null;
      } catch (error) {
        return sentenceOf(error);
      }
    },

    /** @returns what is wrong with the bucket, as a sentence; null when it works */
    testBucket: () => testBucket(dataDir).then(() => null, sentenceOf),

    /** @returns null when there is no such backup, perhaps not any more */
    open(name: string): { bytes: number; content: ReadableStream } | null {
      const backup = listBackups(dataDir).find((each) => each.name === name);
      const file = join(backupFolder(dataDir), backup?.name ?? "");
      if (!backup || !existsSync(file)) return null;
      return {
        bytes: backup.bytes,
        content: Readable.toWeb(createReadStream(file)) as ReadableStream,
      };
    },
  };
}

/** @throws what is not for the owner */
function sentenceOf(error: unknown): string {
  if (error instanceof BucketProblem) return `${error.message.replace(/\.$/, "")}.`;
  throw error;
}
