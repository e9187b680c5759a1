// What the owner's page shows of the backups, and their files. Does not cover: who may ask (server/backups/).
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { backupFolder, listBackups, readBackupState } from "./backup-folder.ts";

export type Backups = ReturnType<typeof openBackups>;

export function openBackups(dataDir: string) {
  return {
    list: () => ({ backups: listBackups(dataDir), ...readBackupState(dataDir) }),

    /** @returns null when there is no such backup, perhaps not any more */
    open(name: string): { bytes: number; content: ReadableStream } | null {
      const backup = listBackups(dataDir).find((each) => each.name === name);
      const file = join(backupFolder(dataDir), backup?.name ?? "");
      if (!backup || !existsSync(file)) return null;
      return { bytes: backup.bytes, content: Readable.toWeb(createReadStream(file)) };
    },
  };
}
