import { useState } from "react";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { DraftSession, useDraftSession } from "../draft-session.ts";
import { keepPostBackup, readPostBackup, rememberNewPost } from "./post-backup.ts";
import {
  draftOf,
  emptyDraft,
  isSameDraft,
  type PostColumns,
  type PostDraft,
  relatedServicesOf,
} from "./post-schema.ts";
import { type DraftInsert, type OpenedPost, storePostDraft } from "./stored-posts.ts";

export type PostEditorState = ReturnType<typeof usePostEditor>;

/** The draft of a post while it is edited. Text is saved to the draft, never to the published post. */
export function usePostEditor(opened: OpenedPost, author: string) {
  const { id, kind, row, draft } = opened;
  const [start] = useState<PostDraft>(() => (row ? draftOf(row) : { ...emptyDraft, author }));
  const { session, state } = useDraftSession(open);

  function open() {
    const base = draft ? draft.base : opened.version;
    return new DraftSession<PostDraft>({
      stored: draft
        ? { document: draftOf(draft), savedAt: draft.updated_at }
        : { document: start, savedAt: null },
      backup: readPostBackup(id),
      async save(document, { savedAt: replaced }) {
        const stored = { ...toDraftRow(document), id, kind, base };
        const result = await storePostDraft(await getBrowserClient(), stored, replaced);
        if ("savedAt" in result) return result;
        const other = result.conflict;
        return { conflict: other && { ...other, document: draftOf(other.document) } };
      },
      isSame: isSameDraft,
      keepBackup(backup) {
        if (backup && !row && backup.savedAt === null) rememberNewPost(id, kind);
        keepPostBackup(id, backup);
      },
    });
  }

  return {
    opened,
    session,
    state,
    draft: state.document,
    /** The fields of the published or scheduled post, or of a new one. */
    start,
    /** Returns the newest document, for handlers that await something. */
    current: () => session.getState().document,
    change(changes: Partial<PostDraft>) {
      session.change({ ...session.getState().document, ...changes });
    },
    /** Continues with another version of the post, which is the stored draft now. */
    restore(version: PostColumns, savedAt: string) {
      session.replace(draftOf(version), savedAt);
    },
  };
}

/** The version of the published or scheduled post that the changes are based on; null for a new post. */
export function baseVersionOf({ row, version, draft }: OpenedPost): string | null {
  if (!row) return null;
  return !draft || draft.base === version ? row.updated_at : replacedVersion;
}

/** The time of no version: a draft of another one than the present is in conflict with it. */
const replacedVersion = "2000-01-01T00:00:00Z";

function toDraftRow(draft: PostDraft): Omit<DraftInsert, "id" | "kind" | "base"> {
  const { relatedServices, imageUrl, ...texts } = draft;
  return { ...texts, image_url: imageUrl, related_services: relatedServicesOf(draft) };
}
