// The forms of the signed-in account. Changes of the address or the password require the current password.
import { type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import {
  emailSchema,
  foldAddress,
  maxNameLength,
} from "../../../supabase/functions/_shared/invitation.ts";
import { describeAuthFailure } from "../../auth/auth-failure.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSendsMail } from "../../config/use-site.ts";
import { fieldText } from "../../forms/field-text.ts";
import { useSubmission } from "../../forms/use-form-submit.ts";
import { loadModule } from "../../loading/load-module.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { Button, ButtonLink } from "../button.tsx";
import { useReload } from "../live-query.ts";
import { useAction } from "../use-action.ts";
import { FormConflicts, useFollowingForm } from "../versions/following-form.tsx";
import { changeCredential, WrongPassword } from "./account.ts";

export function NameForm({ name }: { name: string }) {
  const { refresh } = useAuth();
  const reload = useReload();
  const form = useRef<HTMLFormElement>(null);
  const following = useFollowingForm(form, { name });
  const { failure, isRunning, run } = useAction();

  async function save(client: Client) {
    const { name: changed } = await following.changes(async () => {
      const { data } = await client.rpc("my_profile").throwOnError();
      return { name: data[0]?.name ?? "" };
    });
    if (changed !== undefined) {
      const { data } = await client.rpc("set_my_name", { name: changed }).throwOnError();
      if (!data) throw new Error("This account has no role on the site, so it has no name here.");
    }
    refresh();
    reload();
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const success = { title: "Name Saved", description: "New posts are signed with it." };
    void run(save, success, { title: "Saving failed" });
  }

  return (
    <form ref={form} onSubmit={submit} className="mt-5 space-y-4">
      <TextField
        label="Name"
        name="name"
        autoComplete="name"
        maxLength={maxNameLength}
        defaultValue={name}
      />
      <FormConflicts form={following} names={{ name: "Name" }} />
      <FormFailure text={failure} />
      <Button type="submit" disabled={isRunning || following.conflicts.length > 0}>
        {isRunning ? "Saving..." : "Save name"}
      </Button>
    </form>
  );
}

interface EmailFormProps {
  email: string;
  /** The new address, until it is confirmed. */
  pending: string | null;
}

export function EmailForm({ email, pending }: EmailFormProps) {
  const sendsMail = useSendsMail();
  const { role } = useAuth();
  const { problems, failure, submitting, submit, link } = useCredentialForm({
    sent: { title: "One More Step", description: "Confirm the new address by its link." },
    failed: "The address was not changed. Please try again.",
    read: (data) => fieldText(data, "new-email"),
    findProblem(typed) {
      const { success, error, data } = emailSchema.safeParse(typed);
      if (!success) return error.issues[0]?.message;
      return data === foldAddress(email) ? "This is your address already." : undefined;
    },
    attributeOf: (typed) => ({ email: emailSchema.parse(typed) }),
  });
  if (!sendsMail && role !== "owner") {
    return (
      <p className="mt-5 rounded-md bg-sage p-4">
        This site cannot send emails yet, so it cannot check a new address. An owner of the site can
        invite your new address on the page People.
      </p>
    );
  }
  return (
    <form onSubmit={submit} noValidate className="mt-5 space-y-4">
      {pending && (
        <div role="status" className="rounded-md bg-sage p-4 wrap-anywhere">
          {sendsMail ? (
            <p>
              Mails go to <strong>{pending}</strong>
              <span>{` and to ${email}. Until the links in them are confirmed, you sign in with ${email}. A link works once and for one hour.`}</span>
            </p>
          ) : (
            <p>
              {`You still sign in with ${email}. ${
                link
                  ? `Check the spelling of ${pending}, then confirm it within one hour.`
                  : `${pending} is not confirmed: enter it here once more.`
              }`}
            </p>
          )}
          {link && (
            <ButtonLink to={link} look="primary" className="mt-3">
              Confirm the new address
            </ButtonLink>
          )}
        </div>
      )}
      <TextField
        label="New email address"
        name="new-email"
        type="email"
        autoComplete="email"
        required
        error={problems.typed}
      />
      <CurrentPassword label="Password" error={problems.current} />
      <FormFailure text={failure} />
      <Button type="submit" disabled={submitting}>
        {submitting ? "Saving..." : "Change address"}
      </Button>
    </form>
  );
}

/** @param email lets a password manager save the new password for the right account */
export function PasswordForm({ email, pending }: EmailFormProps) {
  const { problems, failure, submitting, submit } = useCredentialForm({
    sent: {
      title: "Password changed",
      // Not sent again by itself: whoever knew the former password may have asked for the address.
      description: `All other devices were signed out.${pending ? ` The link to ${pending} no longer works: enter that address again.` : ""}`,
    },
    failed: "The password was not changed. Please try again.",
    // Not trimmed: a password may begin or end with a blank.
    read: (data) => String(data.get("password")),
    async findProblem(typed) {
      const { passwordProblem } = await loadModule(
        () => import("../../../supabase/functions/_shared/password.ts"),
      );
      return passwordProblem(typed, [email]) ?? undefined;
    },
    attributeOf: (password) => ({ password }),
  });
  return (
    <form onSubmit={submit} noValidate className="mt-5 space-y-4">
      <input type="email" value={email} autoComplete="username" readOnly hidden />
      {pending && (
        <p className="rounded-md bg-sage p-4 wrap-anywhere">
          {`${pending} is not confirmed yet. A new password ends its link: confirm it first, or enter it again afterwards.`}
        </p>
      )}
      <CurrentPassword label="Current password" error={problems.current} />
      <TextField
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        error={problems.typed}
      />
      <FormFailure text={failure} />
      <Button type="submit" disabled={submitting}>
        {submitting ? "Saving..." : "Save password"}
      </Button>
    </form>
  );
}

function CurrentPassword(props: { label: string; error: string | undefined }) {
  return (
    <TextField {...props} name="current" type="password" autoComplete="current-password" required />
  );
}

interface CredentialForm {
  sent: { title: string; description: string };
  /** For an error without a message. */
  failed: string;
  read: (data: FormData) => string;
  findProblem: (typed: string) => string | undefined | Promise<string | undefined>;
  attributeOf: (typed: string) => { email: string } | { password: string };
}

/** The fields show what is wrong. */
class InvalidInput extends Error {}

interface Problems {
  typed?: string | undefined;
  current?: string | undefined;
}

function useCredentialForm({ sent, failed, read, findProblem, attributeOf }: CredentialForm) {
  const reload = useReload();
  const [problems, setProblems] = useState<Problems>({});
  const [link, setLink] = useState<string | null>(null);
  const { failure, submitting, run } = useSubmission({
    sent,
    onSent: reload,
    describeFailure: (error) =>
      error instanceof WrongPassword || error instanceof InvalidInput
        ? null
        : // A failed import or request, which are errors.
          { title: "Saving failed", description: describeAuthFailure(error as Error, failed) },
  });

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const typed = read(data);
    const current = String(data.get("current"));
    await run(async () => {
      const found = {
        typed: await findProblem(typed),
        current: current === "" ? "Please enter your current password." : undefined,
      };
      show(form, found);
      if (found.typed || found.current) throw new InvalidInput();
      try {
        const client = await getBrowserClient();
        const attributes = { current_password: current, ...attributeOf(typed) };
        setLink(await changeCredential(client, attributes));
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

  return { problems, failure, submitting, submit, link };
}
