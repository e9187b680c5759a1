// Starts the embedded backend: PostgreSQL, REST, Auth, Storage, Realtime and Functions of one project.
// Covers: the calls that the configuration allows, by an unmodified supabase-js. Does not cover: other features of Supabase.
import { createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createAccountMail, type MailMode } from "./auth/account-mail.ts";
import type { AuthRequest } from "./auth/auth-request.ts";
import { createAuthService } from "./auth/auth-service.ts";
import { createAuthenticate, createSessions } from "./auth/authentication.ts";
import { createUser } from "./auth/new-accounts.ts";
import type { EmbeddedConfig, FunctionEnvironment } from "./config.ts";
import type { Sql } from "./database.ts";
import { markOutageAsTemporary, requireDatabase } from "./database-outage.ts";
import { startFunctions } from "./functions/functions.ts";
import { createGateway } from "./gateway.ts";
import { listenOnLoopback } from "./loopback-listener.ts";
import { seedWhenEmpty } from "./migrations.ts";
import { createRateLimiter } from "./rate-limits/rate-limiter.ts";
import { startRealtime } from "./realtime/realtime.ts";
import { createRest } from "./rest/rest.ts";
import { readRestApi } from "./rest/rest-api.ts";
import { startJobs } from "./scheduled-jobs.ts";
import { type DatabaseOptions, startDatabase } from "./start-database.ts";
import { createStorage } from "./storage/storage.ts";

export interface BackendOptions {
  config: EmbeddedConfig;
  dataDir: string;
  /** The current public address, used for links in emails. */
  siteUrl(): string;
  /** What happens with mails about accounts now. A restored copy must hold them (data-dir.ts). */
  readMailMode(sql: Sql): Promise<MailMode>;
  /** Environment variables of functions, by the name of the function. */
  environments?: Readonly<Record<string, FunctionEnvironment>>;
  /** Whether a new database gets the seed; on by default. */
  seeds?: boolean;
  /** Runs after the migrations and the seed, before jobs and requests. */
  prepare?(database: Pick<Backend, "sql" | "createUser">): Promise<void>;
  /** Milliseconds between the runs of a job, by its name. Only tests set them. */
  jobIntervals?: Readonly<Record<string, number>>;
  /** See start-database.ts. Only tests set it. */
  startServer?: DatabaseOptions["startServer"];
  rateLimits: boolean;
  /** Address of the visitor whose request is being handled; null for the site's own requests. */
  visitorAddress: () => string | null;
  /** Receives one line per step of the start. */
  onStep: (line: string) => void;
  /** Receives later errors and what the functions print. */
  log?: (line: string) => void;
}

export interface Backend {
  /** The publishable key, for the browser. */
  publishableKey: string;
  /** Superuser URL of the database, loopback only. */
  databaseUrl: string;
  /** Runs queries as superuser. */
  sql: Sql;
  /** Creates a confirmed account, although sign-up is closed. @returns its id. */
  createUser(email: string, password: string): Promise<string>;
  fetch(request: Request): Promise<Response>;
  /**
   * Calls `listener` for each request that changed rows of a table, before the response is sent. The Realtime event
   * arrives some milliseconds later, which is too late for a writer who reloads the page at once.
   */
  onRowsChanged(listener: (table: string) => void): void;
  /**
   * Calls `listener` when a file was stored, with its bucket and name, and when files were moved or removed, before the
   * response is sent.
   */
  onFilesChanged(listener: (stored?: string) => void): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every WebSocket and accepts no more: the first step of a stop. */
  closeSockets(): Promise<void>;
  /** Aborts requests that are still running. */
  stop(): Promise<void>;
}

/** The first path segments that belong to the backend. */
export const backendPaths = [
  "/rest/v1",
  "/auth/v1",
  "/storage/v1",
  "/functions/v1",
  "/realtime/v1",
] as const;

/** How many milliseconds emails in progress may delay a stop. */
const MAIL_TIMEOUT_MS = 5_000;

export async function startBackend(options: BackendOptions): Promise<Backend> {
  const { config, dataDir, siteUrl, visitorAddress, onStep } = options;
  const log = options.log ?? ((line) => console.log(line));
  const warn = options.log ?? ((line) => console.warn(line));
  const database = await startDatabase({
    config,
    dataDir,
    siteUrl: siteUrl(),
    visitorAddress,
    onStep,
    log: warn,
    startServer: options.startServer,
  });
  const { secrets, sql, restAuth } = database;
  const sessions = createSessions(sql);
  const authenticate = createAuthenticate(secrets, sessions);
  const seedFile = join(config.supabaseDir, "seed.sql");
  if (options.seeds !== false && (await seedWhenEmpty(sql, seedFile, config.seededTables))) {
    onStep("Added the sample content");
  }
  const addUser = (email: string, password: string) =>
    createUser(config.auth, sql, email, password);
  await options.prepare?.({ sql, createUser: addUser });
  const api = await readRestApi(sql, config.rest);

  let onFilesChanged: (stored?: string) => void = () => {};
  const storage = createStorage({
    ...{ sql, directory: join(dataDir, "storage"), findImageProblem: config.findImageProblem },
    authenticate: createAuthenticate(secrets, null),
    onFilesChanged: (stored) => onFilesChanged(stored),
  });
  const realtime = await startRealtime({
    database,
    authenticate,
    sessions,
    visitorAddress: options.rateLimits ? visitorAddress : () => null,
    log: warn,
  });
  let onRowsChanged = (_table: string) => {};
  const rest = createRest({
    api,
    execute: restAuth.fetch,
    onRowsChanged: (table) => onRowsChanged(table),
    onSessionsEnded: realtime.closeEndedSessions,
    visitorAddress,
    isLimited: options.rateLimits,
  });
  const limit = options.rateLimits ? createRateLimiter(config.rateLimits, secrets.secretKey) : null;
  const hookSecret = `v1,whsec_${createHmac("sha256", secrets.jwtSecret).update("send-email").digest("base64")}`;
  const callFunction = (path: string, init: RequestInit) =>
    functions.fetch(new Request(new URL(`/functions/v1/${path}`, siteUrl()), init));
  const readMode = () => options.readMailMode(sql);
  const auth = createAuthService({
    config: config.auth,
    sql,
    library: restAuth.callAuth,
    jwtSecret: secrets.jwtSecret,
    authenticate,
    siteUrl,
    mail: createAccountMail({
      ...{ config: config.auth, siteUrl, hookSecret, readMode },
      callHook: callFunction,
    }),
    limit,
    visitorAddress,
    onSessionsEnded: realtime.closeEndedSessions,
    log: warn,
  });
  const services = {
    storage: (request: Request) => requireDatabase(database, () => storage(request)),
    rest: (request: Request) => requireDatabase(database, () => rest(request)),
    auth: (request: AuthRequest) => requireDatabase(database, () => auth.handle(request)),
    // A function can do some of its work without the database.
    functions: (request: Request) =>
      markOutageAsTemporary(database, () => functions.fetch(request)),
  };
  const callLimits = config.rateLimits;
  const loopback = await listenOnLoopback(
    createGateway({ services, callLimits, limit: null, visitorAddress: () => null }),
  );
  const [mailFunction = ""] = config.auth.sendEmailHook.split("/");
  const functions = startFunctions({
    ...{ config, sql, authenticate, visitorAddress },
    siteUrl: loopback.url,
    publishableKey: secrets.publishableKey,
    secretKey: secrets.secretKey,
    environments: {
      ...options.environments,
      [mailFunction]: {
        ...options.environments?.[mailFunction],
        SEND_EMAIL_HOOK_SECRET: hookSecret,
      },
    },
    cacheDir: join(dataDir, "deno"),
    log,
  });
  const stopJobs = startJobs({
    ...{ sql, dataDir, jobs: config.jobs, sendsMail: async () => (await readMode()) === "sent" },
    callFunction: (path) =>
      callFunction(path, { method: "POST", headers: { apikey: secrets.secretKey } }),
    intervals: options.jobIntervals,
    log: warn,
  });

  return {
    publishableKey: secrets.publishableKey,
    sql,
    get databaseUrl() {
      return database.url;
    },
    createUser: addUser,
    fetch: createGateway({ services, callLimits, limit, visitorAddress }),
    onRowsChanged(listener) {
      onRowsChanged = listener;
    },
    onFilesChanged(listener) {
      onFilesChanged = listener;
    },
    upgrade: realtime.upgrade,
    closeSockets: realtime.stop,
    async stop() {
      // A mail server that hangs must not delay the stop.
      await Promise.race([
        Promise.all([stopJobs(), auth.mailSent()]),
        sleep(MAIL_TIMEOUT_MS, undefined, { ref: false }),
      ]);
      await Promise.all([realtime.stop(), functions.stop()]);
      await loopback.stop();
      await database.stop();
    },
  };
}
