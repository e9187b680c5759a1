import { type FormEvent, type RefObject, useState } from "react";
import { flushSync } from "react-dom";
import {
  type EnteredMail,
  type EnteredService,
  enteredMailSchema,
  mailPorts,
} from "../../../supabase/functions/_shared/mail-service.ts";
import { fieldText } from "../../forms/field-text.ts";
import { readPublicSettings } from "../../supabase/browser-client.ts";
import { TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { Button } from "../button.tsx";
import { Choice, SelectField } from "../page-parts.tsx";

interface MailServiceFormProps {
  ref: RefObject<HTMLFormElement | null>;
  stored: EnteredService | undefined;
  onCancel: (() => void) | undefined;
  onEntered: (entered: EnteredMail) => void;
}

type Problems = Partial<Record<string, string>>;

export function MailServiceForm({ ref, stored, onCancel, onEntered }: MailServiceFormProps) {
  const [kind, setKind] = useState<EnteredService["kind"]>(stored?.kind ?? "smtp");
  const [problems, setProblems] = useState<Problems>({});
  const server = stored?.kind === "smtp" ? stored : undefined;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const text = (name: string) => fieldText(typed, name);
    const { data, error } = enteredMailSchema.safeParse({
      service:
        kind === "resend"
          ? { kind }
          : { kind, host: text("host"), port: Number(text("port")), user: text("user") },
      secret: text("secret"),
    });
    // Render the error before moving focus, so screen readers announce it with the field.
    flushSync(() =>
      setProblems(
        Object.fromEntries(
          (error?.issues ?? []).map(({ path, message }) => [path.at(-1) ?? "form", message]),
        ),
      ),
    );
    if (data) onEntered(data);
    else ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  return (
    <form ref={ref} onSubmit={submit} className="mt-4 space-y-4" noValidate>
      <fieldset>
        <legend className="text-sm font-semibold">Send them with</legend>
        <div className="mt-1 flex flex-wrap gap-x-6">
          {(["smtp", "resend"] as const).map((each) => (
            <Choice
              key={each}
              type="radio"
              name="kind"
              value={each}
              checked={kind === each}
              onChange={() => {
                setKind(each);
                setProblems({});
              }}
            >
              {each === "smtp" ? "A mail server" : "Resend"}
            </Choice>
          ))}
        </div>
      </fieldset>
      {kind === "smtp" && (
        <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_11rem]">
          <TextField
            label="Server"
            name="host"
            placeholder="smtp.example.com"
            defaultValue={server?.host}
            error={problems.host}
            {...plain}
          />
          <SelectField
            label="Port"
            name="port"
            defaultValue={server?.port}
            options={(readPublicSettings().supabaseUrl ? hostedPorts : mailPorts).map((port) => [
              String(port),
              String(port),
            ])}
          />
        </div>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {kind === "smtp" && (
          <TextField
            label="User name"
            name="user"
            placeholder="you@example.com"
            defaultValue={server?.user}
            error={problems.user}
            {...plain}
          />
        )}
        <TextField
          key={kind}
          label={kind === "smtp" ? "Password" : "API key"}
          name="secret"
          type="password"
          error={problems.secret}
          {...plain}
        />
      </div>
      <p className="text-sm text-muted">
        {kind === "smtp"
          ? "Gmail, Outlook and some others want a password that is made for apps, not the one you sign in with. What you enter is stored encrypted and never shown again."
          : "You find it on the page API Keys of your account at Resend. What you enter is stored encrypted and never shown again."}
      </p>
      <FormFailure text={problems.form} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Save</Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
  );
}

/** The functions of the platform may not connect to 25 and 587. */
const hostedPorts = mailPorts.filter((port) => port !== 25 && port !== 587);
const plain = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;
