import { type FormEvent, useState, useSyncExternalStore } from "react";
import { useRevalidator } from "react-router";
import { emailSchema } from "../../../supabase/functions/_shared/invitation.ts";
import { fieldText, messageOf, useSubmission } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { requestEmailChange } from "./account.ts";

interface EmailFormProps {
  email: string;
  /** An address that waits for its link to be opened. */
  pending: string | null;
}

export function EmailForm({ email, pending }: EmailFormProps) {
  const { revalidate } = useRevalidator();
  const [problem, setProblem] = useState<string>();
  const { failure, submitting, run } = useSubmission({
    sent: { title: "Link Sent", description: "Open it to confirm the new address." },
    onSent: revalidate,
    describeFailure: (error) => ({
      title: "Sending failed",
      description: messageOf(error) || "The address was not changed. Please try again.",
    }),
  });

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = emailSchema.safeParse(fieldText(new FormData(form), "new-email"));
    const invalid = typed.success
      ? typed.data === email.toLowerCase()
        ? "This is your address already."
        : undefined
      : typed.error.issues[0]?.message;
    setProblem(invalid);
    if (invalid || !typed.success) {
      form.querySelector("input")?.focus();
      return;
    }
    await run(async () => {
      await requestEmailChange(await getBrowserClient(), typed.data);
      form.reset();
    });
  }

  return (
    <form onSubmit={submit} noValidate className="mt-5 space-y-4">
      <LinkOutcome />
      {pending && (
        <p role="status" className="rounded-md bg-sage p-4 [overflow-wrap:anywhere]">
          A link was sent to <strong>{pending}</strong>. Until you open it, you sign in with {email}
          . The link works once and for one hour.
        </p>
      )}
      <TextField
        label="New e-mail address"
        name="new-email"
        type="email"
        autoComplete="email"
        required
        error={problem}
      />
      <FormFailure text={failure} />
      <button type="submit" className={buttonClass("secondary")} disabled={submitting}>
        {submitting ? "Sending..." : "Send the link"}
      </button>
    </form>
  );
}

const outcomes: Record<string, string> = {
  done: "Your address is confirmed. Use it to sign in from now on.",
  expired: "This link was used already or has expired. Your address was not changed by it.",
};

/** What happened when the mailed link was opened: the embedded Auth says so in the fragment of the address. */
function LinkOutcome() {
  const hash = useSyncExternalStore(subscribeToHash, readHash, () => "");
  const text = outcomes[new URLSearchParams(hash.slice(1)).get("email_change") ?? ""];
  if (!text) return null;
  return (
    <p role="status" className="rounded-md bg-sage p-4 font-medium">
      {text}
    </p>
  );
}

function subscribeToHash(onChange: () => void): () => void {
  window.addEventListener("hashchange", onChange);
  return () => window.removeEventListener("hashchange", onChange);
}

function readHash(): string {
  return window.location.hash;
}
