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
  children: ReactNode;
}

export function PublishBar({ draft, publishedAt, children }: PublishBarProps) {
  const { timeZone } = useSite().contact;
  const dialog = useRef<HTMLDialogElement>(null);
  const { state, busy, failure, approval, publish, submit, discard } = draft;
  const mustSubmit = approval?.mustSubmit ?? false;
  const isChanged = state.status !== "unchanged";
  const warnings = isChanged ? findWarnings(draft.section, state.document) : [];
  return (
    <div className="publish-bar sticky bottom-0 z-10 mt-10 border-t border-line bg-paper py-4">
      <div className="mb-3 empty:hidden">
        <FormFailure text={failure} />
      </div>
      <Warnings texts={warnings} />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <DraftStatus
          state={state}
          subject="the settings"
          unchanged={
            publishedAt ? `Published ${formatMoment(publishedAt, timeZone)}` : "Not changed yet"
          }
          saved="Saved as a draft"
        />
        {children}
        <div className="flex flex-wrap gap-3">
          {isChanged && (
            <Button
              disabled={busy || state.status === "conflict"}
              onClick={() => dialog.current?.showModal()}
            >
              Discard draft
            </Button>
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
            {busy ? "Working..." : mustSubmit ? "Ask for approval" : "Publish changes"}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        ref={dialog}
        title="Discard your draft?"
        text="This form goes back to what the site shows. Your text stays under Earlier versions."
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
