// A new password with a recovery code, in place of a mailed link. Loaded on demand: visitors do not need it.
import { Link } from "react-router";
import { z } from "zod";
import { recoverySchema } from "../../supabase/functions/_shared/recovery.ts";
import { fieldText } from "../forms/field-text.ts";
import { getBrowserClient } from "../supabase/browser-client.ts";
import { TextField } from "../ui/field.tsx";
import { describeAuthFailure } from "./auth-failure.ts";
import { useAuth } from "./auth-provider.tsx";
import { ChoosePassword } from "./use-link.tsx";

export interface UseRecoveryCodeProps {
  /** Shows the form that asks for a mailed link; undefined where the site sends no mail. */
  onLeave: (() => void) | undefined;
}

export default function UseRecoveryCode({ onLeave }: UseRecoveryCodeProps) {
  const { openLink } = useAuth();

  async function open(data: FormData): ReturnType<typeof openLink> {
    try {
      return await openLink(
        "recovery",
        await claim(fieldText(data, "email"), fieldText(data, "code")),
      );
    } catch (error) {
      return { failure: describeAuthFailure(error as Error) };
    }
  }

  return (
    <ChoosePassword
      title="Use a recovery code"
      lead="One of the codes that you printed lets you choose a new password. It signs you out everywhere else."
      open={open}
      fields={
        <>
          <TextField
            ref={focus}
            label="Email"
            name="email"
            type="email"
            autoComplete="username"
            required
          />
          <TextField
            label="Recovery code"
            name="code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        </>
      }
    >
      <div className="mt-6 flex flex-col items-center gap-3 text-sm">
        {onLeave && (
          <button type="button" className={linkClass} onClick={onLeave}>
            Send me a link instead
          </button>
        )}
        <Link to="/login" className={linkClass}>
          Back to the login
        </Link>
      </div>
    </ChoosePassword>
  );
}

/** The button that opened the form is gone. */
function focus(field: HTMLInputElement | null): void {
  field?.focus();
}

const linkClass = "font-medium text-evergreen underline underline-offset-4";

const tokenSchema = z.object({ token: z.string() });
const errorSchema = z.object({ error: z.string() });

/** @returns the token of a link. @throws an Error with a sentence for the person */
async function claim(email: string, code: string): Promise<string> {
  const { data: body, error: invalid } = recoverySchema.safeParse({ email, code });
  if (invalid) throw new Error(invalid.issues[0]?.message);
  const { functions } = await getBrowserClient();
  const { data, error } = await functions.invoke("recover-account", { body });
  if (!error) return tokenSchema.parse(data).token;
  const response: unknown = error.context;
  const said = response instanceof Response ? await response.json().catch(() => null) : null;
  const { data: known } = errorSchema.safeParse(said);
  throw new Error(known?.error ?? "The code could not be checked. Please try again.");
}
