// REST (PostgREST's protocol) and Auth (GoTrue's) of the embedded backend, by @supabase/lite.
// Covers: adapting the library to what a hosted project answers. Does not cover: storage, realtime, functions.
import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";
import { App } from "@supabase/lite";
import { PostgresConnection } from "@supabase/lite/postgres";
import { createAccountMail, type MailOptions } from "./account-mail.ts";
import { clientError } from "./client-error.ts";
import { socketOptions } from "./database.ts";
import { createIdentify, credentialsOf } from "./identity.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import {
  asPostgrestError,
  type DatabaseError,
  isDatabaseError,
  isRequestsFault,
} from "./postgrest-error.ts";
import { inheritedName, quoteFilterValues } from "./rest-filters.ts";
import type { Secrets } from "./secrets.ts";

export interface RestAuthOptions {
  databaseUrl: string;
  secrets: Secrets;
  /** Public address of the site: links in e-mails lead there. */
  siteUrl: string;
  mail?: MailOptions;
  /** The visitor on whose behalf the code runs; null when nobody's. */
  visitorAddress?: () => string | null;
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

/** What happens to one request, for the parts that the library calls without it. */
interface Call {
  /** Where a mailed link leads. */
  landing: string;
  /** Address of a visitor who writes. */
  writer: string | null;
  error?: DatabaseError;
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
  const calls = new AsyncLocalStorage<Call>();
  const connection = new ProjectConnection(
    databaseUrl,
    (error) => {
      const call = calls.getStore();
      if (call) call.error = error;
    },
    () => calls.getStore()?.writer ?? null,
    options.onLost ?? (() => {}),
  );
  const closed = createApp({ signUp: false });
  const identify = createIdentify(secrets);
  // The library takes the old token back before it stores the new one: whoever refreshes in between,
  // as two tabs do or a page that is reloaded, would be signed out.
  const refresh = oneAtATime<Response>();

  return {
    prepare: () => closed.ensureSystemSchema(),
    async fetch(request) {
      const { pathname, search, searchParams } = new URL(request.url);
      if (!isRest(pathname) && !authPaths.has(pathname)) {
        return Response.json({ code: 404, msg: "Not found" }, { status: 404 });
      }
      if (await hasBadToken(request)) return badToken();
      const name = isRest(pathname) ? inheritedName(search) : null;
      if (name) return clientError(pathname, 400, "42703", `column ${name} does not exist`);
      if (authPaths.has(pathname) && !(await isObjectOrNothing(request))) {
        return clientError(pathname, 400, "bad_json", "The request is not a JSON object of text");
      }
      const landing = landingOnSite(siteUrl, searchParams.get("redirect_to"));
      const writer = request.method === "POST" ? (options.visitorAddress?.() ?? null) : null;
      return calls.run({ landing, writer }, async () => {
        const setsPassword = await isPasswordChange(request);
        const response = await answer(request, pathname, searchParams);
        if (setsPassword && response.ok) await endOtherSessions(request);
        return response.status >= 500 && isRest(pathname)
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

  async function answer(
    request: Request,
    pathname: string,
    query: URLSearchParams,
  ): Promise<Response> {
    if (isRest(pathname)) return closed.fetch(asLibraryReads(request));
    if (query.get("grant_type") === "refresh_token") return refresh(() => closed.fetch(request));
    return closed.fetch(request);
  }

  /** The library takes tokens for any audience, and whoever sends a torn one for a visitor. */
  async function hasBadToken(request: Request): Promise<boolean> {
    const { apiKey, bearer } = credentialsOf(request);
    return (
      isRest(new URL(request.url).pathname) &&
      bearer !== null &&
      (await identify(apiKey, bearer)) === null
    );
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

/** The same request for a library that reads filters in its own way. */
function asLibraryReads(request: Request): Request {
  const url = new URL(request.url);
  if (!url.search) return request;
  url.search = quoteFilterValues(url.search);
  return new Request(url, request);
}

function isRest(pathname: string): boolean {
  return pathname.startsWith("/rest/v1");
}

/** The library takes the fields of whatever JSON it gets. PostgreSQL takes no null characters. */
async function isObjectOrNothing(request: Request): Promise<boolean> {
  const text = await request.clone().text();
  if (text === "") return true;
  try {
    const body: unknown = JSON.parse(text);
    const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
    return isObject && !/\\u0000/.test(text);
  } catch {
    return false;
  }
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
  readonly #writer: () => string | null;

  constructor(
    url: string,
    onError: (error: DatabaseError) => void,
    writer: () => string | null,
    onLost: () => void,
  ) {
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
    this.#writer = writer;
    // The library would grant every API role everything on every table with policies at the first
    // request. Our migrations grant explicitly, as on a hosted project, so that step is skipped.
    Reflect.set(this, "rlsState", "active");
  }

  /** The database counts reviews by this header; on a hosted project Cloudflare sets it. */
  override withContext: PostgresConnection["withContext"] = (vars, work, options) => {
    const address = this.#writer();
    if (!vars || !address) return super.withContext(vars, work, options);
    return super.withContext(
      vars,
      async (db) => {
        const headers = JSON.stringify({ "cf-connecting-ip": address });
        await db
          .selectNoFrom(({ fn, val }) =>
            fn("set_config", [val("request.headers"), val(headers), val(true)]).as("headers"),
          )
          .execute();
        return work(db);
      },
      options,
    );
  };

  override normalizeDbError(thrown: unknown): unknown {
    const error = super.normalizeDbError(thrown);
    if (isDatabaseError(error)) this.#onError(error);
    if (error instanceof Error) {
      // The library logs the error whole, with the row that failed: personal data in a log.
      const line = describe(error);
      Object.defineProperty(error, inspect.custom, { value: () => line });
    }
    return error;
  }
}

/**
 * What a request did wrong is answered, not logged: anyone could fill the log with it. An empty line is
 * not written.
 */
function describe(error: Error): string {
  if (!isDatabaseError(error)) {
    // The request could not be parsed; of an error in the library the message may quote the request.
    return error instanceof TypeError || error instanceof RangeError ? `rest: ${error.name}` : "";
  }
  return isRequestsFault(error) ? "" : `rest: ${error.code} ${inOneLine(error.message)}`;
}

/** A visitor's words may stand in it: no lines of their own in the log, and no endless ones. */
function inOneLine(message: string): string {
  return message.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").slice(0, 300);
}

/** `2026-11-21 09:06:07.47+00` as PostgREST sends it: `2026-11-21T09:06:07.47+00:00`. */
function toIsoTimestamp(text: string): string {
  return text.replace(" ", "T").replace(/([+-]\d{2})$/, "$1:00");
}
