// Auth of the embedded backend: answers parsed requests, with the sessions of @supabase/lite.
// Covers: sign-in by password, refresh, log-out, a new password, links for a forgotten one. An account
// that does not exist gets the same answer in the same time as one that does. Does not cover: sign-up
// (closed), other addresses or data of an account.
import { randomBytes } from "node:crypto";
import bcrypt from "bcryptjs";
import { z } from "zod";
import { passwordProblem } from "../../supabase/functions/_shared/password.ts";
import { clientError } from "../errors.ts";
import type { Sql } from "../database.ts";
import type { Identify } from "./authentication.ts";
import { oneAtATime } from "../one-at-a-time.ts";
import type { SendRecoveryLink } from "./account-mail.ts";
import type { AuthAction, AuthRequest } from "./auth-request.ts";
import type { BackgroundWork } from "./background-work.ts";
import { landingOnSite } from "./landing.ts";
import { createRecoveryLinks } from "./recovery-links.ts";
import { sessionOf } from "./sessions.ts";

export interface AuthServiceOptions {
  sql: Sql;
  /** The library's own HTTP interface. */
  library: (request: Request) => Promise<Response>;
  identify: Identify;
  siteUrl: string;
  sendRecoveryLink: SendRecoveryLink;
  background: BackgroundWork;
  /** Called before the answer to the request that ended sessions. */
  onSessionsEnded: () => Promise<void>;
}

type Action<Kind extends AuthAction["kind"]> = Extract<AuthAction, { kind: Kind }>;

/** The library's default, so that the comparison with a hash of nobody's takes as long. */
const bcryptCost = 10;
const tokenSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
  expires_at: z.number(),
  token_type: z.string(),
});

export function createAuthService(options: AuthServiceOptions) {
  const { sql, library, identify, siteUrl, sendRecoveryLink, background, onSessionsEnded } =
    options;
  const links = createRecoveryLinks(sql, siteUrl);
  const hashOfNobody = bcrypt.hash(randomBytes(16).toString("hex"), bcryptCost);
  // What begins or ends sessions runs one after another: a sign-in with the old password cannot finish
  // after the password has changed, and tabs that refresh at once all stay signed in.
  const inTurn = oneAtATime<Response>();

  return async function answer(request: AuthRequest): Promise<Response> {
    const { action } = request;
    // A mailed link is opened without a key, and so is asked what a browser may send.
    const isOpen = action.kind === "open-link" || action.kind === "preflight";
    if (!isOpen && !(await identify(request.apiKey, null))) return invalidKey();
    switch (action.kind) {
      case "preflight":
        return call(request, "OPTIONS", "token", undefined, {
          "access-control-request-method": action.method,
          "access-control-request-headers": action.headers,
        });
      case "health":
      case "settings":
        return call(request, "GET", action.kind);
      case "sign-up":
        return refuse(422, "signup_disabled", "Signups not allowed for this instance");
      case "sign-in":
        return signIn(request, action);
      case "refresh":
        return inTurn(() =>
          call(request, "POST", "token?grant_type=refresh_token", {
            refresh_token: action.refreshToken,
          }),
        );
      case "recover":
        return recover(action);
      case "open-link":
        return openLink(request, action);
      case "verify-token":
        return inTurn(() => claimLink(request, action.token));
      case "get-user":
        return call(request, "GET", "user");
      case "set-password":
        return inTurn(() => setPassword(request, action.password));
      case "log-out":
        return inTurn(() => logOut(request, action.scope));
    }
  };

  /** The same query and the same hashing whether or not the address has an account. */
  async function signIn(
    request: AuthRequest,
    { email, password }: Action<"sign-in">,
  ): Promise<Response> {
    const [user] = await sql<{ encrypted_password: string | null }[]>`
      select encrypted_password from auth.users where email = ${email.toLowerCase()}`;
    const hash = user?.encrypted_password;
    const matches = await bcrypt.compare(password, hash || (await hashOfNobody));
    if (!hash || !matches) return refuse(400, "invalid_credentials", "Invalid login credentials");
    return inTurn(() => call(request, "POST", "token?grant_type=password", { email, password }));
  }

  /** Answers before anything is looked up. */
  function recover({ email, redirectTo }: Action<"recover">): Response {
    background.start(async () => {
      const mail = await links.create(email, redirectTo);
      if (mail) await sendRecoveryLink(mail.to, mail.link);
    }, "auth: a link for a new password could not be sent");
    return Response.json({});
  }

  async function openLink(
    request: AuthRequest,
    { token, redirectTo }: Action<"open-link">,
  ): Promise<Response> {
    const response = await inTurn(() => claimLink(request, token));
    const landing = landingOnSite(siteUrl, redirectTo);
    landing.hash = String(await fragmentOf(response));
    return new Response(null, {
      status: 303,
      headers: { location: landing.href, "cache-control": "no-store" },
    });
  }

  /** Signs in with a mailed token. */
  async function claimLink(request: AuthRequest, token: string): Promise<Response> {
    const userId = await links.claim(token);
    if (!userId) return refuse(403, "otp_expired", "Email link is invalid or has expired");
    // The library knows one token per account. This one lives as long as this call.
    const token_hash = randomBytes(32).toString("hex");
    await sql`
      update auth.users set recovery_token = ${token_hash}, recovery_sent_at = now()
      where id = ${userId}`;
    return call(request, "POST", "verify", { type: "recovery", token_hash });
  }

  async function setPassword(request: AuthRequest, password: string): Promise<Response> {
    const account = await call(request, "GET", "user");
    if (!account.ok) return account;
    const identity = await identify(request.apiKey, request.bearer);
    const session = identity && sessionOf(identity.claims);
    if (!session) return refuse(403, "bad_jwt", "The token is invalid or has expired");
    const problem = passwordProblem(password);
    if (problem) return refuse(422, "weak_password", problem);
    const { userId, sessionId } = session;
    const [user] = await sql<{ encrypted_password: string | null }[]>`
      select encrypted_password from auth.users where id = ${userId}`;
    if (user?.encrypted_password && (await bcrypt.compare(password, user.encrypted_password))) {
      const message = "New password should be different from the old password.";
      return refuse(422, "same_password", message);
    }
    const hash = await bcrypt.hash(password, bcryptCost);
    await sql.begin(async (transaction) => {
      await transaction`
        update auth.users set encrypted_password = ${hash}, updated_at = now() where id = ${userId}`;
      await transaction`
        delete from auth.sessions where user_id = ${userId} and id <> ${sessionId}`;
      // The library accepts a refresh token that was used before, for tabs that refresh at once.
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

  /** A request of the library's, with nothing in it that was not parsed. */
  function call(
    { apiKey, bearer }: AuthRequest,
    method: string,
    path: string,
    body?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return library(
      new Request(new URL(`/auth/v1/${path}`, siteUrl), {
        method,
        headers: {
          ...headers,
          ...(apiKey && { apikey: apiKey }),
          ...(bearer && { authorization: `Bearer ${bearer}` }),
          ...(body && { "content-type": "application/json" }),
        },
        body: body && JSON.stringify(body),
      }),
    );
  }
}

/** What the landing page reads: the session, or why there is none. */
async function fragmentOf(response: Response): Promise<URLSearchParams> {
  const body: unknown = await response.json();
  const { data: session } = tokenSchema.safeParse(body);
  if (response.ok && session) {
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

function invalidKey(): Response {
  return refuse(401, "no_api_key", "The API key is missing or unknown");
}

function refuse(status: number, code: string, message: string): Response {
  return clientError("/auth/v1/", status, code, message, { "x-sb-error-code": code });
}
