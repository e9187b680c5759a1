/** As the database checks it. */
export const maxNoteLength = 2000;

/** A note that is not saved yet. It stays in this tab through reloads and navigation. */
export interface NoteDraft {
  text: string;
  /** `noted_at` of the message when the draft was begun. */
  version: string | null;
}

const prefix = "message-note-";
const keyOf = (id: string) => `${prefix}${id}`;

export function readNoteDraft(id: string): NoteDraft | null {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(keyOf(id)) ?? "null");
    if (!Array.isArray(draft)) return null;
    const [text, version] = draft;
    return { text: String(text), version: version === null ? null : String(version) };
  } catch {
    return null;
  }
}

/** @param draft null when the note was saved or discarded */
export function storeNoteDraft(id: string, draft: NoteDraft | null): void {
  // Storage can be disabled or full; the note field works without it.
  try {
    if (draft) sessionStorage.setItem(keyOf(id), JSON.stringify([draft.text, draft.version]));
    else sessionStorage.removeItem(keyOf(id));
  } catch {}
}

/** Whether this tab has a note that is not saved. */
export function hasNoteDrafts(): boolean {
  try {
    return Object.keys(sessionStorage).some((key) => key.startsWith(prefix));
  } catch {
    return false;
  }
}
