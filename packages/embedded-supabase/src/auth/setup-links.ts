// A setup link creates the first account of an installation: its holder chooses the address and the password. Several links are
// valid at once, each for a day, until one is used. Covers: an account with that address that has never signed in, which gets the
// password. Does not cover: whether the installation still waits for its first account, and which one it replaces (config.ts).
import { hash, randomBytes } from "node:crypto";
import type { AuthConfig } from "../config.ts";
import type { Sql } from "../database.ts";
import { authError } from "../errors.ts";
import { insertAccount } from "./new-accounts.ts";
import { storePassword } from "./passwords.ts";

/** @returns the token; null when the first account exists and has been used */
export async function createSetupLink({ firstAccount }: AuthConfig, sql: Sql) {
  if (!(await firstAccount.isAwaited(sql))) return null;
  await sql`delete from auth.setup_links where created_at <= now() - interval '1 day'`;
  const token = randomBytes(32).toString("base64url");
  await sql`insert into auth.setup_links (token_hash) values (${hash("sha256", token)})`;
  return token;
}

/** Deletes nothing, so that a weak password does not use up the link. */
export async function isSetupLink({ firstAccount }: AuthConfig, sql: Sql, token: string) {
  const found = await sql`
    select from auth.setup_links
    where token_hash = ${hash("sha256", token)} and created_at > now() - interval '1 day'`;
  return found.length > 0 && (await firstAccount.isAwaited(sql));
}

/**
 * Creates the account, or gives its password to one that has never signed in. A crash in between leaves no link: another one has
 * to be made.
 * @param hashed the password
 * @returns false when the link is unknown, expired or used
 * @throws HttpError when somebody signs in with the address already
 */
export async function claimSetupLink(
  config: AuthConfig,
  sql: Sql,
  { token, email, hashed }: { token: string; email: string; hashed: string },
): Promise<boolean> {
  const [former] = await sql<{ id: string; is_used: boolean }[]>`
    select id, last_sign_in_at is not null as is_used from auth.users where email = ${email}`;
  if (former?.is_used) throw authError(422, "email_exists", "Another account has this address.");
  if (!(await isSetupLink(config, sql, token))) return false;
  const used = await sql`delete from auth.setup_links returning token_hash`;
  if (used.length === 0) return false;
  const account = former ?? (await insertAccount(sql, email));
  if (!account) return false;
  await sql`update auth.users set invited_at = null where id = ${account.id}`;
  await storePassword(sql, account.id, hashed, null);
  await config.firstAccount.onCreated(sql, account.id);
  return true;
}
