import { useId } from "react";
import type { InvitationOutcome } from "../../../supabase/functions/_shared/invitation.ts";
import { CopyButton } from "../button.tsx";

interface InvitationResultProps {
  email: string;
  outcome: InvitationOutcome;
}

/** What happened to an invitation. A link that was not mailed is shown only here, once. */
export function InvitationResult({ email, outcome }: InvitationResultProps) {
  const id = useId();
  return (
    <div role="status" className="mt-5 rounded-md bg-sage p-4 wrap-anywhere">
      {outcome.outcome === "sent" && <p>{`The invitation is on its way to ${email}.`}</p>}
      {outcome.outcome === "added" && (
        <p>{`${email} already has an account, which now has this role as well. The password stays the same.`}</p>
      )}
      {outcome.outcome === "link" && (
        <>
          <p className="font-semibold">No email was sent. Hand this link over yourself:</p>
          <label htmlFor={id} className="sr-only">
            {`Link for ${email}`}
          </label>
          <input
            id={id}
            readOnly
            value={outcome.link}
            onFocus={(event) => event.currentTarget.select()}
            className="mt-2 block w-full rounded-md border border-edge bg-surface px-3 py-2 text-sm"
          />
          <CopyButton className="mt-3" text={outcome.link} />
          <p className="mt-3 text-sm">
            {`It is for ${email}, works once, and is not shown again. Whoever has it can join: send it in a way that only this person reads.`}
          </p>
        </>
      )}
    </div>
  );
}
