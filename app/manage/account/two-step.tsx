// Turns the two-step sign-in of the account on and off.
import { type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { describeAuthFailure } from "../../auth/auth-failure.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import { describeCodeFailure } from "../../auth/second-step.tsx";
import { useSite } from "../../config/use-site.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { showToast } from "../../ui/toast.ts";
import { Button } from "../button.tsx";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { useReload } from "../live-query.ts";
import { useAction } from "../use-action.ts";
import { enrollApp, type NewApp, removeApps } from "./account.ts";

interface TwoStepProps {
  apps: string[];
  /** How many recovery codes still work. */
  codes: number;
}

export function TwoStep({ apps, codes }: TwoStepProps) {
  const part = useRef<HTMLDivElement>(null);
  /** After the control that had it is gone. */
  const moveFocus = () => part.current?.focus();
  return (
    <div ref={part} tabIndex={-1} className="mt-5 space-y-4 outline-none">
      {apps.length > 0 ? (
        <TurnedOn apps={apps} codes={codes} onChanged={moveFocus} />
      ) : (
        <TurnedOff onChanged={moveFocus} />
      )}
    </div>
  );
}

interface Changing {
  onChanged: () => void;
}

function TurnedOff({ onChanged }: Changing) {
  const { firm } = useSite();
  const [app, setApp] = useState<NewApp | null>(null);
  const { failure, isRunning, run } = useAction();

  function show(next: NewApp | null) {
    flushSync(() => setApp(next));
    onChanged();
  }

  function start() {
    const failed = { title: "Turning it on failed" };
    void run(async (client) => show(await enrollApp(client, firm.name)), null, failed);
  }

  if (app) return <ConfirmApp app={app} onCancel={() => show(null)} onChanged={onChanged} />;
  return (
    <>
      <FormFailure text={failure} />
      <Button disabled={isRunning} onClick={start}>
        {isRunning ? "Preparing..." : "Turn on"}
      </Button>
    </>
  );
}

interface ConfirmAppProps extends Changing {
  app: NewApp;
  onCancel: () => void;
}

function ConfirmApp({ app, onCancel, onChanged }: ConfirmAppProps) {
  const reload = useReload();
  const { refresh } = useAuth();
  const [problem, setProblem] = useState<string>();
  const [submitting, setSubmitting] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const code = String(new FormData(form).get("code")).replace(/\D/g, "");
    setSubmitting(true);
    const found = await confirm(code);
    // Render the error before moving focus, so screen readers announce it with the field.
    flushSync(() => {
      setSubmitting(false);
      setProblem(found);
    });
    if (found) form.querySelector("input")?.focus();
  }

  /** @returns the problem, as a sentence */
  async function confirm(code: string): Promise<string | undefined> {
    if (code.length !== 6) return "The code has six digits.";
    try {
      const client = await getBrowserClient();
      const { error } = await client.auth.mfa.challengeAndVerify({ factorId: app.id, code });
      if (error) return describeCodeFailure(error);
      showToast({ tone: "success", title: "Two-step sign-in is on" });
      refresh();
      await reload();
      onChanged();
      return undefined;
    } catch (error) {
      // A failed import or request, which are errors.
      return describeAuthFailure(error as Error);
    }
  }

  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <p>
        Scan this image with an authenticator app, for example the one of your password manager,
        Google Authenticator or 2FAS. Then enter the code that it shows.
      </p>
      <img
        src={app.image}
        alt="QR code for the authenticator app"
        className="size-48 rounded-md border border-line bg-white p-2"
      />
      <p>
        <span>Without a camera, enter this key: </span>
        <code className="font-semibold wrap-anywhere select-all">{grouped(app.secret)}</code>
      </p>
      <TextField
        label="Code"
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        error={problem}
      />
      <div className="flex flex-wrap gap-3">
        <Button look="primary" type="submit" disabled={submitting}>
          {submitting ? "Checking..." : "Confirm"}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

function TurnedOn({ apps, codes, onChanged }: TwoStepProps & Changing) {
  const reload = useReload();
  const { refresh } = useAuth();
  const { failure, isRunning, run } = useAction();
  const dialog = useRef<HTMLDialogElement>(null);

  async function turnOff() {
    await run(
      async (client) => {
        await removeApps(client, apps);
        dialog.current?.close();
        refresh();
        await reload();
        onChanged();
      },
      { title: "Two-step sign-in is off" },
      { title: "Turning it off failed" },
    );
  }

  return (
    <>
      <p className="rounded-md bg-sage p-4">
        {codes > 0
          ? "It is on. Without the app, one of your recovery codes below lets you in."
          : "It is on. Make recovery codes below: without the app, only one of them lets you in."}
      </p>
      <FormFailure text={failure} />
      <div className="flex flex-wrap gap-3">
        <Button look="quietDanger" disabled={isRunning} onClick={() => dialog.current?.showModal()}>
          Turn off
        </Button>
        <ConfirmDialog
          ref={dialog}
          title="Turn off the two-step sign-in?"
          text="Whoever knows your password can then sign in."
          confirm="Turn off"
          busy={isRunning}
          onConfirm={turnOff}
        />
      </div>
    </>
  );
}

/** In groups of four, as apps show it. */
function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, "$1 ");
}
