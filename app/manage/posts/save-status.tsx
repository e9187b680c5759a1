import { CircleAlert, CircleCheck, CircleDashed } from "lucide";
import { Icon } from "../../ui/icon.ts";
import { describeFailure, isOffline } from "../describe-failure.ts";
import type { DraftState } from "../draft-session.ts";

/** Whether what is typed is stored on the server. */
export function SaveStatus({ state }: { state: DraftState<unknown> }) {
  const { status, savedAt, error } = state;
  if (status === "unchanged") return null;
  if (status === "failed" || status === "conflict") {
    return (
      <p role="alert" className="flex items-start gap-2 text-sm font-medium text-danger">
        <Icon drawing={CircleAlert} className="mt-0.5 size-4.5 shrink-0" />
        {status === "conflict" ? "Not saved: another window changed this." : notSaved(error)}
      </p>
    );
  }
  const isSaved = status === "saved" && savedAt;
  return (
    <p className="flex items-center gap-2 text-sm text-muted">
      <Icon drawing={isSaved ? CircleCheck : CircleDashed} className="size-4.5 shrink-0" />
      {isSaved ? `Saved ${clock(savedAt)}` : "Saving…"}
    </p>
  );
}

function notSaved(error: unknown): string {
  return isOffline(error)
    ? "Not saved: offline. It is kept in this browser and tried again."
    : `Not saved: ${describeFailure(error, "posts")}`;
}

/** In the time of this device, such as "14:02". */
function clock(iso: string): string {
  return new Date(iso).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}
