// Links that sign in to set a password, for a forgotten one or an invitation: creating and claiming them. Several are
// valid at once, so that a stranger who requests a link cannot invalidate the owner's. Using one, or setting a password,
// deletes all links of the account. Does not cover: sending them (account-mail.ts), links that confirm a new address
// (email-changes.ts), codes to type.
import { hash, randomBytes } from "node:crypto";
import type { Sql } from "../database.ts";

export interface Account {
  id: string;
  email: string;
}

export interface RecoveryLinks {
  /** Returns null when no account has this email address. */
  create(email: string): Promise<{ to: string; token: string } | null>;
  /** @returns the token of a link that is valid for a day */
  createInvitation(account: Account): Promise<string>;
  /** Deletes all links of the account. @returns the account's id; null when the link is unknown or expired. */
  claim(token: string): Promise<string | null>;
}

export function createRecoveryLinks(sql: Sql): RecoveryLinks {
  return {
    async create(email) {
      await deleteExpired();
      const [account] = await sql<Account[]>`
        select id, email from auth.users where email = ${email.toLowerCase()} and not is_sso_user`;
      if (!account) return null;
      const token = newToken();
      await sql`
        insert into auth.recovery_links (token_hash, user_id)
        values (${hash("sha256", token)}, ${account.id})`;
      return { to: account.email, token };
    },

    async createInvitation(account) {
      await deleteExpired();
      const token = newToken();
      await sql`
        insert into auth.recovery_links (token_hash, user_id, lifetime)
        values (${hash("sha256", token)}, ${account.id}, interval '24 hours')`;
      return token;
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

export function newToken(): string {
  return randomBytes(32).toString("base64url");
}
