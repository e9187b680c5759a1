// Starts the embedded backend: PostgreSQL, REST, Auth, Storage, Realtime and Functions of one site.
// Covers: the calls of the site, by an unmodified supabase-js. Does not cover: other features of Supabase.
import { createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { MailEnvironment } from "../../../supabase/functions/_shared/mail-addresses.ts";
import { createAccountMail } from "./auth/account-mail.ts";
import type { AuthRequest } from "./auth/auth-request.ts";
import { createAuthService } from "./auth/auth-service.ts";
import { createAuthenticate, createSessions } from "./auth/authentication.ts";
import { createUser } from "./auth/new-accounts.ts";
import { isOutgoingMailHeld } from "./data-dir.ts";
import { markOutageAsTemporary, requireDatabase } from "./database-outage.ts";
import { startFunctions } from "./functions/functions.ts";
import { createGateway } from "./gateway.ts";
import {
  type LiveFacts,
  listWarnings,
  markGeneratedPassword,
  readLiveFacts,
} from "./live-facts.ts";
import { listenOnLoopback } from "./loopback-listener.ts";
import { seedWhenEmpty } from "./migrations.ts";
import { ensureOwner, type OwnerAccount } from "./owner-account.ts";
import { rateLimits, storeLimits } from "./rate-limits/limits.ts";
import { createRateLimiter } from "./rate-limits/rate-limiter.ts";
import { startRealtime } from "./realtime/realtime.ts";
import { createRest } from "./rest/rest.ts";
import { type JobIntervals, startJobs } from "./scheduled-jobs.ts";
import { startDatabase } from "./start-database.ts";
import { createStorage } from "./storage/storage.ts";

export { surviveLostConnections } from "./database.ts";

export interface BackendOptions {
  dataDir: string;
  /** The public address, used for links in emails. */
  siteUrl: string;
  ownerEmail: string;
  ownerPassword?: string;
  mail: {
    /** The mail services to use. Without one, links of accounts are printed. */
    smtpUrl: string | undefined;
    resendApiKey: string | undefined;
    dkimSelector?: string | undefined;
    /** CONTACT_TO, CONTACT_FROM, and the default address of a new site (supabase/functions/_shared/mail-addresses.ts). */
    environment: MailEnvironment;
    /** Whether visitors get an email that confirms their message. */
    confirms?: boolean;
    /** CONTACT_RETRY_PAUSES of send-email. Only tests set it. */
    retryPauses?: string;
  };
  /** Only tests set them. */
  jobIntervals?: Partial<JobIntervals>;
  /** Whether a new database gets the sample posts and testimonials; on by default. */
  sampleContent?: boolean;
  /** Whether the site is at a public address, where visitors see sample posts in a demonstration only. */
  isPublic?: boolean;
  rateLimits: boolean;
  /** Address of the visitor whose request is being handled; null for the site's own requests. */
  visitorAddress: () => string | null;
  /** The keys for Cloudflare's check of contact messages, which is off without them. */
  turnstile?: {
    secretKey: string | undefined;
    /** The URL that replaces Cloudflare's in tests. */
    siteverifyUrl?: string;
  };
  /** Receives one line per step of the start. */
  onStep: (line: string) => void;
  /** Receives later errors and what the functions print. */
  log?: (line: string) => void;
}

export interface Backend {
  /** The publishable key, for the browser. */
  publishableKey: string;
  owner: OwnerAccount;
  /** Whether this is a restored copy, which sends no mail. */
  mailHeld: boolean;
  sendsMail: boolean;
  /** Superuser URL of the database, loopback only. */
  databaseUrl: string;
  /** Creates a confirmed account that is not the owner, although sign-up is closed. @returns its id. */
  createUser(email: string, password: string): Promise<string>;
  fetch(request: Request): Promise<Response>;
  /**
   * Calls `listener` for each request that changed rows of a table, before the response is sent. The Realtime event
   * arrives some milliseconds later, which is too late for a writer who reloads the page at once.
   */
  onRowsChanged(listener: (table: string) => void): void;
  /** Calls `listener` when files were replaced, moved or removed, before the response is sent. */
  onFilesChanged(listener: () => void): void;
  /** Adds counts of the site to a day. A hosted project offers `add_visits` instead. */
  storeVisits(day: string, visits: readonly VisitCount[]): Promise<void>;
  /** A step of a capture for the archive. A hosted project offers it to the site key. */
  captureSite(step: string, value: object): Promise<unknown>;
  /** The facts for the checks before going live. Rejects while the database is not available. */
  readLiveFacts(): Promise<LiveFacts>;
  /** Whether the database is available. While it is not, requests that need it get 503. */
  isReady(): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every WebSocket and accepts no more: the first step of a stop. */
  closeSockets(): Promise<void>;
  /** Aborts requests that are still running. */
  stop(): Promise<void>;
}

export interface VisitCount {
  kind: string;
  key: string;
  count: number;
}

/** The first path segments that belong to the backend. */
export const backendPaths = [
  "/rest/v1",
  "/auth/v1",
  "/storage/v1",
  "/functions/v1",
  "/realtime/v1",
] as const;

const root = join(import.meta.dirname, "../../..");
/** How many milliseconds emails in progress may delay a stop. */
const MAIL_TIMEOUT_MS = 5_000;

export async function startBackend(options: BackendOptions): Promise<Backend> {
  const { dataDir, siteUrl, mail, visitorAddress, onStep } = options;
  const log = options.log ?? ((line) => console.log(line));
  const warn = options.log ?? ((line) => console.warn(line));
  const hasMailService = Boolean(mail.smtpUrl || mail.resendApiKey);
  const mailHeld = isOutgoingMailHeld(dataDir);
  const sendsMail = hasMailService && !mailHeld;
  const database = await startDatabase({ dataDir, siteUrl, visitorAddress, onStep, log: warn });
  const { secrets, sql, restAuth } = database;
  const sessions = createSessions(sql);
  const authenticate = createAuthenticate(secrets, sessions);
  const { sampleContent = true } = options;
  if (sampleContent && (await seedWhenEmpty(sql, join(root, "supabase/seed.sql")))) {
    onStep("Added the sample content");
  }
  await storeLimits(sql, options.rateLimits);
  await (options.isPublic
    ? sql`delete from private.local_site`
    : sql`insert into private.local_site default values on conflict do nothing`);
  const owner = await ensureOwner(sql, {
    email: options.ownerEmail,
    password: options.ownerPassword,
    createUser: (email, password) => createUser(sql, email, password),
  });
  if (owner.generatedPassword) await markGeneratedPassword(sql, dataDir, owner.email);

  let onFilesChanged = () => {};
  const storage = createStorage({
    ...{ sql, directory: join(dataDir, "storage") },
    authenticate: createAuthenticate(secrets, null),
    onFilesChanged: () => onFilesChanged(),
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
    execute: restAuth.fetch,
    onRowsChanged: (table) => onRowsChanged(table),
    onSessionsEnded: realtime.closeEndedSessions,
    visitorAddress,
    isLimited: options.rateLimits,
  });
  const limit = options.rateLimits ? createRateLimiter(rateLimits, secrets.secretKey) : null;
  const hookSecret = `v1,whsec_${createHmac("sha256", secrets.jwtSecret).update("send-email").digest("base64")}`;
  const callFunction = (path: string, init: RequestInit) =>
    functions.fetch(new Request(new URL(`/functions/v1/${path}`, siteUrl), init));
  const auth = createAuthService({
    sql,
    library: restAuth.callAuth,
    authenticate,
    siteUrl,
    mail: createAccountMail({
      ...{ siteUrl, hookSecret, hasMailService, held: mailHeld && hasMailService },
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
  const loopback = await listenOnLoopback(
    createGateway({ services, limit: null, visitorAddress: () => null }),
  );
  const functions = startFunctions({
    siteUrl: loopback.url,
    publishableKey: secrets.publishableKey,
    secretKey: secrets.secretKey,
    authenticate,
    hasRole: async (userId) =>
      (await sql`select 1 from private.people where user_id = ${userId}`).length > 0,
    visitorAddress,
    mailEnvironment: {
      SMTP_URL: mailHeld ? undefined : mail.smtpUrl,
      RESEND_API_KEY: mailHeld ? undefined : mail.resendApiKey,
      DKIM_SELECTOR: mail.dkimSelector,
      SEND_EMAIL_HOOK_SECRET: hookSecret,
      SITE_URL: siteUrl,
      OUTGOING_MAIL: mailHeld && hasMailService ? "held" : undefined,
      TURNSTILE_SECRET_KEY: options.turnstile?.secretKey,
      TURNSTILE_SITEVERIFY_URL: options.turnstile?.siteverifyUrl,
      CONTACT_TO: mail.environment.to,
      CONTACT_FROM: mail.environment.from,
      CONTACT_TO_FALLBACK: mail.environment.fallback,
      CONTACT_CONFIRMATION: mail.confirms ? "on" : undefined,
      CONTACT_RETRY_PAUSES: mail.retryPauses,
    },
    cacheDir: join(dataDir, "deno"),
    log,
  });
  const stopJobs = startJobs({
    sql,
    callFunction: (path) =>
      callFunction(path, { method: "POST", headers: { apikey: secrets.secretKey } }),
    sendsMail,
    listWarnings: () => listWarnings(sql, dataDir),
    intervals: options.jobIntervals,
    log: warn,
  });

  return {
    publishableKey: secrets.publishableKey,
    owner,
    mailHeld,
    sendsMail,
    get databaseUrl() {
      return database.url;
    },
    createUser: (email, password) => createUser(sql, email, password),
    fetch: createGateway({ services, limit, visitorAddress }),
    onRowsChanged(listener) {
      onRowsChanged = listener;
    },
    onFilesChanged(listener) {
      onFilesChanged = listener;
    },
    async storeVisits(day, visits) {
      await sql`select private.store_visits(${day}, ${JSON.stringify(visits)}::text::jsonb)`;
    },
    async captureSite(step, value) {
      const [row] = await sql`
        select private.capture_site(${step}, ${JSON.stringify(value)}::text::jsonb) as result`;
      return row?.result;
    },
    readLiveFacts: () => readLiveFacts(sql, dataDir),
    isReady: database.isReady,
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
