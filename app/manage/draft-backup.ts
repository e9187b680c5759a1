// Backs up text in this browser until it is saved, even when the browser is closed.
import { z } from "zod/mini";
import type { Backup } from "./draft-session.ts";

const backupSchema = z.object({
  document: z.unknown(),
  savedAt: z.union([z.string(), z.literal(null)]),
  base: z.optional(z.unknown()),
});

/**
 * @param key of localStorage. It contains `-draft`, which makes signing out ask for confirmation.
 * @param parse throws for an invalid document
 * @returns null when there is no backup or it cannot be read
 */
export function readBackup<Document>(
  key: string,
  parse: (document: unknown) => Document,
): Backup<Document> | null {
  try {
    const kept = localStorage.getItem(key);
    if (!kept) return null;
    const { document, savedAt, base } = backupSchema.parse(JSON.parse(kept));
    const parsed = { document: parse(document), savedAt };
    return base === undefined ? parsed : { ...parsed, base: parse(base) };
  } catch {
    return null;
  }
}

export function keepBackup(key: string, backup: Backup<unknown> | null): void {
  try {
    if (backup) localStorage.setItem(key, JSON.stringify(backup));
    else localStorage.removeItem(key);
  } catch (error) {
    // Editing works without storage, which can be full or forbidden.
    console.error("Keeping the draft in this browser failed", error);
  }
}
