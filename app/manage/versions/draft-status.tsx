import { CircleAlert, CircleCheck, CircleDashed } from "lucide";
import { Icon } from "../../ui/icon.ts";
import { describeFailure } from "../describe-failure.ts";
import type { DraftState } from "./draft-session.ts";

interface DraftStatusProps {
  state: DraftState<unknown>;
  /** The thing that the draft changes, such as "posts". */
  subject: string;
  unchanged?: string;
  saved: string;
  /** Explains why a save failed, in place of the usual reasons. */
  failed?: string;
}

export function DraftStatus({ state, subject, unchanged, saved, failed }: DraftStatusProps) {
  const { status, error } = state;
  if (status === "failed" || status === "conflict") {
    return (
      <p role="alert" className="flex items-start gap-2 text-sm font-medium text-danger">
        <Icon drawing={CircleAlert} className="mt-0.5 size-4.5 shrink-0" />
        <span>{`Not saved: ${
          status === "conflict"
            ? "another window changed this."
            : (failed ?? describeFailure(error, subject, "It is tried again."))
        }`}</span>
      </p>
    );
  }
  if (status === "unchanged" && !unchanged) return null;
  const isSaving = status === "waiting" || status === "saving";
  return (
    <p className="flex items-center gap-2 text-sm text-muted">
      <Icon drawing={isSaving ? CircleDashed : CircleCheck} className="size-4.5 shrink-0" />
      <span>{isSaving ? "Saving…" : status === "saved" ? saved : unchanged}</span>
    </p>
  );
}
