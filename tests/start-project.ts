// The project for contract and security tests: the embedded backend on its own port, or another one
// when CONTRACT_URL, CONTRACT_ANON_KEY, CONTRACT_SECRET_KEY, CONTRACT_OWNER_EMAIL and
// CONTRACT_OWNER_PASSWORD are set, as `npm run test:project` does.
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { createClient } from "@supabase/supabase-js";
import { insertAccount } from "embedded-supabase/auth/new-accounts.ts";
import { storePassword } from "embedded-supabase/auth/passwords.ts";
import { connect } from "embedded-supabase/database.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { afterAll } from "vitest";
import type { Database } from "../app/supabase/database.ts";
import { type Backend, startBackend } from "../server/embedded/start.ts";
import type { Role } from "../supabase/functions/_shared/roles.ts";
import { copyPreparedDataDir, hashForTests, ownerAccount as owner } from "./prepared-data-dir.ts";
import { createMarkedAccount } from "./project/marked.ts";
import { createDatabase, hasSharedServer } from "./shared-database.ts";
import { startSmtp } from "./smtp-server.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

interface Account {
  email: string;
  password: string;
}

export interface Project {
  url: string;
  anonKey: string;
  /** Bypasses every policy. */
  secretKey: string;
  /** Signs the sessions; null for another project, which does not reveal it. */
  jwtSecret: string | null;
  owner: Account;
  /** Creates a confirmed account that is not the owner, although sign-up is closed. */
  createStranger(): Promise<Account & { id: string }>;
  /** The embedded backend; null for another project. */
  backend: Backend | null;
  /** The URL of the embedded backend's database. */
  dataDir: string;
  stop(): Promise<void>;
}

interface ProjectOptions {
  /** The mail server of the project. Without one, mails are printed. */
  smtpUrl?: string;
  /** The pauses between attempts to send a contact message. */
  retryPauses?: string;
  jobIntervals?: Record<string, number>;
  /** Whether rate limits apply; off by default. */
  rateLimits?: boolean;
  /** A PostgreSQL for this project alone, for tests that end it or change its settings. */
  ownServer?: boolean;
  /** Enables the bot check of contact messages, with a stub of Cloudflare's service. */
  turnstile?: { secretKey: string; siteverifyUrl: string };
}

export async function startProject(options: ProjectOptions = {}): Promise<Project> {
  const { CONTRACT_URL, CONTRACT_ANON_KEY, CONTRACT_SECRET_KEY = "" } = process.env;
  if (CONTRACT_URL && CONTRACT_ANON_KEY) {
    const { CONTRACT_OWNER_EMAIL = "", CONTRACT_OWNER_PASSWORD = "" } = process.env;
    const keys = { url: CONTRACT_URL, anonKey: CONTRACT_ANON_KEY, secretKey: CONTRACT_SECRET_KEY };
    return {
      ...keys,
      jwtSecret: null,
      owner: { email: CONTRACT_OWNER_EMAIL, password: CONTRACT_OWNER_PASSWORD },
      createStranger: () => createMarkedAccount(keys),
      backend: null,
      dataDir: "",
      stop: async () => {},
    };
  }
  return startEmbedded(options);
}

async function startEmbedded(options: ProjectOptions): Promise<Project> {
  const folder = await createTemporaryFolder("project");
  const dataDir = join(folder, "data");
  const isShared = hasSharedServer() && !options.ownServer;
  await copyPreparedDataDir(dataDir, { database: !isShared });

  // The backend must know its address before it starts, so the server listens first.
  let backend: Backend | null = null;
  const address = new AsyncLocalStorage<string>();
  const server = createServer(
    getRequestListener(async (request) =>
      // Sets the address, so that one test can act as several visitors.
      address.run(request.headers.get("x-test-address") ?? "127.0.0.1", async () =>
        backend ? backend.fetch(request) : new Response(null, { status: 503 }),
      ),
    ),
  );
  server.on("upgrade", (request, socket, head) => {
    const from = request.headers["x-test-address"]?.toString();
    const upgrade = () => backend?.upgrade(request, socket, head);
    // A request without an address comes from the site itself.
    if (from) address.run(from, upgrade);
    else upgrade();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  backend = await startBackend({
    dataDir,
    siteUrl: url,
    ownerEmail: owner.email,
    ownerPassword: owner.password,
    mail: {
      smtpUrl: options.smtpUrl,
      resendApiKey: undefined,
      environment: { from: "website@example.com", to: "adviser@example.com" },
      retryPauses: options.retryPauses,
    },
    jobIntervals: options.jobIntervals,
    rateLimits: options.rateLimits ?? false,
    visitorAddress: () => address.getStore() ?? null,
    turnstile: options.turnstile,
    startServer: isShared ? createDatabase : undefined,
    onStep: () => {},
  });
  const started = backend;
  const { secretKey, jwtSecret } = loadSecrets(dataDir);
  return {
    url,
    anonKey: started.publishableKey,
    secretKey,
    jwtSecret,
    owner,
    async createStranger() {
      const account = { email: `stranger-${randomUUID()}@example.com`, password: randomUUID() };
      const id = randomUUID();
      await insertAccount(started.sql, account.email, id);
      await started.sql`update auth.users set invited_at = null where id = ${id}`;
      await storePassword(started.sql, id, await hashForTests(account.password), null);
      return { ...account, id };
    },
    backend: started,
    dataDir,
    async stop() {
      server.closeAllConnections();
      server.close();
      await started.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Starts the project of a test file, which ends after the last test.
 * @typeParam Client `SupabaseClient` for requests that the types of the tables forbid
 */
export async function setUpProject<Client = ReturnType<typeof openClient>>(
  options?: ProjectOptions,
) {
  const project = await startProject(options);
  const sql = connect(project.backend?.databaseUrl ?? "", 4);
  afterAll(async () => {
    await sql.end();
    await project.stop();
  });
  const admin = createClient<Database>(project.url, project.secretKey, {
    auth: { persistSession: false },
  });
  return {
    project,
    /** The database of the embedded backend, where tests change times. */
    sql,
    visitor: openClient(project) as Client,
    owner: (await signIn(project)) as Client,
    /** Bypasses every policy. */
    admin: admin as Client,
    /** Signs in as a new person. */
    async signInAs(role: Role, name = "") {
      const account = await project.createStranger();
      const { email } = account;
      await admin.rpc("add_person", { email, role, name }).throwOnError();
      return { ...account, client: (await signIn(project, account)) as Client };
    },
  };
}

/** Starts a mail server for a test file. */
export async function setUpSmtp() {
  const smtp = await startSmtp();
  afterAll(() => void smtp.server.close());
  return smtp;
}

/** A client with the session of an account; of the owner by default. @throws Auth's error */
export async function signIn(
  project: Pick<Project, "url" | "anonKey" | "owner">,
  account = project.owner,
) {
  const client = openClient(project);
  const { error } = await client.auth.signInWithPassword(account);
  if (error) throw error;
  return client;
}

/** A client like a browser tab, with its own session in memory. */
export function openClient({ url, anonKey }: Pick<Project, "url" | "anonKey">, address?: string) {
  const kept = new Map<string, string>();
  return createClient<Database>(url, anonKey, {
    global: { headers: address ? { "x-test-address": address } : {} },
    auth: {
      flowType: "implicit",
      persistSession: true,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: (key) => void kept.delete(key),
      },
    },
  });
}
