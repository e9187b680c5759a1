// The second step of a sign-in, on the login page and where a mailed link is used. Loaded on demand: visitors do not need it.
import { type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { getBrowserClient } from "../supabase/browser-client.ts";
import type { Client } from "../supabase/client-context.ts";
import { buttonClass } from "../ui/button-class.ts";
import { TextField } from "../ui/field.tsx";
import { showToast } from "../ui/toast.ts";
import { type AuthFailure, describeAuthFailure } from "./auth-failure.ts";
import { AuthCard } from "./auth-form.tsx";
import { useAuth } from "./auth-provider.tsx";

export interface SecondStepProps {
  /** The address of the account. */
  email: string;
  /** Offers to leave this account. */
  canLeave?: boolean;
  /** @param hasUsedRecoveryCode whether the second step is off now; a toast says so */
  onDone: (hasUsedRecoveryCode: boolean) => void;
}

export default function SecondStep({ email, canLeave = false, onDone }: SecondStepProps) {
  const { signOut } = useAuth();
  const [isRecovering, setRecovering] = useState(false);
  const [typed, setTyped] = useState({ code: "", recovery: "" });
  const [problem, setProblem] = useState<string>();
  const [submitting, setSubmitting] = useState(false);
  const field = useRef<HTMLDivElement>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setSubmitting(true);
    const found = isRecovering ? await recover(typed.recovery) : await enterCode(typed.code);
    flushSync(() => {
      setSubmitting(false);
      setProblem(found);
    });
    if (found) return field.current?.querySelector("input")?.focus();
    if (isRecovering) {
      showToast({
        tone: "success",
        title: "Two-step sign-in is off",
        description: "Turn it on again with your new app, on the page of your account.",
      });
    }
    onDone(isRecovering);
  }

  function change(recovering: boolean) {
    flushSync(() => {
      setRecovering(recovering);
      setProblem(undefined);
    });
    field.current?.querySelector("input")?.focus();
  }

  return (
    <AuthCard
      title={isRecovering ? "Use a recovery code" : "Enter your code"}
      lead={
        <span className="wrap-anywhere">
          {isRecovering
            ? `One of the codes that you stored for ${email}. It turns the two-step sign-in off and ends your other sessions.`
            : `Open your authenticator app. It shows a code for ${email}.`}
        </span>
      }
    >
      <form method="post" onSubmit={submit} className="mt-8 space-y-5" noValidate>
        <div ref={field}>
          {isRecovering ? (
            <TextField
              key="recovery"
              label="Recovery code"
              name="recovery"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={typed.recovery}
              onChange={({ target }) => setTyped({ ...typed, recovery: target.value })}
              error={problem}
            />
          ) : (
            <TextField
              key="code"
              label="Code"
              name="code"
              autoComplete="one-time-code"
              inputMode="numeric"
              value={typed.code}
              onChange={({ target }) => setTyped({ ...typed, code: target.value })}
              error={problem}
            />
          )}
        </div>
        <button type="submit" className={`${buttonClass("primary")} w-full`} disabled={submitting}>
          {submitting ? "Checking..." : "Continue"}
        </button>
      </form>
      <div className="mt-6 flex flex-col items-center gap-3 text-sm">
        <button type="button" className={linkClass} onClick={() => change(!isRecovering)}>
          {isRecovering ? "Use the authenticator app" : "Use a recovery code"}
        </button>
        {canLeave && (
          <button type="button" className={linkClass} onClick={signOut}>
            Sign in with another account
          </button>
        )}
      </div>
    </AuthCard>
  );
}

const linkClass = "font-medium text-evergreen underline underline-offset-4";

/** @returns the problem, as a sentence */
async function enterCode(typed: string): Promise<string | undefined> {
  const code = typed.replace(/\D/g, "");
  if (code.length !== 6) return "The code has six digits.";
  try {
    const { auth } = await getBrowserClient();
    const { data, error } = await auth.mfa.listFactors();
    if (error) return describeCodeFailure(error);
    let failure: AuthFailure | null = null;
    for (const { id } of data.totp) {
      ({ error: failure } = await auth.mfa.challengeAndVerify({ factorId: id, code }));
      if (!failure) return undefined;
    }
    if (failure) return describeCodeFailure(failure);
    // The app was removed meanwhile.
    return describeRefresh(await auth.refreshSession());
  } catch (error) {
    // A failed import or request, which are errors.
    return describeAuthFailure(error as Error);
  }
}

/** @returns the problem, as a sentence */
async function recover(code: string): Promise<string | undefined> {
  if (!/[0-9a-f]/i.test(code)) return "Please enter one of your recovery codes.";
  try {
    const client: Client = await getBrowserClient();
    const { data, error, status } = await client.rpc("use_recovery_code", { code });
    if (error) return describeAuthFailure({ name: "", message: error.message, status });
    if (!data) return "This recovery code is wrong or was used already.";
    return describeRefresh(await client.auth.refreshSession());
  } catch (error) {
    return describeAuthFailure(error as Error);
  }
}

function describeRefresh({ error }: { error: AuthFailure | null }): string | undefined {
  return error ? describeCodeFailure(error) : undefined;
}

/** The sentence for an error of Auth about a code. */
export function describeCodeFailure(error: AuthFailure & { code?: string | undefined }): string {
  if (error.code === "mfa_verification_failed") {
    return "This code is wrong, or was used already. Enter the one that the app shows now.";
  }
  if (error.code === "mfa_challenge_expired" || error.code === "mfa_ip_address_mismatch") {
    return "That took too long. Enter the code that the app shows now.";
  }
  return describeAuthFailure(error);
}
