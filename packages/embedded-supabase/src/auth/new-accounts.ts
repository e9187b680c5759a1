// Creates accounts of the embedded Auth: for the owner setting and scripts, and by invitations from callers with the secret
// key (POST /invite and POST /admin/generate_link). Covers: another link for an account that has not used one. Does not
// cover: roles, which the function invite-person assigns; other kinds of links (auth-service.ts).
import { randomUUID } from "node:crypto";
import type { AuthConfig } from "../config.ts";
import type { Sql } from "../database.ts";
import { authError } from "../errors.ts";
import type { AccountMail } from "./account-mail.ts";
import { emailSchema, foldAddress } from "./email.ts";
import { type Account, createRecoveryLink } from "./links.ts";
import { hashPassword, storePassword } from "./passwords.ts";

interface InvitationOptions {
  sql: Sql;
  siteUrl(): string;
  mail: AccountMail;
  log: (line: string) => void;
}

/**
 * @param data what the mail says about the invitation
 * @throws HttpError also when there is no mail service
 */
export async function sendInvitation(
  { sql, mail, log }: InvitationOptions,
  email: string,
  data: object,
): Promise<Response> {
  const account = await findOrCreate(sql, email);
  if (!(await mail.isSent())) {
    const message = "No mail service is configured, or outgoing mail is held";
    throw authError(500, "unexpected_failure", message);
  }
  const token = await createRecoveryLink(sql, account, "24 hours");
  try {
    await mail.send({
      user: { email: account.email, user_metadata: data },
      email_data: { email_action_type: "invite", token_hash: token, expires_in: 24 * 60 * 60 },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.name : typeof error;
    log(`auth: an invitation could not be sent: ${reason}`);
    throw authError(500, "unexpected_failure", "Error sending invite email");
  }
  return Response.json(userOf(account));
}

/** Responds with the token of a link, for the caller to hand over. */
export async function generateInvitation(
  { sql, siteUrl }: InvitationOptions,
  email: string,
): Promise<Response> {
  const account = await findOrCreate(sql, email);
  const token = await createRecoveryLink(sql, account, "24 hours");
  return Response.json({ ...userOf(account), hashed_token: token, redirect_to: siteUrl() });
}

/** @throws HttpError when the account has used an invitation: only its owner may get a link that signs in */
async function findOrCreate(sql: Sql, email: string): Promise<Account> {
  const created = await insertAccount(sql, email);
  if (created) return created;
  const [invited] = await sql<Account[]>`
    update auth.users set invited_at = now()
    where email = ${email} and invited_at is not null and email_confirmed_at is null
    returning id, email`;
  if (invited) return invited;
  const message = "A user with this email address has already been registered";
  throw authError(422, "email_exists", message);
}

/** Creates a confirmed account although sign-up is closed. @returns its id */
export async function createUser(
  { passwordProblem }: AuthConfig,
  sql: Sql,
  email: string,
  password: string,
): Promise<string> {
  const { error: invalid } = emailSchema.safeParse(email);
  const problem = invalid?.issues[0]?.message ?? (await passwordProblem(password, email));
  if (problem) throw new Error(`Creating ${email} failed: ${problem}`);
  const hashed = await hashPassword(password);
  const account = await insertAccount(sql, foldAddress(email));
  if (!account) throw new Error(`Creating ${email} failed: the account exists`);
  await sql`update auth.users set invited_at = null where id = ${account.id}`;
  await storePassword(sql, account.id, hashed, null);
  return account.id;
}

/** Creates an invited account without a password. @returns null when the address has an account */
export async function insertAccount(
  sql: Sql,
  email: string,
  id: string = randomUUID(),
): Promise<Account | null> {
  const [created] = await sql<Account[]>`
    with account as (
      insert into auth.users (id, aud, role, email, invited_at, raw_app_meta_data, raw_user_meta_data)
      select ${id}::uuid, 'authenticated', 'authenticated', ${email}, now(),
             '{"provider": "email", "providers": ["email"]}', '{}'
      where not exists (select from auth.users where email = ${email})
      on conflict do nothing
      returning id, email
    ), identity as (
      insert into auth.identities (id, provider, provider_id, user_id, identity_data)
      select gen_random_uuid(), 'email', id::text, id,
             jsonb_build_object('sub', id, 'email', email, 'email_verified', false)
      from account
    )
    select id, email from account`;
  return created ?? null;
}

export function userOf({ id, email }: Account) {
  const role = "authenticated";
  return { id, email, aud: role, role, app_metadata: {}, user_metadata: {} };
}
