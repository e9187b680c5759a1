// REST (PostgREST's protocol) and Auth (GoTrue's) of the embedded backend, by @supabase/lite.
// Covers: adapting the library to what a hosted project answers. Does not cover: storage, realtime, functions.
import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";
import { App } from "@supabase/lite";
import { PostgresConnection } from "@supabase/lite/postgres";
import { createAccountMail, type MailOptions } from "./account-mail.ts";
import { socketOptions } from "./database.ts";
import { createIdentify, credentialsOf } from "./identity.ts";
import type { Secrets } from "./secrets.ts";
import { databaseUnavailable, diskFull, isDiskFull, isUnavailable } from "./unavailable.ts";

export interface RestAuthOptions {
  databaseUrl: string;
  secrets: Secrets;
  /** Public address of the site: links in e-mails lead there. */
  siteUrl: string;
  mail?: MailOptions;
  /** A connection broke: this whole object is to be replaced. */
  onLost?: () => void;
}

export interface RestAuth {
  /** Creates the `auth` schema where it is missing. */
  prepare(): Promise<void>;
  fetch(request: Request): Promise<Response>;
  /** Creates a confirmed account although sign-up is closed. @returns its id. */
  createUser(email: string, password: string): Promise<string>;
  stop(): Promise<void>;
}

interface DatabaseError {
  code: string;
  message: string;
}

/**
 * What the site calls of Auth. The library has more, and at /otp it opens accounts although sign-up
 * is closed.
 */
const authPaths = new Set(
  ["signup", "token", "user", "logout", "recover", "verify", "settings", "health"].map(
    (name) => `/auth/v1/${name}`,
  ),
);

export function createRestAuth(options: RestAuthOptions): RestAuth {
  const { databaseUrl, secrets, siteUrl } = options;
  const calls = new AsyncLocalStorage<{ landing: string; error?: DatabaseError }>();
  const connection = new ProjectConnection(
    databaseUrl,
    (error) => {
      const call = calls.getStore();
      if (call) call.error = error;
    },
    options.onLost ?? (() => {}),
  );
  const closed = createApp({ signUp: false });
  const identify = createIdentify(secrets);

  return {
    prepare: () => closed.ensureSystemSchema(),
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (!pathname.startsWith("/rest/v1") && !authPaths.has(pathname)) {
        return Response.json({ code: 404, msg: "Not found" }, { status: 404 });
      }
      if (await hasBadToken(request)) return badToken();
      const landing = landingOnSite(siteUrl, searchParams.get("redirect_to"));
      return calls.run({ landing }, async () => {
        const setsPassword = await isPasswordChange(request);
        const response = await closed.fetch(request);
        if (setsPassword && response.ok) await endOtherSessions(request);
        return response.status >= 500
          ? asPostgrestError(response, calls.getStore()?.error)
          : response;
      });
    },
    async createUser(email, password) {
      const { data, error } = await createApp({ signUp: true })
        .getClient()
        .auth.signUp({ email, password });
      if (error || !data.user) throw new Error(`Creating ${email} failed: ${error?.message}`);
      return data.user.id;
    },
    stop: () => connection.driver.end({ timeout: 0 }),
  };

  function createApp({ signUp }: { signUp: boolean }) {
    return new App({
      connection,
      auth: {
        enabled: true,
        jwt_secret: secrets.jwtSecret,
        publishable_key: secrets.publishableKey,
        secret_key: secrets.secretKey,
        site_url: siteUrl,
        additional_redirect_urls: [`${siteUrl}/**`],
        enable_signup: signUp,
        minimum_password_length: 8,
        // The secret in a link is a hash of the address and this many digits: six can be guessed.
        email: { otp_length: 32 },
      },
      options: {
        server: { admin: false },
        drivers: {
          email: createAccountMail(options.mail, () => calls.getStore()?.landing ?? siteUrl),
        },
      },
    });
  }

  /** The library takes tokens for any audience, and whoever sends a torn one for a visitor. */
  async function hasBadToken(request: Request): Promise<boolean> {
    const { apiKey, bearer } = credentialsOf(request);
    const isRest = new URL(request.url).pathname.startsWith("/rest/v1");
    return isRest && bearer !== null && (await identify(apiKey, bearer)) === null;
  }

  /** As a hosted project does: whoever knew the old password is signed out. */
  async function endOtherSessions({ url, headers }: Request): Promise<void> {
    const logout = new URL("/auth/v1/logout?scope=others", url);
    await closed.fetch(
      new Request(logout, { method: "POST", headers: credentialHeaders(headers) }),
    );
  }
}

/** As PostgREST says it, readable for a browser on another origin. */
function badToken(): Response {
  const message = "JWT is invalid or has expired";
  return Response.json(
    { code: "PGRST301", message, details: null, hint: null },
    {
      status: 401,
      headers: { "www-authenticate": "Bearer", "access-control-allow-origin": "*" },
    },
  );
}

/** Only the path of the wanted page counts: whatever host was named, a link leads to the site. */
function landingOnSite(siteUrl: string, wanted: string | null): string {
  const landing = new URL(siteUrl);
  if (wanted && /^https?:/i.test(wanted) && URL.canParse(wanted)) {
    landing.pathname = new URL(wanted).pathname;
  }
  return landing.href;
}

async function isPasswordChange(request: Request): Promise<boolean> {
  if (request.method !== "PUT" || new URL(request.url).pathname !== "/auth/v1/user") return false;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  return typeof body === "object" && body !== null && "password" in body;
}

function credentialHeaders(headers: Headers): [string, string][] {
  return ["apikey", "authorization"].map((name) => [name, headers.get(name) ?? ""]);
}

class ProjectConnection extends PostgresConnection {
  readonly #onError: (error: DatabaseError) => void;

  constructor(url: string, onError: (error: DatabaseError) => void, onLost: () => void) {
    super({
      url,
      postgresOptions: {
        max: 10,
        onnotice: () => {},
        ...socketOptions(url, onLost),
        types: {
          timestamptz: { to: 1184, from: [1184], serialize: String, parse: toIsoTimestamp },
        },
      },
    });
    this.#onError = onError;
    // The library would grant every API role everything on every table with policies at the first
    // request. Our migrations grant explicitly, as on a hosted project, so that step is skipped.
    Reflect.set(this, "rlsState", "active");
  }

  override normalizeDbError(thrown: unknown): unknown {
    const error = super.normalizeDbError(thrown);
    if (isDatabaseError(error)) this.#onError(error);
    if (error instanceof Error) {
      // The library logs the error whole, with the row that failed: personal data in a log.
      const line = isDatabaseError(error) ? describe(error) : `rest: ${error.message}`;
      Object.defineProperty(error, inspect.custom, { value: () => line });
    }
    return error;
  }
}

/**
 * What a request did wrong is answered, not logged: anyone could fill the log with it. An empty line is
 * not written.
 */
function describe({ code, message }: DatabaseError): string {
  return isBlamedOnRequest(code) ? "" : `rest: ${code} ${message}`;
}

/** Bad data, a broken constraint, no privilege. */
function isBlamedOnRequest(code: string): boolean {
  return /^2[23]/.test(code) || code === "42501";
}

function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/**
 * The library answers 500 for errors that PostgREST blames on the request: class 22 (bad data) and
 * 23 (a broken constraint, such as a CHECK).
 */
function asPostgrestError(response: Response, error: DatabaseError | undefined): Response {
  if (isUnavailable(error)) return databaseUnavailable();
  if (isDiskFull(error)) return diskFull();
  if (!error || !/^2[23]/.test(error.code)) return response;
  const { code, message } = error;
  return Response.json({ code, message, details: null, hint: null }, { status: 400 });
}

/** `2026-11-21 09:06:07.47+00` as PostgREST sends it: `2026-11-21T09:06:07.47+00:00`. */
function toIsoTimestamp(text: string): string {
  return text.replace(" ", "T").replace(/([+-]\d{2})$/, "$1:00");
}
