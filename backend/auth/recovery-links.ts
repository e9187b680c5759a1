// Links that sign in to set a password, for a forgotten one or an invitation: creating and claiming them, and where
// they lead. Several are valid at once, so that a stranger who requests a link cannot invalidate the owner's. Using one,
// or setting a password, deletes all links of the account. Does not cover: sending them (account-mail.ts), links that
// confirm a new address (email-changes.ts), codes to type.
import { hash, randomBytes } from "node:crypto";
import type { Sql } from "../database.ts";

export interface Account {
  id: string;
  email: string;
}

export interface RecoveryLinks {
  /** Returns null when no account has this e-mail address. */
  create(email: string, redirectTo: string | null): Promise<{ to: string; link: URL } | null>;
  /** A link that is valid for a day. */
  createInvitation(account: Account, redirectTo: string | null): Promise<URL>;
  /** Deletes all links of the account. @returns the account's id; null when the link is unknown or expired. */
  claim(token: string): Promise<string | null>;
}

export function createRecoveryLinks(sql: Sql, siteUrl: string): RecoveryLinks {
  return {
    async create(email, redirectTo) {
      await deleteExpired();
      const [account] = await sql<Account[]>`
        select id, email from auth.users where email = ${email.toLowerCase()} and not is_sso_user`;
      if (!account) return null;
      const token = newToken();
      await sql`
        insert into auth.recovery_links (token_hash, user_id)
        values (${hash("sha256", token)}, ${account.id})`;
      return { to: account.email, link: verifyLink(siteUrl, "recovery", token, redirectTo) };
    },

    async createInvitation(account, redirectTo) {
      await deleteExpired();
      const token = newToken();
      await sql`
        insert into auth.recovery_links (token_hash, user_id, lifetime)
        values (${hash("sha256", token)}, ${account.id}, interval '24 hours')`;
      return verifyLink(siteUrl, "invite", token, redirectTo);
    },

    async claim(token) {
      const [claimed] = await sql<{ user_id: string }[]>`
        delete from auth.recovery_links where user_id = (
          select user_id from auth.recovery_links
          where token_hash = ${hash("sha256", token)} and sent_at > now() - lifetime
        ) returning user_id`;
      return claimed?.user_id ?? null;
    },
  };

  async function deleteExpired(): Promise<void> {
    await sql`delete from auth.recovery_links where sent_at <= now() - lifetime`;
  }
}

export type LinkType = "recovery" | "invite" | "email_change";

/** The address of a link in an e-mail. */
export function verifyLink(
  siteUrl: string,
  type: LinkType,
  token: string,
  redirectTo: string | null,
): URL {
  const link = new URL("/auth/v1/verify", siteUrl);
  link.searchParams.set("token", token);
  link.searchParams.set("type", type);
  link.searchParams.set("redirect_to", redirectTarget(siteUrl, redirectTo).href);
  return link;
}

export function newToken(): string {
  return randomBytes(32).toString("base64url");
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
