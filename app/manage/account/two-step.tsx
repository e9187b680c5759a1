// Turns the two-step sign-in of the account on and off, and shows its recovery codes once.
import { type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { describeAuthFailure } from "../../auth/auth-failure.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import { describeCodeFailure } from "../../auth/second-step.tsx";
import { useSite } from "../../config/use-site.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { showToast } from "../../ui/toast.ts";
import { Button, CopyButton } from "../button.tsx";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { useReload } from "../live-query.ts";
import { useAction } from "../use-action.ts";
import { createRecoveryCodes, enrollApp, type NewApp, removeApps } from "./account.ts";

export function TwoStep({ apps }: { apps: string[] }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const reload = useReload();
  if (codes) return <RecoveryCodes codes={codes} onStored={() => setCodes(null)} />;
  return apps.length > 0 ? (
    <TurnedOn apps={apps} onCodes={setCodes} />
  ) : (
    <TurnedOff
      onCodes={(created) => {
        setCodes(created);
        reload();
      }}
    />
  );
}

function TurnedOff({ onCodes }: { onCodes: (codes: string[] | null) => void }) {
  const { firm } = useSite();
  const [app, setApp] = useState<NewApp | null>(null);
  const { failure, isRunning, run } = useAction();

  function start() {
    const failed = { title: "Turning it on failed" };
    void run(async (client) => setApp(await enrollApp(client, firm.name)), null, failed);
  }

  if (app) return <ConfirmApp app={app} onCancel={() => setApp(null)} onCodes={onCodes} />;
  return (
    <div className="mt-5 space-y-4">
      <FormFailure text={failure} />
      <Button disabled={isRunning} onClick={start}>
        {isRunning ? "Preparing..." : "Turn on"}
      </Button>
    </div>
  );
}

interface ConfirmAppProps {
  app: NewApp;
  onCancel: () => void;
  onCodes: (codes: string[] | null) => void;
}

function ConfirmApp({ app, onCancel, onCodes }: ConfirmAppProps) {
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
      onCodes(await createRecoveryCodes(client).catch(reportMissingCodes));
      refresh();
      return undefined;
    } catch (error) {
      // A failed import or request, which are errors.
      return describeAuthFailure(error as Error);
    }
  }

  return (
    <form onSubmit={submit} noValidate className="mt-5 space-y-4">
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

function TurnedOn({ apps, onCodes }: { apps: string[]; onCodes: (codes: string[]) => void }) {
  const reload = useReload();
  const { refresh } = useAuth();
  const { failure, isRunning, run } = useAction();
  const dialog = useRef<HTMLDialogElement>(null);

  function renew() {
    const failed = { title: "Making codes failed" };
    void run(async (client) => onCodes(await createRecoveryCodes(client)), null, failed);
  }

  async function turnOff() {
    await run(
      async (client) => {
        await removeApps(client, apps);
        dialog.current?.close();
        refresh();
        await reload();
      },
      { title: "Two-step sign-in is off" },
      { title: "Turning it off failed" },
    );
  }

  return (
    <div className="mt-5 space-y-4">
      <p className="rounded-md bg-sage p-4">
        It is on. Without the app, one of your recovery codes lets you in.
      </p>
      <FormFailure text={failure} />
      <div className="flex flex-wrap gap-3">
        <Button disabled={isRunning} onClick={renew}>
          New recovery codes
        </Button>
        <Button look="quietDanger" disabled={isRunning} onClick={() => dialog.current?.showModal()}>
          Turn off
        </Button>
      </div>
      <ConfirmDialog
        ref={dialog}
        title="Turn off the two-step sign-in?"
        text="Whoever knows your password can then sign in. Your recovery codes stop working."
        confirm="Turn off"
        busy={isRunning}
        onConfirm={turnOff}
      />
    </div>
  );
}

function RecoveryCodes({ codes, onStored }: { codes: string[]; onStored: () => void }) {
  const { firm } = useSite();
  const text = codes.join("\n");
  return (
    <div className="mt-5 space-y-4">
      <p>
        <strong>Store these recovery codes now: </strong>
        <span>
          they are not shown again, and replace all earlier ones. If you lose your phone, one of
          them lets you in. Keep them where your password is not.
        </span>
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid gap-x-6 gap-y-1 rounded-md border border-line p-4 font-mono sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={text} copied="Codes Copied" advice="Select the codes instead.">
          Copy
        </CopyButton>
        <a
          download="recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`Recovery codes, ${firm.name}\n\n${text}\n`.toWellFormed())}`}
          className={buttonClass("secondary", "small")}
        >
          Download
        </a>
        <Button onClick={() => window.print()}>Print</Button>
      </div>
      <Button look="primary" onClick={onStored}>
        I have stored them
      </Button>
    </div>
  );
}

function reportMissingCodes(): null {
  const description = "Choose 'New recovery codes' to try again.";
  showToast({ tone: "error", title: "There are no recovery codes yet", description });
  return null;
}

/** In groups of four, as apps show it. */
function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, "$1 ");
}
