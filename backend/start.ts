// Starts the embedded backend: PostgreSQL, REST, Auth, Storage, Realtime and Functions of one site.
// Covers: what the site calls, for an unmodified supabase-js. Does not cover: anything else of Supabase.
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { MailOptions } from "./account-mail.ts";
import { startFunctions } from "./functions/functions.ts";
import { createGateway } from "./gateway.ts";
import { createIdentify } from "./identity.ts";
import { listenOnLoopback } from "./loopback-listener.ts";
import { startMessageDelivery } from "./message-delivery.ts";
import { seedWhenEmpty } from "./migrations.ts";
import { ensureOwner, type OwnerAccount } from "./owner.ts";
import { rateLimits } from "./rate-limits/limits.ts";
import { createRateLimiter } from "./rate-limits/rate-limiter.ts";
import { storeLimits } from "./rate-limits/store-limits.ts";
import { startRealtime } from "./realtime/realtime.ts";
import { startDatabase } from "./start-database.ts";
import { createStorage } from "./storage/storage.ts";
import { blameDatabase, whileAvailable } from "./unavailable.ts";

export { UnusableDataDir } from "./data-dir.ts";
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
  /** Superuser address of the database, loopback only. */
  databaseUrl: string;
  /** Creates a confirmed account, no owner, although sign-up is closed. @returns its id. */
  createUser(email: string, password: string): Promise<string>;
  fetch(request: Request): Promise<Response>;
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
/** Milliseconds. */
const longestDelivery = 5_000;

export async function startBackend(options: BackendOptions): Promise<Backend> {
  const { dataDir, siteUrl, mail, visitorAddress, onStep } = options;
  const log = options.log ?? ((line) => console.log(line));
  const warn = options.log ?? ((line) => console.warn(line));
  const database = await startDatabase({
    dataDir,
    siteUrl,
    mail,
    visitorAddress,
    onStep,
    log: warn,
  });
  const { secrets, sql, restAuth } = database;
  const identify = createIdentify(secrets);
  if (await seedWhenEmpty(sql, join(root, "supabase/seed.sql"))) onStep("Added the sample content");
  await storeLimits(sql, options.rateLimits);
  const owner = await ensureOwner(sql, restAuth, options.ownerEmail, options.ownerPassword);

  const storage = createStorage({ sql, identify, directory: join(dataDir, "storage") });
  const realtime = await startRealtime({
    databaseUrl: () => database.untilReady().then(() => database.url),
    sql,
    identify,
    visitorAddress: options.rateLimits ? visitorAddress : () => null,
    log: warn,
  });
  const services = {
    storage: (request: Request) => whileAvailable(database, () => storage(request)),
    restAuth: (request: Request) => whileAvailable(database, () => restAuth.fetch(request)),
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
      SMTP_URL: mail.smtpUrl,
      RESEND_API_KEY: mail.resendApiKey,
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
  const canSend = Boolean(mail.smtpUrl || mail.resendApiKey);
  const delivery = canSend
    ? startMessageDelivery({
        sql,
        requestDelivery: () =>
          functions.fetch(
            new Request(`${loopback.url}/functions/v1/send-email/deliver`, {
              method: "POST",
              headers: { apikey: secrets.secretKey },
            }),
          ),
        interval: mail.retry?.interval ?? 15_000,
        log: warn,
      })
    : null;

  return {
    publishableKey: secrets.publishableKey,
    owner,
    get databaseUrl() {
      return database.url;
    },
    createUser: restAuth.createUser,
    fetch: createGateway({
      services,
      limit: options.rateLimits ? createRateLimiter(rateLimits, secrets.secretKey) : null,
      visitorAddress,
    }),
    isReady: database.isReady,
    upgrade: realtime.upgrade,
    closeSockets: realtime.stop,
    async stop() {
      // A mail under way may end; a mail server that hangs may not hold up the stop.
      await Promise.race([delivery?.stop(), sleep(longestDelivery, undefined, { ref: false })]);
      await Promise.all([realtime.stop(), functions.stop()]);
      await loopback.stop();
      await database.stop();
    },
  };
}
