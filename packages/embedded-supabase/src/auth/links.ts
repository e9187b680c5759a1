// The links in mails about an account. A recovery link signs in to set a password, forgotten or after an invitation. Several
// are valid at once, so that a stranger who requests one cannot invalidate the owner's. Using one, or setting a password,
// deletes all links of the account. An email-change link confirms a new address: one per account, valid for one hour.
// Does not cover: sending the links (account-mail.ts); the current password, which a new address requires (passwords.ts); a
// second confirmation from the current address, which a hosted project asks for instead.
import { hash, randomBytes } from "node:crypto";
import type { AuthConfig } from "../config.ts";
import type { Sql } from "../database.ts";
import { codeOf } from "../errors.ts";
import type { AccountMail } from "./account-mail.ts";

export interface Account {
  id: string;
  email: string;
}

const UNIQUE_VIOLATION = "23505";

/** @returns the token */
export async function createRecoveryLink(
  sql: Sql,
  { id }: Account,
  lifetime: "1 hour" | "24 hours",
): Promise<string> {
  await sql`delete from auth.recovery_links where sent_at <= now() - lifetime`;
  const token = newToken();
  await sql`
    insert into auth.recovery_links (token_hash, user_id, lifetime)
    values (${hash("sha256", token)}, ${id}, ${lifetime})`;
  return token;
}

/** Deletes all recovery links of the account. @returns the account's id; null when the link is unknown or expired. */
export async function claimRecoveryLink(sql: Sql, token: string): Promise<string | null> {
  const [claimed] = await sql<{ user_id: string }[]>`
    delete from auth.recovery_links where user_id = (
      select user_id from auth.recovery_links
      where token_hash = ${hash("sha256", token)} and sent_at > now() - lifetime
    ) returning user_id`;
  return claimed?.user_id ?? null;
}

/**
 * Marks the change of an address as pending.
 * @returns sends the mails and resolves to the link, null for an address of another account; null when it is the current
 * address
 */
export async function requestEmailChange(
  { confirmLink }: AuthConfig,
  sql: Sql,
  mail: AccountMail,
  siteUrl: string,
  userId: string,
  newEmail: string,
): Promise<(() => Promise<URL | null>) | null> {
  const [account] = await sql<Account[]>`
    update auth.users set email_change = nullif(${newEmail}, email), email_change_sent_at = now()
    where id = ${userId} returning id, email`;
  if (!account || account.email === newEmail) return null;
  return async () => {
    await sql`delete from auth.email_changes where user_id = ${userId}`;
    const taken = await sql`select 1 from auth.users where email = ${newEmail}`;
    // Neither the response nor its time may reveal that another account has the address.
    if (taken.length > 0) return null;
    const token = newToken();
    await sql`
      insert into auth.email_changes (token_hash, user_id, new_email)
      values (${hash("sha256", token)}, ${userId}, ${newEmail})`;
    const link = confirmLink(siteUrl, "email_change", token);
    await mail.send({
      user: { email: account.email, new_email: newEmail },
      email_data: { email_action_type: "email_change", token_hash: token },
    });
    return link;
  };
}

/** Changes the address. @returns null when the link is unknown or expired, or the address is taken */
export async function claimEmailChange(
  sql: Sql,
  token: string,
): Promise<(Account & { oldEmail: string }) | null> {
  try {
    return await sql.begin(async (transaction) => {
      const [claimed] = await transaction<{ user_id: string; new_email: string }[]>`
        delete from auth.email_changes
        where token_hash = ${hash("sha256", token)} and sent_at > now() - interval '1 hour'
        returning user_id, new_email`;
      if (!claimed) return null;
      const { user_id, new_email } = claimed;
      const [former] = await transaction<{ email: string }[]>`
        select email from auth.users where id = ${user_id} for update`;
      await transaction`
        update auth.users
        set email = ${new_email}, email_change = null, email_confirmed_at = now(), updated_at = now()
        where id = ${user_id}`;
      await transaction`
        update auth.identities
        set identity_data = identity_data || jsonb_build_object('email', ${new_email}::text)
        where user_id = ${user_id} and provider = 'email'`;
      // Deletes the links that were sent to the former address.
      await transaction`delete from auth.recovery_links where user_id = ${user_id}`;
      return { id: user_id, email: new_email, oldEmail: former?.email ?? "" };
    });
  } catch (error) {
    if (codeOf(error) === UNIQUE_VIOLATION) return null;
    throw error;
  }
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}
