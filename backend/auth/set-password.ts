// A new password for the account of a session: checks it, stores its hash and ends what the former password allowed.
// Covers: the current password, which a session that a mailed link started need not know.
import bcrypt from "bcryptjs";
import { passwordProblem } from "../../supabase/functions/_shared/password.ts";
import type { Sql } from "../database.ts";
import { authError } from "./auth-error.ts";
import type { Session } from "./authentication.ts";

/** The library's default, so that comparing with the dummy hash takes as long as with a real one. */
export const BCRYPT_COST = 10;
/** The tag of a session that a mailed link started. */
export const RECOVERY = "recovery";

/** Ends all other sessions of the account, and all its links. @throws HttpError */
export async function setPassword(
  sql: Sql,
  { userId, sessionId }: Session,
  password: string,
  currentPassword: string | null,
): Promise<void> {
  const problem = passwordProblem(password);
  if (problem) throw authError(422, "weak_password", problem);
  const [user] = await sql<{ encrypted_password: string | null; tag: string | null }[]>`
    select encrypted_password, tag
    from auth.users join auth.sessions on sessions.user_id = users.id
    where users.id = ${userId} and sessions.id = ${sessionId}`;
  const former = user?.encrypted_password;
  if (former && user.tag !== RECOVERY) {
    const message = "Current password required when setting new password.";
    if (!currentPassword) throw authError(400, "current_password_required", message);
    if (!(await bcrypt.compare(currentPassword, former))) {
      throw authError(400, "current_password_invalid", message);
    }
  }
  if (former && (await bcrypt.compare(password, former))) {
    const message = "New password should be different from the old password.";
    throw authError(422, "same_password", message);
  }
  await storePassword(sql, userId, await hashPassword(password), sessionId);
}

export function hashPassword(password: string): Promise<string> {
  return bcrypt.hash(password, BCRYPT_COST);
}

/**
 * Ends what the former password allowed: sessions, and links that were mailed.
 * @param keptSession the session that stays; null ends all
 */
export async function storePassword(
  sql: Sql,
  userId: string,
  hash: string,
  keptSession: string | null,
): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`
      update auth.users set encrypted_password = ${hash}, email_change = null, updated_at = now()
      where id = ${userId}`;
    await transaction`update auth.sessions set tag = null where id = ${keptSession}`;
    await transaction`
      delete from auth.sessions
      where user_id = ${userId} and id is distinct from ${keptSession}::uuid`;
    // The library accepts a used refresh token once more, for tabs that refresh at the same time.
    await transaction`
      delete from auth.refresh_tokens
      where user_id = ${userId}
        and (revoked or session_id is null or session_id is distinct from ${keptSession}::uuid)`;
    await transaction`delete from auth.recovery_links where user_id = ${userId}`;
    await transaction`delete from auth.email_changes where user_id = ${userId}`;
  });
}
