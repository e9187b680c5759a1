// Uses a link of an account: to choose a password, to confirm an address, or to set up a new site. Loaded on demand: visitors do
// not need it.
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Link, useNavigate } from "react-router";
import type { LinkType } from "../../supabase/functions/_shared/confirm-link.ts";
import { emailSchema } from "../../supabase/functions/_shared/invitation.ts";
import type { Task } from "../../supabase/functions/_shared/roles.ts";
import { useSite } from "../config/use-site.ts";
import { fieldText } from "../forms/field-text.ts";
import type { FormErrors } from "../forms/use-form-submit.ts";
import { loadModule } from "../loading/load-module.ts";
import { getBrowserClient, projectUrl, readPublicSettings } from "../supabase/browser-client.ts";
import { fetchWithTimeout } from "../supabase/fetch-with-timeout.ts";
import { buttonClass } from "../ui/button-class.ts";
import { TextField } from "../ui/field.tsx";
import { FormFailure } from "../ui/form-errors.tsx";
import { showToast } from "../ui/toast.ts";
import { type AuthFailure, describeAuthFailure } from "./auth-failure.ts";
import { AuthCard } from "./auth-form.tsx";
import { useAuth } from "./auth-provider.tsx";
import { useLandingPath } from "./landing-path.ts";
import { SecondStep } from "./second-step-part.tsx";

/** What a link is for: its type and secret are in the fragment of the address. */
export interface AccountLink {
  type: LinkType | "setup";
  token: string;
}

export default function UseLink({ type, token }: AccountLink) {
  if (type === "setup") return <CreateOwner token={token} />;
  if (type === "email_change") return <ConfirmAddress token={token} />;
  return <PasswordByLink type={type} token={token} />;
}

/** Creates the first account of a new site, which then opens its setup. */
function CreateOwner({ token }: { token: string }) {
  const { signIn } = useAuth();
  const [submitting, setSubmitting] = useState(false);
  const [problems, setProblems] = useState<FormErrors>({});
  const [failure, setFailure] = useState<string>();
  const [isExpired, setExpired] = useState(false);
  const navigate = useNavigate();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const [email, password] = [fieldText(data, "email"), String(data.get("password"))];
    setSubmitting(true);
    setFailure(undefined);
    const found = await findProblems(email, password);
    const refusal =
      Object.keys(found).length > 0 ? null : await createOwner({ token, email, password });
    if (refusal?.code === "otp_expired") return setExpired(true);
    if (refusal?.code === "weak_password") found.password = refusal.message;
    else if (refusal?.code === "email_exists") found.email = refusal.message;
    else if (refusal) setFailure(describeAuthFailure(refusal));
    // Render the error before moving focus, so screen readers announce it with the field.
    flushSync(() => setProblems(found));
    form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    if (refusal || Object.keys(found).length > 0) return setSubmitting(false);
    const { error } = await signIn(email, password);
    navigate(error ? "/login" : "/manage/setup", { replace: true });
  }

  if (isExpired) {
    return (
      <AuthCard
        title="This link no longer works"
        lead="It has been used, is older than 24 hours, or somebody has logged in as the owner since. If that was you, log in. Otherwise get a new link with the command that showed you this one."
      >
        <Link to="/login" className={`${buttonClass("secondary")} mt-8 w-full`}>
          Log in
        </Link>
      </AuthCard>
    );
  }
  return (
    <AuthCard
      title="Your new site"
      lead="Choose the email address and the password with which you will log in. Then the site asks you a few questions about your firm."
    >
      <form method="post" onSubmit={submit} className="mt-8 space-y-5" noValidate>
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          error={problems.email}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          error={problems.password}
        />
        <FormFailure text={failure} />
        <SubmitButton submitting={submitting}>Start the setup</SubmitButton>
      </form>
    </AuthCard>
  );
}

async function findProblems(email: string, password: string): Promise<FormErrors> {
  const found: FormErrors = {};
  const address = emailSchema.safeParse(email);
  if (!address.success) found.email = address.error.issues[0]?.message;
  const weakness = await findProblem(password, [email]);
  if (weakness) found.password = weakness;
  return found;
}

/** A call that supabase-js does not have. @returns the reason of the failure */
async function createOwner(
  body: Record<"token" | "email" | "password", string>,
): Promise<(AuthFailure & { code?: string }) | null> {
  const { anonKey } = readPublicSettings();
  try {
    const response = await fetchWithTimeout(new URL("/auth/v1/setup", projectUrl()), {
      method: "POST",
      headers: { apikey: anonKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.ok) return null;
    const { status } = response;
    const { error_code, msg } = await response.json().catch(() => ({}));
    return { name: "", status, code: String(error_code), message: String(msg ?? "") };
  } catch {
    return { name: "", status: 0, message: "" };
  }
}

function PasswordByLink({ type, token }: { type: "recovery" | "invite"; token: string }) {
  const { openLink } = useAuth();
  const isInvitation = type === "invite";
  return (
    <ChoosePassword
      isInvitation={isInvitation}
      title={isInvitation ? "Accept your invitation" : "Set a new password"}
      lead={
        isInvitation
          ? "Choose a password to join the people who manage this site."
          : "It replaces your password and signs you out everywhere else."
      }
      open={() => openLink(type, token)}
    />
  );
}

interface ChoosePasswordProps {
  isInvitation?: boolean;
  title: string;
  lead: string;
  /** What proves the account besides a link, until it is used. */
  fields?: ReactNode;
  /** Below the form. */
  children?: ReactNode;
  /** Signs in without a password, once. */
  open: (data: FormData) => ReturnType<ReturnType<typeof useAuth>["openLink"]>;
}

export function ChoosePassword(props: ChoosePasswordProps) {
  const { isInvitation = false, title, lead, fields, children, open } = props;
  const { setPassword, tasks, secondStepOf } = useAuth();
  const { isDefault } = useSite();
  const [isDone, setDone] = useState(false);
  const [submitting, setSubmitting] = useState(false);
  const [problem, setProblem] = useState<string>();
  /** Why the fields were not accepted. */
  const [failure, setFailure] = useState<string>();
  const [isExpired, setExpired] = useState(false);
  /** The state after the link is used. It works once; the person may still set another password. */
  const [account, setAccount] = useState<string>();
  /** The password that waits for the second step. */
  const [waiting, setWaiting] = useState<string>();
  const [hasEnteredCode, setEnteredCode] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const landing = useLandingPath();

  // The role, on which the next step depends, is read after the link was used.
  useEffect(() => {
    if (!isDone || !landing) return;
    showToast({
      tone: "success",
      title: isInvitation ? "Invitation Accepted" : "Password changed",
      description: isInvitation
        ? `You are signed in as ${account}. ${nextStep(tasks, isDefault)}`
        : `Sign in as ${account} with it from now on.`,
    });
    navigate(landing, { replace: true });
  }, [isDone, landing, isInvitation, account, tasks, isDefault, navigate]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const password = String(data.get("password"));
    setSubmitting(true);
    setFailure(undefined);
    const weakness = await findProblem(password);
    if (weakness) return finish(weakness);
    let [email, lacksSecondStep] = [account, secondStepOf !== null];
    if (email === undefined) {
      const opened = await open(data);
      if (opened.isExpired) setExpired(true);
      if (opened.failure && fields) {
        setFailure(opened.failure);
        setProblem(undefined);
        setSubmitting(false);
        return;
      }
      if (opened.failure) return finish(opened.failure);
      ({ email = "", lacksSecondStep = false } = opened);
      setAccount(email);
    }
    if (lacksSecondStep) setWaiting(password);
    else finish(await save(email, password, hasEnteredCode));
  }

  function finish(failure: string | undefined) {
    // Render the error before moving focus, so screen readers announce it with the field.
    flushSync(() => {
      setWaiting(undefined);
      setProblem(failure);
      if (failure) setSubmitting(false);
      else setDone(true);
    });
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  /** @returns the reason of the failure */
  async function save(email: string, password: string, isProven: boolean) {
    const { error } = await setPassword(password);
    // A session that has entered a code stays, because another one would need one more.
    if (!error && !isProven) await replaceSession(email, password).catch(() => {});
    return error?.message;
  }

  async function saveAfterCode(email: string, password: string) {
    setEnteredCode(true);
    finish(await save(email, password, true));
  }

  if (waiting !== undefined && account !== undefined) {
    return <SecondStep email={account} onDone={() => saveAfterCode(account, waiting)} />;
  }

  if (isExpired && isInvitation) {
    return (
      <AuthCard
        title="This invitation has expired"
        lead="An invitation works once, and for a short time only. Ask the owner of the site for a new one."
      >
        <Link to="/login" className={`${buttonClass("secondary")} mt-8 w-full`}>
          I have a password already
        </Link>
      </AuthCard>
    );
  }
  if (isExpired) {
    return (
      <AuthCard title="This link has expired" lead="A reset link works once and for one hour.">
        <Link to="/forgot-password" className={`${buttonClass("primary")} mt-8 w-full`}>
          Send a new link
        </Link>
      </AuthCard>
    );
  }
  return (
    <AuthCard title={title} lead={lead}>
      <form ref={form} method="post" onSubmit={submit} className="mt-8 space-y-5" noValidate>
        {account === undefined && <div className="space-y-5 empty:hidden">{fields}</div>}
        <TextField
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          error={problem}
        />
        <FormFailure text={failure} />
        <SubmitButton submitting={submitting}>
          {isInvitation ? "Accept invitation" : "Save password"}
        </SubmitButton>
      </form>
      {children}
    </AuthCard>
  );
}

/** The problem with a new password, or the reason why it could not be checked. */
async function findProblem(
  password: string,
  known: readonly string[] = [],
): Promise<string | null> {
  try {
    const { passwordProblem } = await loadModule(
      () => import("../../supabase/functions/_shared/password.ts"),
    );
    return passwordProblem(password, known);
  } catch (error) {
    return describeAuthFailure(error as Error);
  }
}

function nextStep(tasks: readonly Task[], isDefault: boolean): string {
  if (tasks.includes("manage the site")) {
    return isDefault
      ? "Next, start the setup above the posts."
      : "Manage shows what waits for you.";
  }
  if (tasks.includes("write posts")) return "Next, create a post or look at Manage.";
  return tasks.includes("handle messages") ? "Messages of visitors arrive here." : "";
}

/** On a hosted project, the session of a mailed link could change the password without the current one as long as it lasts. */
async function replaceSession(email: string, password: string): Promise<void> {
  const { auth } = await getBrowserClient();
  const { error } = await auth.signInWithPassword({ email, password });
  if (!error) await auth.signOut({ scope: "others" });
}

function ConfirmAddress({ token }: { token: string }) {
  const { openLink } = useAuth();
  const [submitting, setSubmitting] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [outcome, setOutcome] = useState<"expired" | "changed" | "half confirmed">();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setSubmitting(true);
    const { isExpired, failure, email } = await openLink("email_change", token);
    setSubmitting(false);
    setFailure(failure);
    if (isExpired) setOutcome("expired");
    // Without an address the account has not changed yet: a hosted project waits for the link of the other address.
    else if (!failure) setOutcome(email ? "changed" : "half confirmed");
  }

  if (outcome) {
    return (
      <AuthCard {...addressOutcomes[outcome]}>
        <Link to="/manage/account" className={`${buttonClass("secondary")} mt-8 w-full`}>
          Your account
        </Link>
      </AuthCard>
    );
  }
  return (
    <AuthCard
      title="Confirm your new address"
      lead="You sign in with the new address once it is confirmed."
    >
      <form method="post" onSubmit={submit} className="mt-8 space-y-5">
        <FormFailure text={failure} />
        <SubmitButton submitting={submitting}>Confirm the address</SubmitButton>
      </form>
    </AuthCard>
  );
}

const addressOutcomes = {
  expired: {
    title: "This link has been used or has expired",
    lead: "It works once and for one hour. If you used it, your new address is confirmed. Otherwise ask for another one on the page of your account.",
  },
  changed: {
    title: "Your address is confirmed",
    lead: "Use it to sign in from now on.",
  },
  "half confirmed": {
    title: "One more confirmation",
    lead: "Your other address got a link as well. Confirm it there, too.",
  },
};

function SubmitButton({ submitting, children }: { submitting: boolean; children: ReactNode }) {
  return (
    <button type="submit" className={`${buttonClass("primary")} w-full`} disabled={submitting}>
      {submitting ? "Saving..." : children}
    </button>
  );
}
