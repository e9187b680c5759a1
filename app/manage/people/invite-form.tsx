import { type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import {
  type InvitationOutcome,
  invitationSchema,
  maxNameLength,
} from "../../../supabase/functions/_shared/invitation.ts";
import { useSendsMail } from "../../config/use-site.ts";
import { fieldText } from "../../forms/field-text.ts";
import { TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { Button } from "../button.tsx";
import { Section } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import { InvitationResult } from "./invitation-result.tsx";
import { invitePerson } from "./people.ts";
import { RoleField, roleOf } from "./role-field.tsx";

type Problems = Partial<Record<"email" | "name", string>>;

export function InviteForm({ onInvited }: { onInvited: () => void }) {
  const sendsMail = useSendsMail();
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Problems>({});
  const { isRunning, failure, run } = useAction();
  const [result, setResult] = useState<{ email: string; outcome: InvitationOutcome } | null>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const typed = invitationSchema.safeParse({
      email: fieldText(data, "email"),
      name: fieldText(data, "name"),
      role: roleOf(data),
    });
    // Render the error before moving focus, so screen readers announce it with the field.
    flushSync(() => {
      setResult(null);
      setProblems(typed.success ? {} : problemsOf(typed.error.issues));
    });
    if (!typed.success) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    const invitation = typed.data;
    await run(
      async (client) => {
        const outcome = await invitePerson(client, invitation);
        form.current?.reset();
        setResult({ email: invitation.email, outcome });
        onInvited();
      },
      null,
      { title: "Invitation failed" },
    );
  }

  return (
    <Section
      title="Invite someone"
      className="rounded-lg border border-line bg-surface p-5 shadow-card sm:p-6"
      headingClass="text-lg"
    >
      <p className="mt-1 text-sm text-muted">
        {sendsMail
          ? "They get a link by email, choose a password, and are signed in."
          : "This site cannot send emails yet, so you get a link to hand over. It lets them choose a password and signs them in."}
      </p>
      {result && <InvitationResult {...result} />}
      <form ref={form} onSubmit={submit} noValidate className="mt-5 space-y-4">
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          required
          error={problems.email}
        />
        <TextField
          label="Name (Optional)"
          name="name"
          autoComplete="off"
          maxLength={maxNameLength}
          error={problems.name}
        />
        <RoleField defaultRole="assistant" />
        <FormFailure text={failure} />
        <Button look="primary" type="submit" disabled={isRunning}>
          {isRunning ? "Inviting..." : sendsMail ? "Send invitation" : "Create invitation"}
        </Button>
      </form>
    </Section>
  );
}

function problemsOf(issues: { path: PropertyKey[]; message: string }[]): Problems {
  return Object.fromEntries(issues.map(({ path, message }) => [path[0], message]));
}
