import { type Approval, useApproval } from "../versions/approval.tsx";
import {
  completePost,
  draftOf,
  isSameDraft,
  type PostColumns,
  readDocument,
} from "./post-schema.ts";
import { thingOf } from "./stored-posts.ts";
import type { PostEditorState } from "./use-post-editor.ts";

/** Whether publishing what the editor shows would give readers this document. */
export function isSameWords(
  document: PostColumns,
  { draft, opened }: Pick<PostEditorState, "draft" | "opened">,
): boolean {
  const finished = completePost(draft, opened);
  if (!("input" in finished)) return false;
  const shown = { ...finished.input, author: draft.author || document.author };
  return isSameDraft(draftOf(document), draftOf(shown));
}

/** @param hasNewImage whether an image is chosen that is uploaded with the post */
export function usePostApproval(
  editor: PostEditorState,
  hasNewImage: boolean,
  isIdle: boolean,
): Approval | null | undefined {
  const { opened } = editor;
  const { row, state } = opened;
  const isSame = (document: PostColumns) => !hasNewImage && isSameWords(document, editor);
  return useApproval({
    thing: thingOf(opened),
    tables: ["posts", "content_states"],
    isIdle,
    isSame: (document) => isSame(readDocument(document)),
    isPublic: () => state === "published" && row !== null && isSame(row),
  });
}
