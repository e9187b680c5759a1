// Hashes, compares and changes passwords, with bcrypt in libuv's thread pool.
// Covers: two hashes at a time, and one per visitor, so that one visitor's attempts do not delay the sign-in of others; the
// check of the current password, which a session from a mailed link skips.
import { compare, hash } from "@node-rs/bcrypt";
import type { AuthConfig } from "../config.ts";
import type { Sql } from "../database.ts";
import { authError } from "../errors.ts";
import { createQueue, runInOwnTurn } from "../rate-limits/shared-work.ts";
import type { Session } from "./authentication.ts";

export type Passwords = ReturnType<typeof createPasswords>;

/** The default cost of @supabase/lite, so that comparing with the dummy hash takes as long as with a real one. */
const BCRYPT_COST = 10;

/**
 * The functions throw an HttpError when too many callers wait.
 * @param visitorAddress of the request that is being handled; null for the site's own
 */
export function createPasswords(visitorAddress: () => string | null) {
  const acquire = createQueue(
    "in fair turns",
    { total: 2, perVisitor: 1, waitingPerVisitor: 40, waiting: 400, timeout: 10_000 },
    visitorAddress,
  );

  return {
    hash: (password: string) => inTurn(() => hashPassword(password)),
    matches: (password: string, hashed: string) => inTurn(() => compare(password, hashed)),
  };

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = await runInOwnTurn(acquire, work);
    if (result !== null) return result;
    const message = "Too many passwords are being checked. Please try again in a minute.";
    throw authError(429, "over_request_rate_limit", message);
  }
}

/** @param cost of each comparison with the hash, which only tests lower */
export function hashPassword(password: string, cost = BCRYPT_COST): Promise<string> {
  return hash(password, cost);
}

/** The tag of a session that started from a mailed link. */
export const RECOVERY = "recovery";

/**
 * Checks and hashes a new password. Storing it is a second step, because hashing takes long and must not block sign-ins.
 * @returns a function that stores the password and ends all other sessions of the account and all its links. It returns the
 * account's address, and whether it had no password before
 * @throws HttpError
 */
export async function preparePassword(
  { passwordProblem }: AuthConfig,
  sql: Sql,
  passwords: Passwords,
  session: Session,
  password: string,
  currentPassword: string | null,
): Promise<() => Promise<{ email: string; isFirst: boolean }>> {
  const { former, tag, email } = await readPassword(sql, session);
  const problem = await passwordProblem(password, email);
  if (problem) throw authError(422, "weak_password", problem);
  if (former && tag !== RECOVERY) await requirePassword(passwords, former, currentPassword);
  if (former && (await passwords.matches(password, former))) {
    const message = "New password should be different from the old password.";
    throw authError(422, "same_password", message);
  }
  const hashed = await passwords.hash(password);
  return async () => {
    const { userId, sessionId } = session;
    if (!(await storePassword(sql, userId, hashed, sessionId, former))) throw wrongPassword();
    return { email, isFirst: former === null };
  };
}

/** @throws HttpError unless the password is the one of the session's account */
export async function requireCurrentPassword(
  sql: Sql,
  passwords: Passwords,
  session: Session,
  currentPassword: string | null,
): Promise<void> {
  const { former } = await readPassword(sql, session);
  await requirePassword(passwords, former, currentPassword);
}

async function requirePassword(
  passwords: Passwords,
  former: string | null,
  given: string | null,
): Promise<void> {
  if (!given) throw authError(400, "current_password_required", currentPasswordMessage);
  if (!former || !(await passwords.matches(given, former))) throw wrongPassword();
}

const currentPasswordMessage = "The current password is required for this change.";

function wrongPassword() {
  return authError(400, "current_password_invalid", currentPasswordMessage);
}

interface StoredPassword {
  /** Null for an invited account without a password. */
  former: string | null;
  tag: string | null;
  email: string;
}

async function readPassword(sql: Sql, { userId, sessionId }: Session): Promise<StoredPassword> {
  const [stored] = await sql<StoredPassword[]>`
    select nullif(encrypted_password, '') as former, tag, email
    from auth.users join auth.sessions on sessions.user_id = users.id
    where users.id = ${userId} and sessions.id = ${sessionId}`;
  if (!stored) throw authError(403, "bad_jwt", "The token is invalid or has expired");
  return stored;
}

/**
 * Ends what the former password allowed: sessions, and links that were mailed.
 * @param keptSession the session that stays; null ends all
 * @param former the hash that is replaced; omitted, any hash is replaced
 * @returns false when the account has another password by now
 */
export async function storePassword(
  sql: Sql,
  userId: string,
  hashed: string,
  keptSession: string | null,
  former?: string | null,
): Promise<boolean> {
  return sql.begin(async (transaction) => {
    const updated = await transaction`
      update auth.users
      set encrypted_password = ${hashed}, email_confirmed_at = coalesce(email_confirmed_at, now()),
          email_change_sent_at = null, updated_at = now()
      where id = ${userId} and (
        ${former === undefined} or nullif(encrypted_password, '') is not distinct from ${former ?? null}
      )
      returning id`;
    if (updated.length === 0) return false;
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
    return true;
  });
}
