// Starts the embedded backend: PostgreSQL, REST, Auth, Storage, Realtime and Functions of one site.
// Covers: what the site calls, for an unmodified supabase-js. Does not cover: anything else of Supabase.
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createAccountMail, type MailOptions } from "./auth/account-mail.ts";
import type { AuthRequest } from "./auth/auth-request.ts";
import { createAuthService } from "./auth/auth-service.ts";
import { createBackgroundWork } from "./auth/background-work.ts";
import { createSessions } from "./auth/sessions.ts";
import { startFunctions } from "./functions/functions.ts";
import { createGateway } from "./gateway.ts";
import { isMailHeld } from "./held-mail.ts";
import { createIdentify } from "./auth/authentication.ts";
import { listenOnLoopback } from "./loopback-listener.ts";
import { startMessageDelivery } from "./scheduled-functions.ts";
import { seedWhenEmpty } from "./migrations.ts";
import { ensureOwner, type OwnerAccount } from "./owner.ts";
import { rateLimits } from "./rate-limits/limits.ts";
import { createRateLimiter } from "./rate-limits/rate-limiter.ts";
import { storeLimits } from "./rate-limits/store-limits.ts";
import { startRealtime } from "./realtime/realtime.ts";
import { createRest } from "./rest/rest.ts";
import { startDatabase } from "./start-database.ts";
import { createStorage } from "./storage/storage.ts";
import { blameDatabase, whileAvailable } from "./database-outage.ts";
import { startUnusedImageRemoval } from "./unused-images.ts";

export { surviveLostConnections } from "./database-socket.ts";

export interface BackendOptions {
  dataDir: string;
  /** Public address, for links in e-mails. */
  siteUrl: string;
  ownerEmail: string;
  ownerPassword?: string;
  mail: MailOptions & {
    /** Who receives contact messages. */
    to: string;
    /** Whether visitors are mailed that their message has arrived. */
    confirms?: boolean;
    /** How fast a failed message is tried again. Only tests hurry. */
    retry?: {
      /** CONTACT_RETRY_PAUSES of send-email. */
      pauses: string;
      /** Milliseconds between two looks at what is due. */
      interval: number;
    };
  };
  /** Milliseconds between two looks for images to remove; an hour without it. Only tests set it. */
  unusedImagesInterval?: number;
  /** Whether visitors are kept from asking too often. */
  rateLimits: boolean;
  /** Of the visitor on whose behalf the code runs; null when nobody's. */
  visitorAddress: () => string | null;
  /** Cloudflare's check of who sends a contact message; nobody is checked without it. */
  turnstile?: {
    secretKey: string | undefined;
    /** Stands in for Cloudflare in tests. */
    siteverifyUrl?: string;
  };
  /** A line for each step of the start. */
  onStep: (line: string) => void;
  /** What goes wrong later, and what the functions print. */
  log?: (line: string) => void;
}

export interface Backend {
  /** The public key: the browser's. */
  publishableKey: string;
  owner: OwnerAccount;
  /** This is a restored copy that sends nothing (held-mail.ts). */
  mailHeld: boolean;
  /** Superuser address of the database, loopback only. */
  databaseUrl: string;
  /** Creates a confirmed account, no owner, although sign-up is closed. @returns its id. */
  createUser(email: string, password: string): Promise<string>;
  fetch(request: Request): Promise<Response>;
  /**
   * Calls `listener` for each request that changed rows of a table, before the request is answered: the event of
   * Realtime comes some milliseconds later, and until then the writer would be shown the old page.
   */
  onRowsChanged(listener: (table: string) => void): void;
  /** Whether the database can be used now. While it cannot, what needs it is answered with 503. */
  isReady(): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Says goodbye to every WebSocket and takes no more: the first step of a stop. */
  closeSockets(): Promise<void>;
  /** Requests should have ended before: what still runs is cut. */
  stop(): Promise<void>;
}

/** First path segments that belong to the backend; all else is the site's. */
export const backendPaths = [
  "/rest/v1",
  "/auth/v1",
  "/storage/v1",
  "/functions/v1",
  "/realtime/v1",
] as const;

const root = join(import.meta.dirname, "..");
/** Milliseconds that e-mails under way have to end when the backend stops. */
const mailTimeout = 5_000;

export async function startBackend(options: BackendOptions): Promise<Backend> {
  const { dataDir, siteUrl, mail, visitorAddress, onStep } = options;
  const log = options.log ?? ((line) => console.log(line));
  const warn = options.log ?? ((line) => console.warn(line));
  const hasMailService = Boolean(mail.smtpUrl || mail.resendApiKey);
  const mailHeld = isMailHeld(dataDir);
  const database = await startDatabase({
    dataDir,
    siteUrl,
    visitorAddress,
    onStep,
    log: warn,
  });
  const { secrets, sql, restAuth } = database;
  const sessions = createSessions(sql);
  const identify = createIdentify(secrets, sessions);
  if (await seedWhenEmpty(sql, join(root, "supabase/seed.sql"))) onStep("Added the sample content");
  await storeLimits(sql, options.rateLimits);
  const owner = await ensureOwner(sql, restAuth, options.ownerEmail, options.ownerPassword);

  const storage = createStorage({ sql, identify, directory: join(dataDir, "storage") });
  const realtime = await startRealtime({
    databaseUrl: () => database.untilReady().then(() => database.url),
    sql,
    identify,
    sessions,
    visitorAddress: options.rateLimits ? visitorAddress : () => null,
    log: warn,
  });
  let onRowsChanged = (_table: string) => {};
  const rest = createRest({
    execute: restAuth.fetch,
    onRowsChanged: (table) => onRowsChanged(table),
    visitorAddress,
    isLimited: options.rateLimits,
  });
  const background = createBackgroundWork(warn);
  const auth = createAuthService({
    sql,
    library: restAuth.callAuth,
    identify,
    siteUrl,
    sendRecoveryLink: createAccountMail({ ...mail, held: mailHeld && hasMailService }),
    background,
    onSessionsEnded: realtime.expelEndedSessions,
  });
  const services = {
    storage: (request: Request) => whileAvailable(database, () => storage(request)),
    rest: (request: Request) => whileAvailable(database, () => rest(request)),
    auth: (request: AuthRequest) => whileAvailable(database, () => auth(request)),
    // A function may do its work without the database.
    functions: (request: Request) => blameDatabase(database, () => functions.fetch(request)),
  };
  const loopback = await listenOnLoopback(
    createGateway({ services, limit: null, visitorAddress: () => null }),
  );
  const functions = startFunctions({
    functionsDir: join(root, "supabase/functions"),
    siteUrl: loopback.url,
    publishableKey: secrets.publishableKey,
    secretKey: secrets.secretKey,
    identify,
    visitorAddress,
    environment: {
      SMTP_URL: mailHeld ? undefined : mail.smtpUrl,
      RESEND_API_KEY: mailHeld ? undefined : mail.resendApiKey,
      OUTGOING_MAIL: mailHeld && hasMailService ? "held" : undefined,
      TURNSTILE_SECRET_KEY: options.turnstile?.secretKey,
      TURNSTILE_SITEVERIFY_URL: options.turnstile?.siteverifyUrl,
      CONTACT_TO: mail.to,
      CONTACT_FROM: mail.from,
      CONTACT_CONFIRMATION: mail.confirms ? "on" : undefined,
      CONTACT_RETRY_PAUSES: mail.retry?.pauses,
    },
    cacheDir: join(dataDir, "deno"),
    log,
  });
  const callFunction = (path: string) =>
    functions.fetch(
      new Request(new URL(`/functions/v1/${path}`, siteUrl), {
        method: "POST",
        headers: { apikey: secrets.secretKey },
      }),
    );
  const delivery =
    hasMailService && !mailHeld
      ? startMessageDelivery({
          sql,
          requestDelivery: () => callFunction("send-email/deliver"),
          interval: mail.retry?.interval ?? 15_000,
          log: warn,
        })
      : null;
  const imageRemoval = startUnusedImageRemoval({
    sql,
    requestRemoval: () => callFunction("remove-unused-images"),
    interval: options.unusedImagesInterval ?? 60 * 60_000,
    log: warn,
  });

  return {
    publishableKey: secrets.publishableKey,
    owner,
    mailHeld,
    get databaseUrl() {
      return database.url;
    },
    createUser: restAuth.createUser,
    fetch: createGateway({
      services,
      limit: options.rateLimits ? createRateLimiter(rateLimits, secrets.secretKey) : null,
      visitorAddress,
    }),
    onRowsChanged(listener) {
      onRowsChanged = listener;
    },
    isReady: database.isReady,
    upgrade: realtime.upgrade,
    closeSockets: realtime.stop,
    async stop() {
      // A mail server that hangs must not hold up the stop.
      await Promise.race([
        Promise.all([delivery?.stop(), imageRemoval.stop(), background.settled()]),
        sleep(mailTimeout, undefined, { ref: false }),
      ]);
      await Promise.all([realtime.stop(), functions.stop()]);
      await loopback.stop();
      await database.stop();
    },
  };
}
