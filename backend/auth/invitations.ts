// Invitations of the embedded Auth, for callers with the secret key: POST /invite and POST /admin/generate_link.
// Covers: a new account without a password, and another link for an account that still has none. Does not cover: roles,
// which the function invite-person assigns; other kinds of links.
import { confirmLink } from "../../supabase/functions/_shared/confirm-link.ts";
import type { Sql } from "../database.ts";
import { authError } from "../errors.ts";
import type { AccountMail } from "./account-mail.ts";
import type { AuthRequest } from "./auth-request.ts";
import type { Authenticate } from "./authentication.ts";
import type { Account, RecoveryLinks } from "./recovery-links.ts";

export interface InvitationsOptions {
  sql: Sql;
  siteUrl: string;
  links: RecoveryLinks;
  mail: AccountMail;
  authenticate: Authenticate;
  log: (line: string) => void;
}

export interface Invitations {
  /** @throws HttpError also when there is no mail service, or it does not accept the mail */
  send(request: AuthRequest, email: string): Promise<Response>;
  /** Responds with the link, for the caller to hand over. */
  generate(request: AuthRequest, email: string): Promise<Response>;
}

export function createInvitations(options: InvitationsOptions): Invitations {
  const { sql, siteUrl, links, mail, authenticate, log } = options;
  return {
    async send(request, email) {
      await requireSecretKey(request);
      const account = await findOrCreate(email);
      if (!mail.isSent) {
        const message = "No mail service is configured, or outgoing mail is held";
        throw authError(500, "unexpected_failure", message);
      }
      const token = await links.createInvitation(account);
      try {
        await mail.invitation(account.email, confirmLink(siteUrl, "invite", token));
      } catch (error) {
        const reason = error instanceof Error ? error.name : typeof error;
        log(`auth: an invitation could not be sent: ${reason}`);
        throw authError(500, "unexpected_failure", "Error sending invite email");
      }
      return Response.json(userOf(account));
    },

    async generate(request, email) {
      await requireSecretKey(request);
      const account = await findOrCreate(email);
      const token = await links.createInvitation(account);
      return Response.json({
        ...userOf(account),
        action_link: confirmLink(siteUrl, "invite", token).href,
        email_otp: "",
        hashed_token: token,
        verification_type: "invite",
        redirect_to: siteUrl,
      });
    },
  };

  async function requireSecretKey({ apiKey, bearer }: AuthRequest): Promise<void> {
    const identity = await authenticate(apiKey, bearer);
    if (identity?.role !== "service_role") throw authError(403, "not_admin", "User not allowed");
  }

  /** @throws HttpError when the account has a password: only its owner may get a link that signs in */
  async function findOrCreate(email: string): Promise<Account> {
    const [created] = await sql<Account[]>`
      with account as (
        insert into auth.users (id, aud, role, email, invited_at, raw_app_meta_data, raw_user_meta_data)
        select gen_random_uuid(), 'authenticated', 'authenticated', ${email}, now(),
               '{"provider": "email", "providers": ["email"]}', '{}'
        where not exists (select from auth.users where lower(email) = ${email})
        on conflict do nothing
        returning id, email
      ), identity as (
        insert into auth.identities (id, provider, provider_id, user_id, identity_data)
        select gen_random_uuid(), 'email', id::text, id,
               jsonb_build_object('sub', id, 'email', email, 'email_verified', false)
        from account
      )
      select id, email from account`;
    if (created) return created;
    const [invited] = await sql<Account[]>`
      update auth.users set invited_at = now()
      where lower(email) = ${email} and invited_at is not null
        and coalesce(encrypted_password, '') = ''
      returning id, email`;
    if (invited) return invited;
    const message = "A user with this email address has already been registered";
    throw authError(422, "email_exists", message);
  }
}

function userOf({ id, email }: Account) {
  return {
    id,
    email,
    aud: "authenticated",
    role: "authenticated",
    app_metadata: {},
    user_metadata: {},
  };
}
