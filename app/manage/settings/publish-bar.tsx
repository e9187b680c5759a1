import { CircleAlert, CircleCheck, CircleDashed } from "lucide";
import { useRef } from "react";
import { useSite } from "../../config/use-site.ts";
import { buttonClass } from "../../ui/button.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Icon } from "../../ui/icon.ts";
import { describeFailure } from "../describe-failure.ts";
import type { DraftState } from "../draft-session.ts";
import { formatMoment } from "../format-moment.ts";
import type { Publishing } from "./use-publishing.ts";

interface PublishBarProps {
  state: DraftState<unknown>;
  /** Null for a section that was never published. */
  publishedAt: string | null;
  publishing: Publishing;
}

/** What is saved and published, and the buttons that change it. Stays at the bottom of the screen. */
export function PublishBar({ state, publishedAt, publishing }: PublishBarProps) {
  const { timeZone } = useSite().contact;
  const dialog = useRef<HTMLDialogElement>(null);
  const isChanged = state.status !== "unchanged";
  const { busy, failure } = publishing;
  return (
    <div className="sticky bottom-0 z-10 mt-10 border-t border-line bg-paper py-4">
      {failure && (
        <p
          role="alert"
          className="mb-3 rounded-md bg-clay-soft p-3 text-sm font-medium text-danger"
        >
          {failure}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Status state={state} since={publishedAt && formatMoment(publishedAt, timeZone)} />
        <div className="flex flex-wrap gap-3">
          {isChanged && (
            <button
              type="button"
              disabled={busy}
              className={buttonClass("secondary", "small")}
              onClick={() => dialog.current?.showModal()}
            >
              Discard draft
            </button>
          )}
          <button
            type="button"
            disabled={busy || !isChanged || state.status === "conflict"}
            className={buttonClass("primary", "small")}
            onClick={publishing.publish}
          >
            {busy ? "Working..." : "Publish changes"}
          </button>
        </div>
      </div>
      <ConfirmDialog
        ref={dialog}
        title="Discard your draft?"
        text="This form goes back to what the site shows. The draft can't be restored."
        confirm="Discard draft"
        cancel="Keep it"
        onConfirm={() => {
          dialog.current?.close();
          publishing.discard();
        }}
      />
    </div>
  );
}

function Status({ state, since }: { state: DraftState<unknown>; since: string | null }) {
  const { status, error } = state;
  if (status === "failed" || status === "conflict") {
    return (
      <p role="alert" className="flex items-start gap-2 text-sm font-medium text-danger">
        <Icon drawing={CircleAlert} className="mt-0.5 size-4.5 shrink-0" />
        {status === "conflict"
          ? "Not saved: another window changed this."
          : `Not saved: ${describeFailure(error, "the settings")}`}
      </p>
    );
  }
  const [drawing, text] = {
    unchanged: [CircleCheck, since ? `Published ${since}` : "Not changed yet"],
    waiting: [CircleDashed, "Saving…"],
    saving: [CircleDashed, "Saving…"],
    saved: [CircleCheck, "Saved as a draft"],
  }[status] as [typeof CircleCheck, string];
  return (
    <p className="flex items-center gap-2 text-sm text-muted">
      <Icon drawing={drawing} className="size-4.5 shrink-0" />
      {text}
    </p>
  );
}
