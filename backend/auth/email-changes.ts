// A new email address of an account, which takes effect when the link in the mail to it is confirmed.
// Covers: one pending change per account, valid for one hour; a notice to the current address. Does not cover: the
// current password, which the request needs (passwords.ts), and a second confirmation from the current address, which
// a hosted project asks for instead.
import { hash } from "node:crypto";
import { confirmLink } from "../../supabase/functions/_shared/confirm-link.ts";
import type { Sql } from "../database.ts";
import type { AccountMail } from "./account-mail.ts";
import { type Account, newToken } from "./recovery-links.ts";

export interface EmailChanges {
  /** Marks the change as pending. @returns sends the mails; null when it is the current address */
  request(userId: string, newEmail: string): Promise<(() => Promise<void>) | null>;
  /** Changes the address. @returns null when the link is unknown or expired, or the address is taken */
  claim(token: string): Promise<Account | null>;
}

const UNIQUE_VIOLATION = "23505";

export function createEmailChanges(
  sql: Sql,
  siteUrl: string,
  mail: Pick<AccountMail, "emailChange" | "emailChangeNotice">,
): EmailChanges {
  return {
    async request(userId, newEmail) {
      const [account] = await sql<Account[]>`
        update auth.users set email_change = nullif(${newEmail}, email), email_change_sent_at = now()
        where id = ${userId} returning id, email`;
      if (!account || account.email === newEmail) return null;
      return async () => {
        const link = await createLink(userId, newEmail);
        // Another account has the address. Neither the response nor its time may reveal that.
        if (!link) return;
        await mail.emailChange(newEmail, link);
        await mail.emailChangeNotice(account.email, newEmail);
      };
    },

    async claim(token) {
      try {
        return await sql.begin(async (transaction) => {
          const [claimed] = await transaction<{ user_id: string; new_email: string }[]>`
            delete from auth.email_changes
            where token_hash = ${hash("sha256", token)} and sent_at > now() - interval '1 hour'
            returning user_id, new_email`;
          if (!claimed) return null;
          const { user_id, new_email } = claimed;
          await transaction`
            update auth.users
            set email = ${new_email}, email_change = null, email_confirmed_at = now(), updated_at = now()
            where id = ${user_id}`;
          await transaction`
            update auth.identities
            set identity_data = identity_data || jsonb_build_object('email', ${new_email}::text)
            where user_id = ${user_id} and provider = 'email'`;
          // They were sent to the former address.
          await transaction`delete from auth.recovery_links where user_id = ${user_id}`;
          return { id: user_id, email: new_email };
        });
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION) {
          return null;
        }
        throw error;
      }
    },
  };

  async function createLink(userId: string, newEmail: string): Promise<URL | null> {
    await sql`delete from auth.email_changes where user_id = ${userId}`;
    const taken = await sql`select 1 from auth.users where lower(email) = ${newEmail}`;
    if (taken.length > 0) return null;
    const token = newToken();
    await sql`
      insert into auth.email_changes (token_hash, user_id, new_email)
      values (${hash("sha256", token)}, ${userId}, ${newEmail})`;
    return confirmLink(siteUrl, "email_change", token);
  }
}
