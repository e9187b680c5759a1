// Hands mails about accounts to the function send-email, as the Send Email hook of Supabase Auth does.
// Covers: the hook's signature, three attempts, printing the link without a mail service. Does not cover: sending.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { confirmLink, type LinkType } from "../../../../supabase/functions/_shared/confirm-link.ts";
import { signWebhook } from "../../../../supabase/functions/_shared/webhook.ts";

export interface AccountMailOptions {
  siteUrl: string;
  /** `v1,whsec_` and a key in base64. */
  hookSecret: string;
  /** Calls the function send-email. */
  callHook: (path: string, init: RequestInit) => Promise<Response>;
  hasMailService: boolean;
  /** Whether mails are dropped although there is a mail service. */
  held: boolean;
}

/** What Auth hands over, as far as the site uses it. */
export interface AccountMailRequest {
  user: { email: string; new_email?: string; user_metadata?: unknown };
  email_data: {
    email_action_type: LinkType | "password_changed_notification" | "email_changed_notification";
    token_hash?: string;
    old_email?: string;
    /** The seconds for which the link is valid. */
    expires_in?: number;
  };
}

export type AccountMail = ReturnType<typeof createAccountMail>;

/** Milliseconds between two attempts. */
const PAUSE_MS = 2_000;

export function createAccountMail(options: AccountMailOptions) {
  const { siteUrl, hookSecret, callHook, hasMailService, held } = options;
  return {
    /** Whether mails leave this machine. Otherwise their links are printed or, in a restored copy, dropped. */
    isSent: hasMailService && !held,
    /** Resolves when the mail is queued. @throws when it is not */
    async send({ user, email_data }: AccountMailRequest): Promise<void> {
      if (held) return console.warn("A mail about an account was not sent: outgoing mail is held");
      const { email_action_type: type, token_hash } = email_data;
      if (!hasMailService) {
        if (!token_hash) return;
        const link = confirmLink(siteUrl, type as LinkType, token_hash);
        return console.log(`The link for ${user.new_email ?? user.email} (${type}): ${link}`);
      }
      const body = JSON.stringify({ user, email_data: { ...email_data, redirect_to: siteUrl } });
      for (let left = 2; ; left--) {
        const response = await callHook("send-email/account", {
          method: "POST",
          body,
          headers: sign(body),
        });
        await response.body?.cancel();
        if (response.ok) return;
        if (left === 0) throw new Error(`send-email responded with ${response.status}`);
        await sleep(PAUSE_MS);
      }
    },
  };

  function sign(body: string): Record<string, string> {
    const [id, timestamp] = [randomUUID(), String(Math.floor(Date.now() / 1000))];
    const signature = signWebhook(hookSecret, { id, timestamp, body });
    return {
      ...{ "content-type": "application/json", "webhook-id": id },
      ...{ "webhook-timestamp": timestamp, "webhook-signature": signature },
    };
  }
}
