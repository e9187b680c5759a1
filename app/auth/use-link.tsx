// Uses a mailed link: to choose a password, or to confirm an address. Loaded on demand: visitors do not need it.
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { Link, useNavigate } from "react-router";
import type { LinkType } from "../../supabase/functions/_shared/confirm-link.ts";
import type { Task } from "../../supabase/functions/_shared/roles.ts";
import { useSite } from "../config/use-site.ts";
import { loadModule } from "../loading/load-module.ts";
import { getBrowserClient } from "../supabase/browser-client.ts";
import { buttonClass } from "../ui/button-class.ts";
import { TextField } from "../ui/field.tsx";
import { FormFailure } from "../ui/form-errors.tsx";
import { showToast } from "../ui/toast.ts";
import { describeAuthFailure } from "./auth-failure.ts";
import { AuthCard } from "./auth-form.tsx";
import { useAuth } from "./auth-provider.tsx";
import { useLandingPath } from "./landing-path.ts";
import { SecondStep } from "./second-step-part.tsx";

/** What a mailed link is for: its type and secret are in the fragment of the address. */
export interface MailedLink {
  type: LinkType;
  token: string;
}

export default function UseLink({ type, token }: MailedLink) {
  return type === "email_change" ? (
    <ConfirmAddress token={token} />
  ) : (
    <PasswordByLink type={type} token={token} />
  );
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
    setWaiting(undefined);
    setProblem(failure);
    if (failure) setSubmitting(false);
    else setDone(true);
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
      <form method="post" onSubmit={submit} className="mt-8 space-y-5" noValidate>
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
async function findProblem(password: string): Promise<string | null> {
  try {
    const { passwordProblem } = await loadModule(
      () => import("../../supabase/functions/_shared/password.ts"),
    );
    return passwordProblem(password);
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
