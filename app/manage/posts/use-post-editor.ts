import { useMemo } from "react";
import { useSite } from "../../config/use-site.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { saveDraft } from "../versions/content-store.ts";
import { DraftSession, useDraftSession } from "../versions/draft-session.ts";
import { keepPostBackup, readPostBackup, rememberNewPost } from "./post-backup.ts";
import { postFormat } from "./post-format.ts";
import { draftOf, emptyDraft, isSameDraft, type PostDraft, toDocument } from "./post-schema.ts";
import { type OpenedPost, readPost, thingOf } from "./stored-posts.ts";

export type PostEditorState = ReturnType<typeof usePostEditor>;

/** The draft of a post while it is edited. Text is saved to the draft, never to the published post. */
export function usePostEditor(opened: OpenedPost, author: string) {
  const { id, kind, row, stored, readAt } = opened;
  const { services } = useSite();
  const format = useMemo(() => postFormat(kind, services), [kind, services]);
  const start: PostDraft = row ? draftOf(row) : { ...emptyDraft, author };
  const { session, state } = useDraftSession(open, stored, readAt);

  function open() {
    const backup = readPostBackup(id);
    // Something that was deleted elsewhere is kept by whoever still writes.
    const nothing = { document: backup?.base ?? start, savedAt: null, version: null };
    return new DraftSession<PostDraft>({
      stored: stored ?? nothing,
      backup,
      async save(document, replaced) {
        const client = await getBrowserClient();
        const savedAt = await saveDraft(client, thingOf(opened), toDocument(document), replaced);
        return savedAt ? { savedAt } : { conflict: (await readPost(client, opened)).stored };
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
    format,
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
  };
}
