import { useState } from "react";
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSite } from "../../config/use-site.ts";
import type { LiveTable } from "../../supabase/live.ts";
import { TextAreaField } from "../../ui/field.tsx";
import { Button } from "../button.tsx";
import { formatMoment } from "../format-moment.ts";
import { useLiveQuery } from "../live-query.ts";
import { type Decision, readApproval, type WritersSettings } from "./approvals.ts";
import { formatSignature, type Thing } from "./content-store.ts";

export type ApprovalState = "none" | "submitted" | "approved" | "returned" | "changed";

/** @param isSame whether the form shows the version that was submitted */
export function approvalState(
  newest: Pick<Decision, "event"> | null,
  isSame: boolean,
): ApprovalState {
  if (!newest) return "none";
  return isSame || newest.event === "returned" ? newest.event : "changed";
}

export interface Approval {
  newest: Decision | null;
  state: ApprovalState;
  isOwner: boolean;
  /** Whether what the form shows is neither public nor approved. */
  maySubmit: boolean;
  /** Whether this account can only submit it now. */
  mustSubmit: boolean;
  /** Whether this account may approve what was submitted. */
  mayApprove: boolean;
}

interface ApprovalOptions {
  thing: Thing;
  /** Undefined until they are read. */
  settings?: WritersSettings;
  /** The tables whose changes it follows. */
  tables: readonly LiveTable[];
  /** The end of an action reads it again. */
  isIdle: boolean;
  /** Whether the form shows a version that was submitted. */
  isSame: (document: Decision["document"]) => boolean;
  /** Whether the form shows what is public. */
  isPublic: () => boolean;
}

/** @returns undefined while an editor's is loading; null where no approval is needed */
export function useApproval(options: ApprovalOptions): Approval | null | undefined {
  const { thing, settings, tables, isIdle, isSame, isPublic } = options;
  const { tasks, user } = useAuth();
  const isOwner = tasks.includes("manage the site");
  const { value, failures } = useLiveQuery({
    key: ["the approval", thing, settings, isIdle],
    read: (client) => readApproval(client, thing, settings),
    tables,
  });
  if (value === undefined && failures === 0 && !isOwner) return undefined;
  if (!value) return null;
  const { newest, ownersNeedIt } = value;
  const state = approvalState(newest, newest !== null && isSame(newest.document));
  const maySubmit = state !== "approved" && !isPublic();
  const isOwn = newest !== null && newest.by_id === user?.id;
  return {
    ...{ newest, state, isOwner, maySubmit },
    mustSubmit: maySubmit && (!isOwner || ownersNeedIt),
    mayApprove: isOwner && !(ownersNeedIt && isOwn),
  };
}

interface ApprovalPanelProps {
  approval: Approval;
  /** What is approved, in sentences, such as "post". */
  name: string;
  isBusy: boolean;
  onDecide: (decision: { submission: number; is_approved: boolean; comment: string }) => unknown;
}

export function ApprovalPanel({ approval, name, isBusy, onDecide }: ApprovalPanelProps) {
  const { newest, state, isOwner, mustSubmit, mayApprove } = approval;
  const { timeZone } = useSite().contact;
  const [comment, setComment] = useState("");
  if (!newest && !mustSubmit) return null;
  const decide = (is_approved: boolean) =>
    newest && onDecide({ submission: newest.number, is_approved, comment });
  // A decision of 0.9 does not name who had made the link.
  const link = newest?.link_by_name ? `the link of ${newest.link_by_name}` : "a link";
  const how = newest?.by_id ? "signed in" : `typed at ${link}`;
  const by =
    newest && `by ${formatSignature(newest)}, ${how}, on ${formatMoment(newest.at, timeZone)}`;
  const others =
    name === "section"
      ? " by another owner"
      : " by another owner, or by a reviewer with a link that another owner made";
  const texts: Record<ApprovalState, string> = {
    none: `This ${name} needs approval. Ask for it when the ${name} is finished.`,
    submitted: `Submitted ${by}. It waits for approval${isOwner && !mayApprove ? others : ""}.`,
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
