// Links for a new password. Several are valid at once, so that nobody can take the owner's link away by
// asking for another one. Using one, or setting a password, ends all of that account's links.
import { hash, randomBytes } from "node:crypto";
import type { Sql } from "../database.ts";
import { landingOnSite } from "./landing.ts";

export interface RecoveryLinks {
  /** Null when nobody has this address. */
  create(email: string, redirectTo: string | null): Promise<{ to: string; link: URL } | null>;
  /** Ends all links of the account. @returns its id; null when the link has expired or is not known. */
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
      link.searchParams.set("redirect_to", landingOnSite(siteUrl, redirectTo).href);
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
