import { type FormEvent, useState } from "react";
import { flushSync } from "react-dom";
import { useRevalidator } from "react-router";
import { emailSchema } from "../../../supabase/functions/_shared/invitation.ts";
import { fieldText, messageOf, useSubmission } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { requestEmailChange, WrongPassword } from "./account.ts";

interface EmailFormProps {
  email: string;
  /** An address that waits for its confirmation. */
  pending: string | null;
}

interface Problems {
  email?: string | undefined;
  current?: string | undefined;
}

export function EmailForm({ email, pending }: EmailFormProps) {
  const { revalidate } = useRevalidator();
  const [problems, setProblems] = useState<Problems>({});
  const { failure, submitting, run } = useSubmission({
    sent: { title: "Link Sent", description: "Open it to confirm the new address." },
    onSent: revalidate,
    describeFailure: (error) =>
      error instanceof WrongPassword
        ? null
        : {
            title: "Sending failed",
            description: messageOf(error) || "The address was not changed. Please try again.",
          },
  });

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const typed = emailSchema.safeParse(fieldText(data, "new-email"));
    const current = String(data.get("current"));
    const found = {
      email: typed.success
        ? typed.data === email.toLowerCase()
          ? "This is your address already."
          : undefined
        : typed.error.issues[0]?.message,
      current: current === "" ? "Please enter your current password." : undefined,
    };
    show(form, found);
    if (!typed.success || found.email || found.current) return;
    await run(async () => {
      try {
        await requestEmailChange(await getBrowserClient(), current, typed.data);
        form.reset();
      } catch (error) {
        if (error instanceof WrongPassword) show(form, { current: error.message });
        throw error;
      }
    });
  }

  function show(form: HTMLFormElement, found: Problems): void {
    // Render the error before moving focus, so screen readers announce it with the field.
    flushSync(() => setProblems(found));
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  return (
    <form onSubmit={submit} noValidate className="mt-5 space-y-4">
      {pending && (
        <p role="status" className="rounded-md bg-sage p-4 [overflow-wrap:anywhere]">
          Mails were sent to <strong>{pending}</strong> and to {email}. Until the links in them are
          confirmed, you sign in with {email}. A link works once and for one hour.
        </p>
      )}
      <TextField
        label="New e-mail address"
        name="new-email"
        type="email"
        autoComplete="email"
        required
        error={problems.email}
      />
      <TextField
        label="Password"
        name="current"
        type="password"
        autoComplete="current-password"
        required
        error={problems.current}
      />
      <FormFailure text={failure} />
      <button type="submit" className={buttonClass("secondary")} disabled={submitting}>
        {submitting ? "Sending..." : "Send the link"}
      </button>
    </form>
  );
}
