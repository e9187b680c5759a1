// The database with every schema applied, and the REST and Auth that need nothing else.
// Covers: keeping both usable after PostgreSQL was away. Does not cover: requests meanwhile (unavailable.ts).
import { join } from "node:path";
import { createSessions } from "./auth/sessions.ts";
import { prepareDataDir } from "./data-dir.ts";
import { lockDataDir } from "./data-dir-lock.ts";
import { connect, followPool, type Sql } from "./database.ts";
import { createIdentify } from "./auth/authentication.ts";
import { migrate, runSqlFile } from "./migrations.ts";
import { startPostgres } from "./postgres/server.ts";
import { supervise } from "./postgres/supervisor.ts";
import { createRestAuth, type RestAuth } from "./rest-auth.ts";
import { loadSecrets, type Secrets } from "./secrets.ts";

export interface Database {
  /** Superuser address, loopback only. Another one after each restart of PostgreSQL. */
  readonly url: string;
  /** Always the current connections; rejects at once while there are none. */
  sql: Sql;
  secrets: Secrets;
  /** Always the current one, too. */
  restAuth: Pick<RestAuth, "fetch" | "callAuth" | "createUser">;
  isReady(): boolean;
  untilReady(): Promise<void>;
  /** Aborts when the connections of this moment are lost; is aborted while there are none. */
  lost(): AbortSignal;
  stop(): Promise<void>;
}

interface DatabaseOptions {
  dataDir: string;
  siteUrl: string;
  visitorAddress?: () => string | null;
  onStep: (line: string) => void;
  /** What goes wrong after the start. */
  log?: (line: string) => void;
  /** Versions of the migrations to apply; all of them without it. */
  migrations?: ReadonlySet<string>;
}

/** Everything that dies with a connection to PostgreSQL. */
interface Connections {
  url: string;
  sql: Sql;
  restAuth: RestAuth;
  lost: AbortController;
}

/**
 * Starts PostgreSQL in `DATA_DIR`, brings its schemas up to date and keeps it running.
 * @throws {StartError} also while another process uses the folder
 */
export async function startDatabase(options: DatabaseOptions): Promise<Database> {
  prepareDataDir(options.dataDir);
  const lock = lockDataDir(options.dataDir);
  try {
    return await startLocked(options, lock.release);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startLocked(options: DatabaseOptions, release: () => void): Promise<Database> {
  const { dataDir, siteUrl, visitorAddress, onStep, log = console.error } = options;
  const secrets = loadSecrets(dataDir);
  onStep("Starting PostgreSQL");
  let current: Connections | null = null;
  let connectionLost = () => {};
  const supervisor = await supervise({
    start: () => startPostgres(dataDir, secrets.databasePassword),
    async open(url) {
      current = await openConnections(url);
    },
    close() {
      const closing = connections();
      closing.lost.abort();
      drop(closing);
    },
    log,
  });
  connectionLost = supervisor.connectionLost;
  const sql = followPool(() => connections().sql);

  try {
    await connections().restAuth.prepare();
    await runSqlFile(sql, join(import.meta.dirname, "sql/platform.sql"));
    await runSqlFile(sql, join(import.meta.dirname, "auth/schema.sql"));
    await runSqlFile(sql, join(import.meta.dirname, "storage/schema.sql"));
    const folder = join(import.meta.dirname, "../supabase/migrations");
    const applied = await migrate(sql, folder, options.migrations);
    onStep(applied.length > 0 ? `Applied ${applied.length} migrations` : "Database is up to date");
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  return {
    get url() {
      return connections().url;
    },
    sql,
    secrets,
    restAuth: {
      fetch: (request) => connections().restAuth.fetch(request),
      callAuth: (request) => connections().restAuth.callAuth(request),
      createUser: (email, password) => connections().restAuth.createUser(email, password),
    },
    isReady: supervisor.isReady,
    untilReady: supervisor.untilReady,
    lost: () => connections().lost.signal,
    async stop() {
      await supervisor.stop();
      release();
    },
  };

  function connections(): Connections {
    // The supervisor opened them before it was there to be asked.
    if (!current) throw new Error("The database was not opened");
    return current;
  }

  async function openConnections(databaseUrl: string): Promise<Connections> {
    const onLost = () => {
      if (opened === current) connectionLost();
    };
    const sql = connect(databaseUrl, 6, onLost);
    const identify = createIdentify(secrets, createSessions(sql));
    const opened: Connections = {
      url: databaseUrl,
      sql,
      restAuth: createRestAuth({
        ...{ databaseUrl, secrets, identify, siteUrl, visitorAddress, onLost },
        cancelTransaction: async (processId, began) => {
          // As text: the driver would cut the time to milliseconds.
          await sql`
            select pg_cancel_backend(pid) from pg_stat_activity
            where pid = ${processId} and xact_start = ${began}::text::timestamptz`;
        },
      }),
      lost: new AbortController(),
    };
    try {
      await opened.sql`select 1`;
    } catch (error) {
      drop(opened);
      throw error;
    }
    return opened;
  }
}

/** What still runs on them is refused at once. */
function drop({ sql, restAuth }: Connections): void {
  void Promise.allSettled([sql.end({ timeout: 0 }), restAuth.stop()]);
}
