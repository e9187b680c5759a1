// Links for a new password: creating, e-mailing and claiming them, and where they lead.
// Several are valid at once, so that a stranger who requests a link cannot invalidate the owner's. Using one, or setting
// a password, deletes all links of the account. Covers: SMTP, Resend, printing when neither is configured. Does not
// cover: codes to type.
import { hash, randomBytes } from "node:crypto";
import {
  ConsoleEmailDriver,
  type EmailDriver,
  ResendEmailDriver,
  SmtpEmailDriver,
} from "@supabase/lite";
import type { Sql } from "../database.ts";

export interface RecoveryLinks {
  /** Returns null when no account has this e-mail address. */
  create(email: string, redirectTo: string | null): Promise<{ to: string; link: URL } | null>;
  /** Deletes all links of the account. @returns the account's id; null when the link is unknown or expired. */
  claim(token: string): Promise<string | null>;
}

export function createRecoveryLinks(sql: Sql, siteUrl: string): RecoveryLinks {
  return {
    async create(email, redirectTo) {
      const token = randomBytes(32).toString("base64url");
      await sql`delete from auth.recovery_links where sent_at <= now() - interval '1 hour'`;
      const [account] = await sql<{ id: string; email: string }[]>`
        select id, email from auth.users where email = ${email.toLowerCase()} and not is_sso_user`;
      if (!account) return null;
      await sql`
        insert into auth.recovery_links (token_hash, user_id)
        values (${hash("sha256", token)}, ${account.id})`;
      const link = new URL("/auth/v1/verify", siteUrl);
      link.searchParams.set("token", token);
      link.searchParams.set("type", "recovery");
      link.searchParams.set("redirect_to", redirectTarget(siteUrl, redirectTo).href);
      return { to: account.email, link };
    },

    async claim(token) {
      const [claimed] = await sql<{ user_id: string }[]>`
        delete from auth.recovery_links where user_id = (
          select user_id from auth.recovery_links
          where token_hash = ${hash("sha256", token)} and sent_at > now() - interval '1 hour'
        ) returning user_id`;
      return claimed?.user_id ?? null;
    },
  };
}

/**
 * The page of the site that a link leads to. Only the path of the requested URL counts, so a link never leaves the site.
 * @param requested an absolute URL, as supabase-js sends it. Anything else leads to the home page.
 */
export function redirectTarget(siteUrl: string, requested: string | null | undefined): URL {
  const target = new URL("/", siteUrl);
  const url = requested && /^https?:\/\//i.test(requested) ? URL.parse(requested) : null;
  // A path that starts with two slashes would name a host when it is read as a relative URL.
  if (url) target.pathname = url.pathname.replace(/^\/+/, "/");
  return target;
}

/** How e-mails are sent; they are printed when neither service is configured. */
export interface MailOptions {
  smtpUrl: string | undefined;
  resendApiKey: string | undefined;
  from: () => Promise<string>;
  /** Nothing is sent, although there is a service. */
  held?: boolean;
}

export type SendRecoveryLink = (to: string, link: URL) => Promise<void>;

export function createRecoveryMail(options: MailOptions): SendRecoveryLink {
  return async (to, link) =>
    createEmailDriver(options, await options.from()).send({
      to,
      subject: "Reset Your Password",
      text: `Please follow this link. It works once and for one hour:

${link}

If you did not ask for this, ignore this message: nothing changes.
`,
    });
}

function createEmailDriver(
  { smtpUrl, resendApiKey, held }: MailOptions,
  from: string,
): EmailDriver {
  if (held) {
    return {
      send: async () => console.warn("A mail about an account was not sent: outgoing mail is held"),
    };
  }
  if (resendApiKey) return new ResendEmailDriver({ apiKey: resendApiKey, from });
  if (!smtpUrl) return new ConsoleEmailDriver();
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === "smtps:";
  return new SmtpEmailDriver({
    host: hostname,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    from,
  });
}
