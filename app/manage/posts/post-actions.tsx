import { type ReactNode, useRef } from "react";
import { Button } from "../button.tsx";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import type { Approval } from "../versions/approval.tsx";
import type { PostActions } from "./use-post-actions.ts";
import type { PostEditorState } from "./use-post-editor.ts";

interface PostActionsProps {
  actions: PostActions;
  editor: PostEditorState;
  /** Null when posts need no approval; undefined until it is known. */
  approval: Approval | null | undefined;
  blockedBy?: string;
  status: ReactNode;
  onCancel: () => void;
  onSchedule: () => void;
  onSaveSchedule: () => void;
}

const ask = "Ask for approval";
const asking = "Asking...";

export function PostActionsBar(props: PostActionsProps) {
  const { actions, editor, approval, blockedBy, status } = props;
  const { onCancel, onSchedule, onSaveSchedule } = props;
  const { state, kind } = editor.opened;
  const isChanged = editor.state.status !== "unchanged";
  const { running } = actions;
  const dialog = useRef<HTMLDialogElement>(null);
  const isBusy = running !== null || editor.state.status === "conflict" || approval === undefined;
  const mustSubmit = approval?.mustSubmit ?? false;
  const isWaiting = approval?.state === "submitted";
  const [main, label, doing] = mustSubmit
    ? ["submit", ask, asking]
    : state === "published"
      ? ["save", "Save Changes", "Saving..."]
      : ["publish", `Publish ${kind.title}`, "Publishing..."];
  const what = state === "draft" ? "draft" : "changes";
  return (
    // At the end of the page, a toast leaves the buttons free.
    <div className="mt-8 border-t border-line pt-6 pb-20">
      <div className="space-y-1">
        {status}
        {blockedBy && <p className="text-sm text-muted">{blockedBy}</p>}
      </div>
      <div className="mt-4 flex flex-wrap items-center justify-end gap-3">
        {isChanged && (
          <Button
            look="quietDanger"
            size="normal"
            className="sm:mr-auto"
            disabled={isBusy}
            onClick={() => dialog.current?.showModal()}
          >
            {`Discard ${what}`}
          </Button>
        )}
        <Button size="normal" disabled={running !== null} onClick={onCancel}>
          Cancel
        </Button>
        {state === "draft" && (
          <>
            <Button size="normal" disabled={isBusy || !isChanged} onClick={actions.keepVersion}>
              Save draft
            </Button>
            {!mustSubmit && kind.inBlog && (
              <Button size="normal" disabled={isBusy} onClick={onSchedule}>
                Schedule…
              </Button>
            )}
          </>
        )}
        {state === "scheduled" && !mustSubmit && (
          <Button
            size="normal"
            disabled={isBusy || !isChanged || blockedBy !== undefined}
            onClick={onSaveSchedule}
          >
            {running === "schedule" ? "Saving..." : "Save schedule"}
          </Button>
        )}
        {approval?.maySubmit && !mustSubmit && (
          <Button
            size="normal"
            disabled={isBusy || blockedBy !== undefined || isWaiting}
            onClick={actions.submit}
          >
            {running === "submit" ? asking : ask}
          </Button>
        )}
        <Button
          look="primary"
          size="normal"
          type="submit"
          disabled={isBusy || blockedBy !== undefined || (mustSubmit && isWaiting)}
        >
          {running === main ? doing : label}
        </Button>
      </div>
      <ConfirmDialog
        ref={dialog}
        title={`Discard ${state === "draft" ? "this draft" : "your changes"}?`}
        text={
          state === "draft"
            ? "The draft can be restored for 30 days."
            : "The form goes back to what is published or scheduled. The history keeps what you typed."
        }
        confirm={`Discard ${what}`}
        cancel="Keep it"
        onConfirm={() => {
          dialog.current?.close();
          void actions.discard();
        }}
      />
    </div>
  );
}
