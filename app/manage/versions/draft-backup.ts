// Backs up text in this browser until it is saved, even when the browser is closed. One that keeps nothing, or is full, has the
// backup until the page is left.
import { z } from "zod/mini";
import { browserStorage } from "../../browser/site-data.ts";
import type { Backup } from "./draft-session.ts";

const backupSchema = z.object({
  document: z.unknown(),
  savedAt: z.union([z.string(), z.literal(null)]),
  base: z.optional(z.unknown()),
});

/**
 * @param key of the browser's storage. It contains `-draft`, which makes signing out ask for confirmation.
 * @param parse throws for an invalid document
 * @returns null when there is no backup or it cannot be read
 */
export function readBackup<Document>(
  key: string,
  parse: (document: unknown) => Document,
): Backup<Document> | null {
  try {
    const kept = browserStorage.getItem(key);
    if (!kept) return null;
    const { document, savedAt, base } = backupSchema.parse(JSON.parse(kept));
    return {
      document: parse(document),
      savedAt,
      base: base === undefined ? undefined : parse(base),
    };
  } catch {
    return null;
  }
}

export function keepBackup(key: string, backup: Backup<unknown> | null): void {
  if (backup) browserStorage.setItem(key, JSON.stringify(backup));
  else browserStorage.removeItem(key);
}
