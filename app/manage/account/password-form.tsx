import { type FormEvent, useState } from "react";
import { flushSync } from "react-dom";
import { useRevalidator } from "react-router";
import { passwordProblem } from "../../../supabase/functions/_shared/password.ts";
import { messageOf, useSubmission } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { changePassword, WrongPassword } from "./account.ts";

interface Problems {
  current?: string;
  password?: string;
}

/** @param email lets a password manager save the new password for the right account */
export function PasswordForm({ email }: { email: string }) {
  const { revalidate } = useRevalidator();
  const [problems, setProblems] = useState<Problems>({});
  const { failure, submitting, run } = useSubmission({
    sent: { title: "Password changed", description: "All other devices were signed out." },
    onSent: revalidate,
    describeFailure: (error) =>
      error instanceof WrongPassword
        ? null
        : {
            title: "Saving failed",
            description: messageOf(error) || "The password was not changed. Please try again.",
          },
  });

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    // A password may begin or end with a blank.
    const [current, password] = [String(data.get("current")), String(data.get("password"))];
    const found = findProblems(current, password);
    show(form, found);
    if (found.current || found.password) return;
    await run(async () => {
      try {
        await changePassword(await getBrowserClient(), current, password);
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
      <input type="email" value={email} autoComplete="username" readOnly hidden />
      <TextField
        label="Current password"
        name="current"
        type="password"
        autoComplete="current-password"
        required
        error={problems.current}
      />
      <TextField
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        error={problems.password}
      />
      <FormFailure text={failure} />
      <button type="submit" className={buttonClass("secondary")} disabled={submitting}>
        {submitting ? "Saving..." : "Save password"}
      </button>
    </form>
  );
}

function findProblems(current: string, password: string): Problems {
  return {
    current: current === "" ? "Please enter your current password." : undefined,
    password: passwordProblem(password) ?? undefined,
  };
}
