import { type FormEvent, useEffect, useState, useSyncExternalStore } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { useSite } from "../config/use-site.ts";
import { fieldText } from "../forms/field-text.ts";
import { unlistedMeta } from "../seo/page-meta.ts";
import { buttonClass } from "../ui/button-class.ts";
import { TextField } from "../ui/field.tsx";
import { FormFailure } from "../ui/form-errors.tsx";
import { showToast } from "../ui/toast.ts";
import type { Route } from "./+types/login-page";
import {
  AuthCard,
  NeedsScripts,
  rejectPost,
  ShortLoginNote,
  subscribeToNothing,
} from "./auth-form.tsx";
import { loadProfile, useAuth } from "./auth-provider.tsx";
import { useLandingPath } from "./landing-path.ts";
import { SecondStep } from "./second-step-part.tsx";
import type { Profile } from "./stored-account.ts";

export const action = rejectPost;

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta({ matches }, "Admin Login");
}

export default function LoginPage({ actionData }: Route.ComponentProps) {
  const { signIn, user, loading, secondStepOf } = useAuth();
  const site = useSite();
  const [submitting, setSubmitting] = useState(false);
  const [failure, setFailure] = useState(actionData);
  const navigate = useNavigate();
  const landing = useLandingPath();
  const { state } = useLocation();
  // A reload keeps the state of the history, which the server does not know.
  const wasSignedIn = useSyncExternalStore(
    subscribeToNothing,
    () => state?.wasSignedIn === true,
    () => false,
  );

  useEffect(() => {
    if (landing) navigate(landing, { replace: true });
  }, [landing, navigate]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setSubmitting(true);
    setFailure(undefined);
    const [email, password] = [fieldText(data, "email"), String(data.get("password"))];
    const { error, profile, lacksSecondStep } = await signIn(email, password);
    setSubmitting(false);
    if (error) return setFailure(error.message);
    if (!lacksSecondStep) greet(profile);
  }

  function greet(profile: Profile | null) {
    showToast({
      tone: "success",
      title: "Login Successful!",
      description: welcome(profile, site.adviser.name),
    });
  }

  async function finish(hasUsedRecoveryCode: boolean) {
    if (!hasUsedRecoveryCode) greet(await loadProfile().catch(() => null));
  }

  if (secondStepOf !== null) {
    return <SecondStep email={secondStepOf} canLeave onDone={finish} />;
  }
  return (
    <AuthCard
      title="Admin Access"
      lead="Please log in to manage your content."
      // A signed-in user is on the way to another page.
      className={loading || user ? "session:invisible" : ""}
    >
      {wasSignedIn && (
        <p role="status" className="mt-6 rounded-md bg-sage p-4">
          You are signed out. If you did not do this, your account was removed, or signed out on
          another device.
        </p>
      )}
      <NeedsScripts what="Signing in" />
      <ShortLoginNote />
      <form method="post" onSubmit={submit} className="mt-8 space-y-5">
        <TextField label="Email" name="email" type="email" autoComplete="username" required />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <FormFailure text={failure} />
        <button type="submit" className={`${buttonClass("primary")} w-full`} disabled={submitting}>
          {submitting ? "Logging in..." : "Log In"}
        </button>
      </form>
      <p className="mt-6 text-center text-sm">
        <Link
          to="/forgot-password"
          className="font-medium text-evergreen underline underline-offset-4"
        >
          Forgot your password?
        </Link>
      </p>
    </AuthCard>
  );
}

/** Addresses an owner without a name of their own by the adviser's, and others without one by none. */
function welcome(profile: Profile | null, adviser: string): string {
  const name = profile?.name || (profile?.role === "owner" && adviser);
  return name ? `Welcome back, ${name}!` : "Welcome back!";
}
