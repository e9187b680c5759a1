// REST (PostgREST's protocol) and Auth (GoTrue's) of the embedded backend, by @supabase/lite.
// Covers: adapting the library to what a hosted project answers. Does not cover: storage, realtime, functions.
import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";
import { App } from "@supabase/lite";
import { PostgresConnection } from "@supabase/lite/postgres";
import type { Secrets } from "./secrets.ts";

export interface RestAuthOptions {
  databaseUrl: string;
  secrets: Secrets;
  /** Public address of the site: links in e-mails lead there. */
  siteUrl: string;
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

export function createRestAuth({ databaseUrl, secrets, siteUrl }: RestAuthOptions): RestAuth {
  const failures = new AsyncLocalStorage<{ error?: DatabaseError }>();
  const connection = new ProjectConnection(databaseUrl, (error) => {
    const failure = failures.getStore();
    if (failure) failure.error = error;
  });
  const closed = createApp({ signUp: false });

  return {
    prepare: () => closed.ensureSystemSchema(),
    fetch: (request) =>
      failures.run({}, async () => {
        const response = await closed.fetch(request);
        return response.status >= 500
          ? asPostgrestError(response, failures.getStore()?.error)
          : response;
      }),
    async createUser(email, password) {
      const { data, error } = await createApp({ signUp: true })
        .getClient()
        .auth.signUp({ email, password });
      if (error || !data.user) throw new Error(`Creating ${email} failed: ${error?.message}`);
      return data.user.id;
    },
    stop: () => connection.close(),
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
      },
      options: { server: { admin: false } },
    });
  }
}

class ProjectConnection extends PostgresConnection {
  readonly #onError: (error: DatabaseError) => void;

  constructor(url: string, onError: (error: DatabaseError) => void) {
    super({
      url,
      postgresOptions: {
        max: 10,
        onnotice: () => {},
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
      const line = `rest: ${isDatabaseError(error) ? `${error.code} ` : ""}${error.message}`;
      Object.defineProperty(error, inspect.custom, { value: () => line });
    }
    return error;
  }
}

function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/**
 * The library answers 500 for errors that PostgREST blames on the request: class 22 (bad data) and
 * 23 (a broken constraint, such as a CHECK).
 */
function asPostgrestError(response: Response, error: DatabaseError | undefined): Response {
  if (!error || !/^2[23]/.test(error.code)) return response;
  const { code, message } = error;
  return Response.json({ code, message, details: null, hint: null }, { status: 400 });
}

/** `2026-11-21 09:06:07.47+00` as PostgREST sends it: `2026-11-21T09:06:07.47+00:00`. */
function toIsoTimestamp(text: string): string {
  return text.replace(" ", "T").replace(/([+-]\d{2})$/, "$1:00");
}
