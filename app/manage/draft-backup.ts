// Keeps what was typed and not saved yet in this browser, also when it is closed.
import { z } from "zod/mini";
import type { Backup } from "./draft-session.ts";

const backupSchema = z.object({
  document: z.unknown(),
  savedAt: z.union([z.string(), z.literal(null)]),
});

/**
 * @param key of localStorage; has `-draft` in it, which makes signing out ask first
 * @param parse throws for a document that is none
 * @returns null when nothing is kept or it can't be read
 */
export function readBackup<Document>(
  key: string,
  parse: (document: unknown) => Document,
): Backup<Document> | null {
  try {
    const kept = localStorage.getItem(key);
    if (!kept) return null;
    const { document, savedAt } = backupSchema.parse(JSON.parse(kept));
    return { document: parse(document), savedAt };
  } catch {
    return null;
  }
}

/** Null removes it. */
export function keepBackup(key: string, backup: Backup<unknown> | null): void {
  try {
    if (backup) localStorage.setItem(key, JSON.stringify(backup));
    else localStorage.removeItem(key);
  } catch (error) {
    // Editing works without storage, which can be full or forbidden.
    console.error("Keeping the draft in this browser failed", error);
  }
}
