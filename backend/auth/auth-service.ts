// Auth of the embedded backend: executes parsed requests with the sessions of @supabase/lite.
// Covers: sign-in by password, refresh, log-out, a new password, links for a forgotten one. A request for an unknown
// account gets the same response in the same time as one for an existing account. Does not cover: sign-up (closed),
// changing the e-mail address or data of an account.
import { randomBytes } from "node:crypto";
import bcrypt from "bcryptjs";
import pLimit from "p-limit";
import { z } from "zod";
import { passwordProblem } from "../../supabase/functions/_shared/password.ts";
import type { Sql } from "../database.ts";
import { HttpError } from "../errors.ts";
import type { AuthAction, AuthRequest } from "./auth-request.ts";
import { type Authenticate, sessionOf } from "./authentication.ts";
import { createRecoveryLinks, redirectTarget, type SendRecoveryLink } from "./recovery-links.ts";

export interface AuthServiceOptions {
  sql: Sql;
  /** Auth of @supabase/lite. */
  library: (request: Request) => Promise<Response>;
  authenticate: Authenticate;
  siteUrl: string;
  sendRecoveryLink: SendRecoveryLink;
  /** Called before the response to a request that ended sessions. */
  onSessionsEnded: () => Promise<void>;
  log: (line: string) => void;
}

export interface AuthService {
  handle(request: AuthRequest): Promise<Response>;
  /** Resolves when no e-mail is being sent. */
  mailSent(): Promise<void>;
}

type Action<Kind extends AuthAction["kind"]> = Extract<AuthAction, { kind: Kind }>;

/** The library's default, so that comparing with the dummy hash takes as long as with a real one. */
const BCRYPT_COST = 10;
const tokenSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
  expires_at: z.number(),
  token_type: z.string(),
});

export function createAuthService(options: AuthServiceOptions): AuthService {
  const { sql, library, authenticate, siteUrl, sendRecoveryLink, onSessionsEnded, log } = options;
  const links = createRecoveryLinks(sql, siteUrl);
  const dummyHash = bcrypt.hash(randomBytes(16).toString("hex"), BCRYPT_COST);
  // Starting and ending sessions runs one at a time: a sign-in with the old password cannot finish after the password
  // has changed, and tabs that refresh at the same time all stay signed in.
  const oneAtATime = pLimit(1);
  const mails = new Set<Promise<void>>();

  return {
    handle,
    async mailSent() {
      while (mails.size > 0) await Promise.all(mails);
    },
  };

  async function handle(request: AuthRequest): Promise<Response> {
    const { action } = request;
    // A browser opens a mailed link without a key.
    if (action.kind !== "open-link" && !(await authenticate(request.apiKey, null))) {
      throw authError(401, "no_api_key", "The API key is missing or unknown");
    }
    switch (action.kind) {
      case "health":
      case "settings":
        return call(request, "GET", action.kind);
      case "sign-up":
        throw authError(422, "signup_disabled", "Signups not allowed for this instance");
      case "sign-in":
        return signIn(request, action);
      case "refresh":
        return oneAtATime(() =>
          call(request, "POST", "token?grant_type=refresh_token", {
            refresh_token: action.refreshToken,
          }),
        );
      case "recover":
        return recover(action);
      case "open-link":
        return openLink(request, action);
      case "verify-token":
        return oneAtATime(() => claimLink(request, action.token));
      case "get-user":
        return call(request, "GET", "user");
      case "set-password":
        return oneAtATime(() => setPassword(request, action.password));
      case "log-out":
        return oneAtATime(() => logOut(request, action.scope));
    }
  }

  /** Runs the same query and the same hashing whether or not the account exists. */
  async function signIn(
    request: AuthRequest,
    { email, password }: Action<"sign-in">,
  ): Promise<Response> {
    const [user] = await sql<{ id: string; encrypted_password: string | null }[]>`
      select id, encrypted_password from auth.users where email = ${email.toLowerCase()}`;
    const hash = user?.encrypted_password;
    const matches = await bcrypt.compare(password, hash || (await dummyHash));
    if (!user || !hash || !matches) throw invalidCredentials();
    return oneAtATime(async () => {
      const response = await startSession(request, user.id, hash);
      if (!response) throw invalidCredentials();
      return asPasswordSignIn(response);
    });
  }

  /** Responds before it looks up the account and sends the mail, so the response time reveals nothing. */
  function recover(action: Action<"recover">): Response {
    const mail = mailRecoveryLink(action)
      .catch((error) =>
        log(`auth: a link for a new password could not be sent: ${reasonOf(error)}`),
      )
      .finally(() => mails.delete(mail));
    mails.add(mail);
    return Response.json({});
  }

  async function mailRecoveryLink({ email, redirectTo }: Action<"recover">): Promise<void> {
    await new Promise(setImmediate);
    const mail = await links.create(email, redirectTo);
    if (mail) await sendRecoveryLink(mail.to, mail.link);
  }

  async function openLink(
    request: AuthRequest,
    { token, redirectTo }: Action<"open-link">,
  ): Promise<Response> {
    const response = await oneAtATime(() => claimLink(request, token)).catch((error) => {
      if (error instanceof HttpError) return null;
      throw error;
    });
    const target = redirectTarget(siteUrl, redirectTo);
    target.hash = String(await fragmentOf(response));
    return new Response(null, {
      status: 303,
      headers: { location: target.href, "cache-control": "no-store" },
    });
  }

  /** Signs in with a mailed token. */
  async function claimLink(request: AuthRequest, token: string): Promise<Response> {
    const userId = await links.claim(token);
    const response = userId && (await startSession(request, userId));
    if (!response) throw authError(403, "otp_expired", "Email link is invalid or has expired");
    return response;
  }

  /**
   * Starts a session without a password. The library does so for a recovery token only, and knows one per account: this
   * token is valid until the end of the call.
   * @param hash of the password that was checked: when it has changed meanwhile, no session starts.
   */
  async function startSession(
    request: AuthRequest,
    userId: string,
    hash?: string,
  ): Promise<Response | null> {
    const token_hash = randomBytes(32).toString("hex");
    const updated = await sql`
      update auth.users set recovery_token = ${token_hash}, recovery_sent_at = now()
      where id = ${userId} and (${hash ?? null}::text is null or encrypted_password = ${hash ?? null})
      returning id`;
    if (updated.length === 0) return null;
    return call(request, "POST", "verify", { type: "recovery", token_hash });
  }

  async function setPassword(request: AuthRequest, password: string): Promise<Response> {
    const account = await call(request, "GET", "user");
    if (!account.ok) return account;
    const identity = await authenticate(request.apiKey, request.bearer);
    const session = identity && sessionOf(identity.claims);
    if (!session) throw authError(403, "bad_jwt", "The token is invalid or has expired");
    const problem = passwordProblem(password);
    if (problem) throw authError(422, "weak_password", problem);
    const { userId, sessionId } = session;
    const [user] = await sql<{ encrypted_password: string | null }[]>`
      select encrypted_password from auth.users where id = ${userId}`;
    if (user?.encrypted_password && (await bcrypt.compare(password, user.encrypted_password))) {
      const message = "New password should be different from the old password.";
      throw authError(422, "same_password", message);
    }
    const hash = await bcrypt.hash(password, BCRYPT_COST);
    await sql.begin(async (transaction) => {
      await transaction`
        update auth.users set encrypted_password = ${hash}, updated_at = now() where id = ${userId}`;
      await transaction`
        delete from auth.sessions where user_id = ${userId} and id <> ${sessionId}`;
      // The library accepts a used refresh token once more, for tabs that refresh at the same time.
      await transaction`
        delete from auth.refresh_tokens
        where user_id = ${userId} and (revoked or session_id is distinct from ${sessionId})`;
      await transaction`delete from auth.recovery_links where user_id = ${userId}`;
    });
    await onSessionsEnded();
    return call(request, "GET", "user");
  }

  async function logOut(
    request: AuthRequest,
    scope: Action<"log-out">["scope"],
  ): Promise<Response> {
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
      new Request(new URL(`/auth/v1/${path}`, siteUrl), {
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

const signInSchema = z.looseObject({ user: z.looseObject({ recovery_sent_at: z.unknown() }) });

/** Turns the response to a recovery token into the one to a password. */
async function asPasswordSignIn(response: Response): Promise<Response> {
  const body: unknown = await response.json();
  const { data: session } = signInSchema.safeParse(body);
  if (!session) return Response.json(body, response);
  const { recovery_sent_at: _, ...user } = session.user;
  return Response.json({ ...session, user, weak_password: null }, response);
}

/** The session for the page that a link leads to, or why there is none. */
async function fragmentOf(response: Response | null): Promise<URLSearchParams> {
  const { data: session } = tokenSchema.safeParse(await response?.json());
  if (response?.ok && session) {
    const { expires_in, expires_at, ...tokens } = session;
    return new URLSearchParams({
      ...tokens,
      expires_in: String(expires_in),
      expires_at: String(expires_at),
      type: "recovery",
    });
  }
  return new URLSearchParams({
    error: "access_denied",
    error_code: "otp_expired",
    error_description: "Email link is invalid or has expired",
  });
}

function authError(status: number, code: string, message: string): HttpError {
  return new HttpError(status, code, message, { "x-sb-error-code": code });
}

function invalidCredentials(): HttpError {
  return authError(400, "invalid_credentials", "Invalid login credentials");
}

/** In one line and without e-mail addresses, which mail servers repeat in their errors. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .slice(0, 300)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/\S+@\S+/g, "<address>");
}
