// Keeps what was typed and not saved yet in this browser, also when it is closed.
import { z } from "zod";
import type { SectionName, SiteSettings } from "../../config/site-schema.ts";
import type { Backup } from "../draft-session.ts";
import { fitDocument } from "./fit-document.ts";

const backupSchema = z.object({ document: z.unknown(), savedAt: z.string().nullable() });

function storageKey(section: SectionName): string {
  return `settings-draft:${section}`;
}

/** @returns null when nothing is kept or it can't be read */
export function readBackup<Section extends SectionName>(
  section: Section,
): Backup<SiteSettings[Section]> | null {
  try {
    const kept = localStorage.getItem(storageKey(section));
    if (!kept) return null;
    const { document, savedAt } = backupSchema.parse(JSON.parse(kept));
    return { document: fitDocument(section, document), savedAt };
  } catch {
    return null;
  }
}

/** Null removes it. */
export function keepBackup(section: SectionName, backup: Backup<unknown> | null): void {
  try {
    if (backup) localStorage.setItem(storageKey(section), JSON.stringify(backup));
    else localStorage.removeItem(storageKey(section));
  } catch (error) {
    // Editing works without storage, which can be full or forbidden.
    console.error("Keeping the draft in this browser failed", error);
  }
}
