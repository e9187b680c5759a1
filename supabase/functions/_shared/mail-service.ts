// The mail service that an owner enters under /manage/settings/mail: what the form, the function and the database accept.
import { z } from "zod/mini";
import type { Reach, Service } from "./smtp-options.ts";

/** The ports of mail services, the usual one first. With 465, encryption begins at once; with the others by STARTTLS. */
export const mailPorts = [587, 465, 2525, 25] as const;
const oneLine = /^\P{Cc}*$/u;

export const enteredServiceSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("smtp"),
    host: z
      .string()
      .check(
        z.trim(),
        z.toLowerCase(),
        z.regex(
          /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/,
          "Please enter the name of the server alone, such as smtp.example.com.",
        ),
      ),
    port: z
      .number()
      .check(
        z.refine(
          (port) => mailPorts.some((each) => each === port),
          `The port must be one of ${mailPorts.join(", ")}.`,
        ),
      ),
    /** Empty for a server that asks for none, as on the same machine. */
    user: z
      .string()
      .check(
        z.trim(),
        z.maxLength(320, "The user name is too long."),
        z.regex(oneLine, "The user name must be one line."),
      ),
  }),
  z.object({ kind: z.literal("resend") }),
]);
export type EnteredService = z.infer<typeof enteredServiceSchema>;

const secretSchema = z
  .string()
  .check(
    z.trim(),
    z.maxLength(1000, "The password is too long."),
    z.regex(oneLine, "The password must be one line."),
  );

/** What the form sends. The secret is always entered anew, so that a stored one never reaches another server. */
export const enteredMailSchema = z
  .object({ service: enteredServiceSchema, secret: secretSchema })
  .check(
    z.refine(({ service, secret }) => secret !== "" || service.kind === "resend" || !service.user, {
      error: "Please enter the password.",
      path: ["secret"],
    }),
    z.refine(({ service, secret }) => secret !== "" || service.kind !== "resend", {
      error: "Please enter the API key.",
      path: ["secret"],
    }),
  );
export type EnteredMail = z.infer<typeof enteredMailSchema>;

/** What public.read_mail_service() returns. */
export const storedServiceSchema = z.object({
  service: enteredServiceSchema,
  secret: z.nullable(z.string()),
});

function toService(entered: EnteredService, secret: string, reach: Reach): Service {
  if (entered.kind === "resend") return { resendApiKey: secret };
  const { host, port, user } = entered;
  const account = user && `${encodeURIComponent(user)}:${encodeURIComponent(secret)}@`;
  const scheme = port === 465 ? "smtps" : "smtp";
  return { smtpUrl: new URL(`${scheme}://${account}${host}:${port}`), reach };
}

/** @param open makes the stored secret readable. @returns null when it cannot be read */
export function openService(
  { service, secret }: z.infer<typeof storedServiceSchema>,
  open: (secret: string) => string | null,
  reach: Reach,
): Service | null {
  if (service.kind === "smtp" && !service.user) return toService(service, "", reach);
  const readable = secret && open(secret);
  return readable ? toService(service, readable, reach) : null;
}
