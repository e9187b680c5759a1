// Hands mails about accounts to a function, as the Send Email hook of Supabase Auth does.
// Covers: the hook's signature, three attempts, printing the link without a mail service. Does not cover: sending.
import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { AuthConfig } from "../config.ts";
import type { LinkType } from "./auth-request.ts";

/** Whether mails leave this machine, have their links printed, or are dropped, as in a restored copy. */
export type MailMode = "sent" | "printed" | "held";

interface AccountMailOptions {
  config: Pick<AuthConfig, "sendEmailHook" | "confirmLink">;
  siteUrl(): string;
  /** `v1,whsec_` and a key in base64. */
  hookSecret: string;
  callHook: (path: string, init: RequestInit) => Promise<Response>;
  /** Asked for each mail, because the mail service may be set up while the backend runs. */
  readMode: () => Promise<MailMode>;
}

/** What Auth hands over, as far as the site uses it. */
interface AccountMailRequest {
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
  const { config, siteUrl, hookSecret, callHook, readMode } = options;
  return {
    isSent: async (): Promise<boolean> => (await readMode()) === "sent",
    /** Resolves when the mail is queued. @throws when it is not */
    async send({ user, email_data }: AccountMailRequest): Promise<void> {
      const mode = await readMode();
      if (mode === "held") {
        return console.warn("A mail about an account was not sent: outgoing mail is held");
      }
      const { email_action_type: type, token_hash } = email_data;
      if (mode === "printed") {
        if (!token_hash) return;
        const link = config.confirmLink(siteUrl(), type as LinkType, token_hash);
        return console.log(`The link for ${user.new_email ?? user.email} (${type}): ${link}`);
      }
      const body = JSON.stringify({ user, email_data: { ...email_data, redirect_to: siteUrl() } });
      for (let left = 2; ; left--) {
        const response = await callHook(config.sendEmailHook, {
          method: "POST",
          body,
          headers: sign(body),
        });
        await response.body?.cancel();
        if (response.ok) return;
        if (left === 0)
          throw new Error(`${config.sendEmailHook} responded with ${response.status}`);
        await sleep(PAUSE_MS);
      }
    },
  };

  function sign(body: string): Record<string, string> {
    const [id, timestamp] = [randomUUID(), String(Math.floor(Date.now() / 1000))];
    // As https://www.standardwebhooks.com signs.
    const key = Buffer.from(hookSecret.replace("v1,whsec_", ""), "base64");
    const signed = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`);
    const signature = `v1,${signed.digest("base64")}`;
    return {
      ...{ "content-type": "application/json", "webhook-id": id },
      ...{ "webhook-timestamp": timestamp, "webhook-signature": signature },
    };
  }
}
