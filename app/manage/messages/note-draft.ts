import { keepBackup, readBackup } from "../versions/draft-backup.ts";

/** A note that is not saved yet. It stays in this browser until it is saved or discarded. */
export interface NoteDraft {
  text: string;
  /** `noted_at` of the message when the draft was started. */
  version: string | null;
}

const prefix = "note-draft:";

export function readNoteDraft(id: string): NoteDraft | null {
  const kept = readBackup(prefix + id, String);
  return kept && { text: kept.document, version: kept.savedAt };
}

/** @param draft null when the note was saved or discarded */
export function storeNoteDraft(id: string, draft: NoteDraft | null): void {
  keepBackup(prefix + id, draft && { document: draft.text, savedAt: draft.version });
}
