import { type FormEvent, Suspense, useState } from "react";
import { Link } from "react-router";
import { useSendsMail } from "../config/use-site.ts";
import { fieldText } from "../forms/field-text.ts";
import { lazyPart } from "../loading/lazy-part.tsx";
import { unlistedMeta } from "../seo/page-meta.ts";
import { buttonClass } from "../ui/button-class.ts";
import { TextField } from "../ui/field.tsx";
import { FormFailure } from "../ui/form-errors.tsx";
import { LoadFailure } from "../ui/load-state.tsx";
import type { Route } from "./+types/forgot-password-page";
import { AuthCard, NeedsScripts, rejectPost } from "./auth-form.tsx";
import { useAuth } from "./auth-provider.tsx";
import type { UseRecoveryCodeProps } from "./use-recovery-code.tsx";

export const action = rejectPost;

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta({ matches }, "Forgot Password");
}

const UseRecoveryCode = lazyPart<UseRecoveryCodeProps>(
  () => import("./use-recovery-code.tsx"),
  ({ onRetry }) => <LoadFailure what="This page" onRetry={onRetry} className="wrap py-16" />,
);

export default function ForgotPasswordPage({ actionData }: Route.ComponentProps) {
  const { sendPasswordReset } = useAuth();
  const sendsMail = useSendsMail();
  const [submitting, setSubmitting] = useState(false);
  const [sent, setSent] = useState(false);
  const [failure, setFailure] = useState(actionData);
  const [hasCode, setHasCode] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = fieldText(new FormData(event.currentTarget), "email");
    setSubmitting(true);
    setFailure(undefined);
    const { error } = await sendPasswordReset(email);
    setSubmitting(false);
    if (error) setFailure(error.message);
    else setSent(true);
  }

  if (hasCode) {
    return (
      <Suspense fallback={<AuthCard title="Use a recovery code" lead="Loading..." />}>
        <UseRecoveryCode onLeave={sendsMail ? () => setHasCode(false) : undefined} />
      </Suspense>
    );
  }
  return (
    <AuthCard
      title="Forgot your password?"
      lead={
        sendsMail
          ? "We send a link to set a new one."
          : "This site cannot send emails yet. A recovery code lets you set a new password. Without one, ask the person who runs its server for a new password."
      }
    >
      {!sendsMail ? null : sent ? (
        <p role="status" className="mt-8 rounded-md bg-sage p-4">
          If that address has an account, a link is on its way. It works for one hour.
        </p>
      ) : (
        <form method="post" onSubmit={submit} className="mt-8 space-y-5">
          <NeedsScripts what="Asking for a link" />
          <TextField label="Email" name="email" type="email" autoComplete="username" required />
          <FormFailure text={failure} />
          <button
            type="submit"
            className={`${buttonClass("primary")} w-full`}
            disabled={submitting}
          >
            {submitting ? "Sending..." : "Send the link"}
          </button>
        </form>
      )}
      <button
        type="button"
        className={`${buttonClass("secondary")} mt-6 w-full`}
        onClick={() => setHasCode(true)}
      >
        I have a recovery code
      </button>
      <p className="mt-6 text-center text-sm">
        <Link to="/login" className="font-medium text-evergreen underline underline-offset-4">
          Back to the login
        </Link>
      </p>
    </AuthCard>
  );
}
