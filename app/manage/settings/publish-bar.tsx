import { type ReactNode, useRef } from "react";
import { useSite } from "../../config/use-site.ts";
import { FormFailure } from "../../ui/form-errors.tsx";
import { Button } from "../button.tsx";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { formatMoment } from "../format-moment.ts";
import { DraftStatus } from "../versions/draft-status.tsx";
import { findWarnings } from "./services.ts";
import type { SectionDraft } from "./use-section-draft.ts";

interface PublishBarProps {
  draft: SectionDraft;
  /** The time of the last publication; null for a section that was never published. */
  publishedAt: string | null;
  /** The button of the preview, where it is not beside the form. */
  button: ReactNode;
  children: ReactNode;
}

/** In view, whatever is scrolled: what happened to the form, and what can be done with it. */
export function PublishBar({ draft, publishedAt, button, children }: PublishBarProps) {
  const { timeZone } = useSite().contact;
  const dialog = useRef<HTMLDialogElement>(null);
  const { state, busy, failure, approval, isWaiting, publish, submit, discard } = draft;
  const mustSubmit = approval?.mustSubmit ?? false;
  const isChanged = state.status !== "unchanged";
  const warnings = isChanged ? findWarnings(draft.section, state.document) : [];
  return (
    <div className="publish-bar sticky bottom-[var(--bar-height,0px)] z-10 -mx-4 mt-10 -mb-16 border-t border-line bg-paper px-4 py-3 sm:-mx-8 sm:px-8">
      {children}
      <div className="mb-3 empty:hidden">
        <FormFailure text={failure} />
      </div>
      <Warnings texts={warnings} />
      <p role="status" className="text-sm font-medium not-empty:mb-3">
        {isWaiting &&
          "There is no connection. What this form shows is published as soon as it is back."}
      </p>
      <div className="flex min-h-10 flex-wrap items-center gap-x-6 gap-y-2">
        <DraftStatus
          state={state}
          subject="the settings"
          {...(publishedAt && { unchanged: `Published ${formatMoment(publishedAt, timeZone)}` })}
          saved="Saved as a draft"
        />
        <div className="ml-auto flex flex-wrap justify-end gap-2">
          {button}
          {isWaiting ? (
            <Button onClick={draft.stopWaiting}>Do not publish</Button>
          ) : (
            isChanged && (
              <Button
                disabled={busy || state.status === "conflict"}
                onClick={() => dialog.current?.showModal()}
              >
                Discard draft
              </Button>
            )
          )}
          <Button
            look="primary"
            aria-describedby={warnings.length > 0 ? "warnings" : undefined}
            disabled={
              busy ||
              !isChanged ||
              state.status === "conflict" ||
              (mustSubmit && approval?.state === "submitted")
            }
            onClick={mustSubmit ? submit : publish}
          >
            {isWaiting
              ? "Waiting..."
              : busy
                ? "Working..."
                : mustSubmit
                  ? "Ask for approval"
                  : "Publish changes"}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        ref={dialog}
        title="Discard your draft?"
        text="This form goes back to what your site shows. What you wrote stays under Earlier versions."
        confirm="Discard draft"
        cancel="Keep it"
        onConfirm={() => {
          dialog.current?.close();
          discard();
        }}
      />
    </div>
  );
}

export function Warnings({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  const rest = texts.length - 2;
  return (
    <p id="warnings" className="mb-3 rounded-md bg-clay-soft p-3 text-sm font-medium">
      {`${texts.slice(0, 2).join(". ")}.${rest > 0 ? ` ${rest} more ${rest === 1 ? "is" : "are"} not complete.` : ""} You can publish now and change it later.`}
    </p>
  );
}
