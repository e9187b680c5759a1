import { useState } from "react";
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSite } from "../../config/use-site.ts";
import { TextAreaField } from "../../ui/field.tsx";
import { Button } from "../button.tsx";
import { formatMoment } from "../format-moment.ts";
import { useLiveQuery } from "../live-query.ts";
import { formatSignature } from "../versions/content-store.ts";
import type { Kind } from "./kinds.ts";
import { completePost, draftOf, isSameDraft, type PostColumns } from "./post-schema.ts";
import { type PostApproval, readApproval } from "./stored-posts.ts";
import type { PostActions } from "./use-post-actions.ts";
import type { PostEditorState } from "./use-post-editor.ts";

export type ApprovalState = "none" | "submitted" | "approved" | "returned" | "changed";

/** @param isSame whether the editor shows the version that was submitted */
export function approvalState(newest: PostApproval | null, isSame: boolean): ApprovalState {
  if (!newest) return "none";
  return isSame || newest.event === "returned" ? newest.event : "changed";
}

/** Whether readers would see in a finished post what the editor shows. */
export function isSameWords(
  document: PostColumns,
  { draft, opened }: Pick<PostEditorState, "draft" | "opened">,
): boolean {
  const finished = completePost(draft, opened);
  if (!("input" in finished)) return false;
  const shown = { ...finished.input, author: draft.author || document.author };
  return isSameDraft(draftOf(document), draftOf(shown));
}

export interface Approval {
  newest: PostApproval | null;
  state: ApprovalState;
  isOwner: boolean;
  /** Whether what the editor shows is neither public nor approved. */
  maySubmit: boolean;
  /** Whether this account can only submit the post now. */
  mustSubmit: boolean;
  /** Whether this account may approve what was submitted. */
  mayApprove: boolean;
}

/**
 * Reads the approval of a post, again after each change.
 * @param hasNewImage whether an image is chosen that is uploaded with the post
 * @returns undefined while an editor's is loading; null when the setting 'Posts need approval' is off
 */
export function useApproval(
  editor: PostEditorState,
  hasNewImage: boolean,
  isIdle: boolean,
): Approval | null | undefined {
  const { opened } = editor;
  const { tasks, user } = useAuth();
  const isOwner = tasks.includes("manage the site");
  const { value, failures } = useLiveQuery({
    // The end of an action reads it again.
    key: ["the approval", opened.id, isIdle],
    read: (client) => readApproval(client, opened),
    tables: ["posts", "content_states"],
  });
  if (value === undefined && failures === 0 && !isOwner) return undefined;
  if (!value) return null;
  const { newest, ownersNeedIt } = value;
  const isSame = (document: PostColumns | null | undefined) =>
    document != null && !hasNewImage && isSameWords(document, editor);
  const state = approvalState(newest, isSame(newest?.document));
  const isPublic = opened.state === "published" && isSame(opened.row);
  const maySubmit = state !== "approved" && !isPublic;
  const isOwn = newest !== null && newest.by_id === user?.id;
  return {
    ...{ newest, state, isOwner, maySubmit },
    mustSubmit: maySubmit && (!isOwner || ownersNeedIt),
    mayApprove: isOwner && !(ownersNeedIt && isOwn),
  };
}

interface PostApprovalPanelProps {
  approval: Approval;
  actions: PostActions;
  kind: Kind;
}

export function PostApprovalPanel({ approval, actions, kind: { name } }: PostApprovalPanelProps) {
  const { newest, state, isOwner, mustSubmit, mayApprove } = approval;
  const { timeZone } = useSite().contact;
  const [comment, setComment] = useState("");
  const isBusy = actions.running !== null;
  if (!newest && !mustSubmit) return null;
  const decide = (isApproved: boolean) =>
    newest && actions.decide({ submission: newest.number, is_approved: isApproved, comment });
  const how = newest?.by_id ? "signed in" : `typed at the link of ${newest?.link_by_name}`;
  const by =
    newest && `by ${formatSignature(newest)}, ${how}, on ${formatMoment(newest.at, timeZone)}`;
  const texts: Record<ApprovalState, string> = {
    none: `This ${name} needs approval. Ask for it when the ${name} is finished.`,
    submitted: `Submitted ${by}. It waits for approval${isOwner && !mayApprove ? " by another owner, or by a reviewer with a link that another owner made" : ""}.`,
    approved: `Approved ${by}.`,
    returned: `Returned ${by}:`,
    changed: `${newest?.event === "approved" ? "Approved" : "Submitted"} ${by}, and changed since.${mustSubmit ? " Ask for approval again." : ""}`,
  };
  return (
    <section
      aria-label="Approval"
      className={`mt-6 rounded-md p-4 ${state === "returned" ? "bg-clay-soft" : "bg-sage"}`}
    >
      <p className="font-medium wrap-anywhere">{texts[state]}</p>
      {newest?.comment && state !== "changed" && (
        <p className="mt-2 whitespace-pre-line wrap-anywhere">{newest.comment}</p>
      )}
      {newest && state === "submitted" && isOwner && (
        <div className="mt-4 space-y-3">
          <TextAreaField
            label={`Comment (needed to return the ${name})`}
            rows={3}
            maxLength={2000}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
          <div className="flex flex-wrap gap-3">
            {mayApprove && (
              <Button look="primary" disabled={isBusy} onClick={() => decide(true)}>
                Approve
              </Button>
            )}
            <Button disabled={isBusy || !comment.trim()} onClick={() => decide(false)}>
              Return with comment
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}
