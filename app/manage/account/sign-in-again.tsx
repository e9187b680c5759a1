// Asks an account to sign in again before something that an unlocked computer must not give away. The server checks that the
// session of the request has just begun.
import { type FormEvent, type RefObject, useId, useState } from "react";
import { describeAuthFailure } from "../../auth/auth-failure.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import { describeCodeFailure } from "../../auth/second-step.tsx";
import { hasApp } from "../../auth/stored-account.ts";
import { fieldText } from "../../forms/field-text.ts";
import { getSeparateClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { Button } from "../button.tsx";
import { DialogActions } from "../confirm-dialog.tsx";
import { useReload } from "../live-query.ts";
import { focusHeading } from "../manage-frame.tsx";

interface SignInAgainProps {
  ref: RefObject<HTMLDialogElement | null>;
  title: string;
  text: string;
  confirm: string;
  /** @param client with the new session, which then ends. What it throws is shown. Afterwards, the page is read again */
  onSignedIn: (client: Client) => Promise<void>;
  onClose?: () => void;
}

/** `ref.current.showModal()` opens it. */
export function SignInAgain(props: SignInAgainProps) {
  const { ref, title, text, confirm, onSignedIn, onClose } = props;
  const { user } = useAuth();
  const id = useId();
  const reload = useReload();
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<string>();
  const email = user?.email ?? "";

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    setRunning(true);
    setFailure(undefined);
    try {
      const client = await getSeparateClient();
      try {
        await prove(client, email, String(data.get("password")), fieldText(data, "code"));
        await onSignedIn(client);
      } finally {
        await client.auth.signOut({ scope: "local" });
      }
      form.reset();
      await reload();
      ref.current?.close();
      // The button that opened it may be gone.
      if (document.activeElement === document.body) focusHeading();
    } catch (error) {
      setFailure(describeAuthFailure(error as Error));
    } finally {
      setRunning(false);
    }
  }

  return (
    <dialog
      ref={ref}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={() => {
        setFailure(undefined);
        onClose?.();
      }}
      className="m-auto w-[min(30rem,calc(100vw-2rem))] rounded-lg border border-line bg-surface p-6 text-left text-ink shadow-lift sm:p-8"
    >
      <h2 id={`${id}-title`} className="text-2xl">
        {title}
      </h2>
      <p id={`${id}-text`} className="mt-3 text-base text-muted">
        {text}
      </p>
      <form onSubmit={submit} className="mt-5 space-y-4">
        {/* For password managers. */}
        <input type="email" value={email} autoComplete="username" readOnly hidden />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        {user && hasApp(user) && (
          <TextField
            label="Code of your authenticator app"
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            required
          />
        )}
        <FormFailure text={failure} />
        <DialogActions dialog={ref}>
          <Button look="primary" type="submit" disabled={isRunning}>
            {isRunning ? "Checking..." : confirm}
          </Button>
        </DialogActions>
      </form>
    </dialog>
  );
}

/** @throws an Error with a sentence for the person */
async function prove({ auth }: Client, email: string, password: string, typed: string) {
  const { data, error } = await auth.signInWithPassword({ email, password });
  if (error?.code === "invalid_credentials") throw new Error("This is not your current password.");
  if (error) throw error;
  const apps = data.user.factors?.filter(({ status }) => status === "verified") ?? [];
  let problem: Error | undefined;
  for (const { id: factorId } of apps) {
    const code = typed.replace(/\D/g, "");
    const { error } = await auth.mfa.challengeAndVerify({ factorId, code });
    if (!error) return;
    problem = new Error(describeCodeFailure(error));
  }
  if (problem) throw problem;
}
