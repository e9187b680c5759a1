// Auth's Send Email hook: reads which mails about an account to queue. A hosted project calls it by its own convention, and
// the embedded backend's Auth does the same. Covers: the kinds of mail that the site uses; others are rejected.
import { z } from "zod/mini";
import { textIn } from "../_shared/mail-addresses.ts";
import { toOneLine } from "../_shared/one-line.ts";
import { hashedId } from "./message.ts";
import type { NewMail } from "./queue.ts";

const text = z._default(z.string(), "");
const hookSchema = z.object({
  user: z.object({
    email: z.string(),
    new_email: text,
    /** The account may write anything into it later. */
    user_metadata: z.optional(z.unknown()),
  }),
  email_data: z.object({
    email_action_type: z.string(),
    /** Of the new address, when an address changes. */
    token_hash: text,
    /** Of the current address, when both have to confirm. */
    token_hash_new: text,
    old_email: text,
    redirect_to: z.url(),
    /** The seconds for which the link is valid. The embedded backend's Auth says it. */
    expires_in: z._default(z.number(), 3600),
  }),
});

/** The seconds after which a note without a link is not sent any more. */
const noteSeconds = 3 * 24 * 3600;

/** @returns the mails; null for a request that the site does not make. The same request has the same ids. */
export function readAccountMails(body: string, now: Date): NewMail[] | null {
  const { data } = hookSchema.safeParse(JSON.parse(body));
  if (!data) return null;
  const { user, email_data: given } = data;
  const { token_hash, token_hash_new, old_email, redirect_to, expires_in } = given;
  const addresses = { email: user.email, new_email: user.new_email, old_email };
  const site = new URL(redirect_to).origin;

  switch (given.email_action_type) {
    case "recovery":
      return [mail("recovery", user.email, expires_in, { token: token_hash })];
    case "invite": {
      const [inviter, role] = ["inviter", "role"].map((name) => textIn(user.user_metadata, name));
      const said = { inviter: toOneLine(inviter ?? "").slice(0, 320), role };
      return [mail("invite", user.email, expires_in, { token: token_hash, ...said })];
    }
    case "email_change": {
      const confirm = (to: string, token: string) =>
        mail("email_change", to, expires_in, { ...addresses, token });
      const current = token_hash_new
        ? confirm(user.email, token_hash_new)
        : mail("address_changing", user.email, noteSeconds, addresses);
      return [confirm(user.new_email, token_hash), current];
    }
    case "password_changed_notification":
      return [mail("password_changed", user.email, noteSeconds, addresses)];
    case "email_changed_notification":
      return [mail("address_changed", old_email, noteSeconds, addresses)];
    default:
      return null;
  }

  function mail(kind: string, recipient: string, seconds: number, values: object): NewMail {
    const expires_at = new Date(now.getTime() + seconds * 1000).toISOString();
    // Auth repeats a call that failed, with another webhook-id.
    const id = hashedId(`${kind} ${recipient} ${body}`);
    return { id, kind, recipient, data: { site, seconds, ...values }, expires_at };
  }
}
