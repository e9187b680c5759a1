// How the site sends emails: what the function send-email tells owners of it. The password or key is never among it.
import { z } from "zod";
import {
  type EnteredMail,
  enteredServiceSchema,
} from "../../../supabase/functions/_shared/mail-service.ts";
import { setSiteOutdated } from "../../config/refresh-site.ts";
import type { Client } from "../../supabase/client-context.ts";

const stateSchema = z.object({
  /** Of the owner who asks. */
  email: z.string(),
  /** The setting of the server that decides; null when owners decide. */
  setBy: z.nullable(z.enum(["SMTP_URL", "RESEND_API_KEY"])),
  stored: z.nullable(z.object({ service: enteredServiceSchema, at: z.string(), by: z.string() })),
  /** Whether the stored password cannot be read, as after a restore on another machine. */
  isUnreadable: z.boolean(),
  isHeld: z.boolean(),
  /** Whether emails about accounts go the same way. */
  takesAccountMails: z.boolean(),
});
export type MailState = z.output<typeof stateSchema>;
export type StoredService = NonNullable<MailState["stored"]>;

export const mailQuery = {
  key: ["mail service"],
  async read(client: Client): Promise<MailState> {
    const options = { method: "GET" } as const;
    const { data, error } = await client.functions.invoke("send-email/service", options);
    if (error) throw error;
    return stateSchema.parse(data);
  },
  tables: [],
};

/**
 * Null as the change removes what is stored.
 * @param client with a session that has just begun
 * @throws an Error with a sentence for the owner
 */
export async function changeMailService(client: Client, change: EnteredMail | null): Promise<void> {
  const body = JSON.stringify(change);
  const { error } = await client.functions.invoke("send-email/service", { body });
  if (error) {
    // The response, and not the error, contains the function's own message.
    const response: unknown = error.context;
    const said = response instanceof Response ? await response.json().catch(() => null) : null;
    const { data } = z.object({ error: z.string() }).safeParse(said);
    throw new Error(data?.error ?? "It could not be stored. Please try again.");
  }
  // Pages say whether the site sends emails.
  setSiteOutdated(true);
}

const testMailSchema = z.object({
  accepted: z.boolean(),
  text: z.string(),
  /** What the mail server said. */
  answer: z.string().nullish(),
  /** What DNS says of the sender's domain; null when it could not be asked. */
  sender: z
    .array(z.object({ state: z.enum(["right", "wrong", "unknown"]), text: z.string() }))
    .nullish(),
});
export type TestMailResult = z.output<typeof testMailSchema>;

/** Sends a mail to the owner who asks. @throws when the request itself failed */
export async function sendTestMail(client: Client): Promise<TestMailResult> {
  const { data, error } = await client.functions.invoke("send-email/test", { body: "" });
  if (error) throw error;
  return testMailSchema.parse(data);
}
