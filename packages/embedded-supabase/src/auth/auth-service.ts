// Auth of the embedded backend: executes parsed requests with the sessions of @supabase/lite.
// Covers: sign-in by password, a second step (factors.ts), refresh, log-out, a new password, links for a forgotten one, a new
// address, invitations (new-accounts.ts), the first account (setup-links.ts). A request for an unknown account gets the same response in
// the same time as one for an existing account. Does not cover: sign-up (closed), changing the data of an account.
import { randomBytes } from "node:crypto";
import { decodeJwt } from "jose";
import { z } from "zod";
import type { AuthConfig } from "../config.ts";
import type { Identity, Sql } from "../database.ts";
import { authError, type HttpError } from "../errors.ts";
import type { RateLimiter } from "../rate-limits/rate-limiter.ts";
import { createQueue, runInOwnTurn } from "../rate-limits/shared-work.ts";
import type { AccountMail } from "./account-mail.ts";
import type { AuthAction, AuthRequest } from "./auth-request.ts";
import { type Authenticate, type Session, sessionOf } from "./authentication.ts";
import { foldAddress } from "./email.ts";
import { createFactors, lacksSecondStep } from "./factors.ts";
import {
  type Account,
  claimEmailChange,
  claimRecoveryLink,
  createRecoveryLink,
  requestEmailChange,
} from "./links.ts";
import { generateInvitation, sendInvitation, userOf } from "./new-accounts.ts";
import { createPasswords, preparePassword, RECOVERY, requireCurrentPassword } from "./passwords.ts";
import { claimSetupLink, isSetupLink } from "./setup-links.ts";

interface AuthServiceOptions {
  config: AuthConfig;
  sql: Sql;
  /** The Auth service of @supabase/lite. */
  library: (request: Request) => Promise<Response>;
  authenticate: Authenticate;
  /** Signs access tokens. */
  jwtSecret: string;
  siteUrl(): string;
  mail: AccountMail;
  /** Null when nothing is limited. */
  limit: RateLimiter | null;
  visitorAddress: () => string | null;
  /** Called before the response to a request that ended sessions. */
  onSessionsEnded: () => Promise<void>;
  log: (line: string) => void;
}

type Action<Kind extends AuthAction["kind"]> = Extract<AuthAction, { kind: Kind }>;

const userSchema = z.looseObject({ id: z.string() });
const tokenSchema = z.looseObject({ access_token: z.string(), user: userSchema });

interface SignedIn extends Session {
  claims: Identity["claims"];
}

export function createAuthService(options: AuthServiceOptions) {
  const { config, sql, library, authenticate, siteUrl, mail, limit, onSessionsEnded, log } =
    options;
  const passwords = createPasswords(options.visitorAddress);
  const factors = createFactors(options);
  const dummyHash = passwords.hash(randomBytes(16).toString("hex"));
  // Only one operation starts or ends sessions at a time: a sign-in with the old password cannot finish after the password
  // has changed, and tabs that refresh at the same time all stay signed in. The slow hashing happens before.
  const acquire = createQueue(
    "in fair turns",
    { total: 1, perVisitor: 1, waitingPerVisitor: 40, waiting: 400, timeout: 10_000 },
    options.visitorAddress,
  );
  const mails = new Set<Promise<unknown>>();

  return {
    handle,
    /** Resolves when no email is being sent. */
    async mailSent(): Promise<void> {
      while (mails.size > 0) await Promise.all(mails);
    },
  };

  async function handle(request: AuthRequest): Promise<Response> {
    const { action } = request;
    if (!(await authenticate(request.apiKey, null))) {
      throw authError(401, "no_api_key", "The API key is missing or unknown");
    }
    switch (action.kind) {
      case "sign-up":
        throw authError(422, "signup_disabled", "Signups not allowed for this instance");
      case "sign-in":
        return signIn(request, action);
      case "refresh":
        return oneAtATime(() => refresh(request, action.refreshToken));
      case "recover":
        mailInBackground("a link for a new password", () => mailRecoveryLink(action));
        return Response.json({});
      case "verify":
        return oneAtATime(() => claimLink(request, action));
      case "set-up":
        return setUp(action);
      case "invite":
        await requireSecretKey(request);
        return sendInvitation(options, action.email, action.data);
      case "generate-invitation":
        await requireSecretKey(request);
        return generateInvitation(options, action.email);
      case "generate-recovery":
        await requireSecretKey(request);
        return generateRecovery(action.email);
      case "get-user":
        return getUser(request);
      case "set-password":
        return changePassword(request, action);
      case "change-email":
        return changeEmail(request, action);
      case "enroll": {
        const session = await requireSession(request);
        return factors.enroll(session, session.claims, action.friendlyName, action.issuer);
      }
      case "challenge":
        return factors.challenge(await requireSession(request), action.factorId);
      case "verify-code":
        return verifyCode(request, action);
      case "unenroll": {
        const session = await requireSession(request);
        return oneAtATime(() => factors.unenroll(session, session.claims, action.factorId));
      }
      case "log-out":
        return oneAtATime(() => logOut(request, action.scope));
    }
  }

  async function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = await runInOwnTurn(acquire, work);
    if (result !== null) return result;
    const message = "Too many sessions start or end at the moment. Please try again in a minute.";
    throw authError(429, "over_request_rate_limit", message);
  }

  /** Runs the same query and the same hashing whether or not the account exists. */
  async function signIn(
    request: AuthRequest,
    { email, password }: Action<"sign-in">,
  ): Promise<Response> {
    const [user] = await sql<{ id: string; encrypted_password: string | null }[]>`
      select id, encrypted_password from auth.users where email = ${foldAddress(email)}`;
    const hash = user?.encrypted_password;
    const matches = await passwords.matches(password, hash || (await dummyHash));
    if (!user || !hash || !matches) throw invalidCredentials();
    return oneAtATime(async () => {
      const response = await startSession(request, user.id, "password", { hash });
      if (!response) throw invalidCredentials();
      return response;
    });
  }

  /**
   * The response does not wait for the mail, because the delay would reveal whether an account exists.
   * @param send looks up the account and sends the mail
   */
  function mailInBackground(what: string, send: () => Promise<unknown>): void {
    const sending: Promise<unknown> = new Promise(setImmediate)
      .then(send)
      .catch((error) => log(`auth: ${what} could not be sent: ${reasonOf(error)}`))
      .finally(() => mails.delete(sending));
    mails.add(sending);
  }

  async function findAccount(email: string): Promise<Account | undefined> {
    const [account] = await sql<Account[]>`
      select id, email from auth.users where email = ${foldAddress(email)} and not is_sso_user`;
    return account;
  }

  /** Responds with the token of a link, for the caller to hand over. */
  async function generateRecovery(email: string): Promise<Response> {
    const account = await findAccount(email);
    if (!account) throw authError(404, "user_not_found", "User not found");
    const token = await createRecoveryLink(sql, account, "1 hour");
    return Response.json({ ...userOf(account), hashed_token: token, redirect_to: siteUrl() });
  }

  async function mailRecoveryLink({ email }: Action<"recover">): Promise<void> {
    const account = await findAccount(email);
    if (!account) return;
    const token = await createRecoveryLink(sql, account, "1 hour");
    await mail.send({
      user: { email: account.email },
      email_data: { email_action_type: "recovery", token_hash: token },
    });
  }

  async function claimLink(
    request: AuthRequest,
    { type, token }: Action<"verify">,
  ): Promise<Response> {
    const expired = authError(403, "otp_expired", "Email link is invalid or has expired");
    if (type === "email_change") {
      // The person who changes the address is signed in already, so this starts no session.
      const user = await claimEmailChange(sql, token);
      if (!user) throw expired;
      const { oldEmail: old_email, ...changed } = user;
      mailInBackground("a note about a new address", () =>
        mail.send({
          user: changed,
          email_data: { email_action_type: "email_changed_notification", old_email },
        }),
      );
      return Response.json({ user: changed });
    }
    const userId = await claimRecoveryLink(sql, token);
    const response = userId && (await startSession(request, userId, "otp", { tag: RECOVERY }));
    if (!response) throw expired;
    return response;
  }

  /** Creates the first account. The visitor then signs in with it. */
  async function setUp({ email, password, token }: Action<"set-up">): Promise<Response> {
    const expired = authError(403, "otp_expired", "The setup link is invalid or has expired");
    // First, so that only the holder of a link makes this process hash.
    if (!(await isSetupLink(config, sql, token))) throw expired;
    const problem = await config.passwordProblem(password, email);
    if (problem) throw authError(422, "weak_password", problem);
    const hashed = await passwords.hash(password);
    if (!(await oneAtATime(() => claimSetupLink(config, sql, { token, email, hashed })))) {
      throw expired;
    }
    return Response.json({});
  }

  /**
   * Starts a session without a password. The library does so for a recovery token only, and stores one per account: this
   * token is valid until the end of the call.
   * @param options.hash of the password that was checked: if it has changed meanwhile, no session starts
   * @param options.tag stored with the session
   */
  async function startSession(
    request: AuthRequest,
    userId: string,
    method: "password" | "otp",
    { hash, tag = null }: { hash?: string; tag?: string | null },
  ): Promise<Response | null> {
    const token_hash = randomBytes(32).toString("hex");
    const updated = await sql`
      update auth.users set recovery_token = ${token_hash}, recovery_sent_at = now()
      where id = ${userId} and (${hash ?? null}::text is null or encrypted_password = ${hash ?? null})
      returning id`;
    if (updated.length === 0) return null;
    const response = await call(request, "POST", "verify", { type: "recovery", token_hash });
    const { data: tokens } = tokenSchema.safeParse(await response.clone().json());
    const session = tokens && sessionOf(decodeJwt(tokens.access_token));
    if (session) {
      await sql`
        update auth.sessions set user_agent = ${request.userAgent}, tag = ${tag}
        where id = ${session.sessionId}`;
      await factors.addMethod(session.sessionId, method);
    }
    return complete(response);
  }

  async function refresh(request: AuthRequest, refreshToken: string): Promise<Response> {
    const body = { refresh_token: refreshToken };
    return complete(await call(request, "POST", "token?grant_type=refresh_token", body));
  }

  async function getUser(request: AuthRequest): Promise<Response> {
    const response = await call(request, "GET", "user");
    const { data: user } = userSchema.safeParse(await response.clone().json());
    return response.ok && user ? withBody(response, await factors.withFactors(user)) : response;
  }

  /** Adds what the library lacks to the response with a session: its level, and the factors of the account. */
  async function complete(response: Response): Promise<Response> {
    const { data: tokens } = tokenSchema.safeParse(await response.clone().json());
    if (!response.ok || !tokens) return response;
    return withBody(response, {
      ...tokens,
      access_token: await factors.withLevel(tokens.access_token),
      user: await factors.withFactors(tokens.user),
    });
  }

  async function verifyCode(
    request: AuthRequest,
    { factorId, challengeId, code }: Action<"verify-code">,
  ): Promise<Response> {
    const session = await requireSession(request);
    const path = `/auth/v1/factors/${factorId}/verify`;
    const limited = limit?.("code", request, session.userId, path);
    if (limited) return limited;
    return oneAtATime(async () => {
      const refreshToken = await factors.verify(session, factorId, challengeId, code);
      await onSessionsEnded();
      const response = await refresh(request, refreshToken);
      // The token before the code must not work once more.
      await sql`
        delete from auth.refresh_tokens where session_id = ${session.sessionId} and revoked`;
      return response;
    });
  }

  /** @throws HttpError for a session of the first step alone */
  async function requireSecondStep({ claims }: SignedIn): Promise<void> {
    if (await lacksSecondStep(sql, claims)) {
      const message = "AAL2 session is required to update email or password when MFA is enabled.";
      throw authError(401, "insufficient_aal", message);
    }
  }

  async function requireSecretKey({ apiKey, bearer }: AuthRequest): Promise<void> {
    const identity = await authenticate(apiKey, bearer);
    if (identity?.role !== "service_role") throw authError(403, "not_admin", "User not allowed");
  }

  async function requireSession(request: AuthRequest): Promise<SignedIn> {
    const identity = await authenticate(request.apiKey, request.bearer);
    const session = identity && sessionOf(identity.claims);
    if (!session) throw authError(403, "bad_jwt", "The token is invalid or has expired");
    return { ...session, claims: identity.claims };
  }

  /** Counts an attempt to guess the current password against the rate limit. */
  function countAttempt(request: AuthRequest, { userId }: Session): Response | null {
    return limit?.("password", request, userId, "/auth/v1/user") ?? null;
  }

  async function changePassword(
    request: AuthRequest,
    { password, currentPassword }: Action<"set-password">,
  ): Promise<Response> {
    const session = await requireSession(request);
    await requireSecondStep(session);
    const limited = countAttempt(request, session);
    if (limited) return limited;
    const store = await preparePassword(config, sql, passwords, session, password, currentPassword);
    const { email, isFirst } = await oneAtATime(store);
    await onSessionsEnded();
    if (!isFirst) {
      mailInBackground("a note about a new password", () =>
        mail.send({
          user: { email },
          email_data: { email_action_type: "password_changed_notification" },
        }),
      );
    }
    return getUser(request);
  }

  async function changeEmail(
    request: AuthRequest,
    { email, currentPassword }: Action<"change-email">,
  ): Promise<Response> {
    const session = await requireSession(request);
    await requireSecondStep(session);
    const limited = countAttempt(request, session);
    if (limited) return limited;
    await requireCurrentPassword(sql, passwords, session, currentPassword);
    const sendMails = await requestEmailChange(config, sql, mail, siteUrl(), session.userId, email);
    if (!sendMails) return getUser(request);
    if (!(await mail.isSent()) && (await config.seesUnsentLinks(sql, session.userId))) {
      // As with an invitation, the response has the link that cannot be mailed.
      const link = await sendMails();
      if (!link) {
        await sql`update auth.users set email_change = null where id = ${session.userId}`;
        throw authError(422, "email_exists", "Another account has this address.");
      }
      const user = await (await getUser(request)).json();
      return Response.json({ ...user, email_change_link: link.href });
    }
    mailInBackground("a link for a new address", sendMails);
    return getUser(request);
  }

  async function logOut(
    request: AuthRequest,
    scope: Action<"log-out">["scope"],
  ): Promise<Response> {
    // The first step alone may not end what the second one proved.
    if (scope !== "local") await requireSecondStep(await requireSession(request));
    const response = await call(request, "POST", `logout?scope=${scope}`);
    if (response.ok) await onSessionsEnded();
    return response;
  }

  /** Calls the library with a request that contains parsed values only. */
  function call(
    { apiKey, bearer }: AuthRequest,
    method: string,
    path: string,
    body?: Record<string, string>,
  ): Promise<Response> {
    return library(
      new Request(new URL(`/auth/v1/${path}`, siteUrl()), {
        method,
        headers: {
          ...(apiKey && { apikey: apiKey }),
          ...(bearer && { authorization: `Bearer ${bearer}` }),
          ...(body && { "content-type": "application/json" }),
        },
        body: body && JSON.stringify(body),
      }),
    );
  }
}

function withBody({ status, headers }: Response, body: object): Response {
  const kept = new Headers(headers);
  kept.delete("content-length");
  return Response.json(body, { status, headers: kept });
}

function invalidCredentials(): HttpError {
  return authError(400, "invalid_credentials", "Invalid login credentials");
}

/** Puts a message into one line without email addresses, which mail servers repeat in their errors. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .slice(0, 300)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/\S+@\S+/g, "<address>");
}
