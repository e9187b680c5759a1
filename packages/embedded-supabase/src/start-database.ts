// Starts the database with every schema applied, together with REST and Auth, which need only the database.
// Covers: replacing the connections after an outage. Does not cover: requests during one (database-outage.ts).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createAuthenticate } from "./auth/authentication.ts";
import type { EmbeddedConfig } from "./config.ts";
import { openDataDir } from "./data-dir.ts";
import { connect, followPool, type Sql } from "./database.ts";
import { findEdited, migrate } from "./migrations.ts";
import { type PostgresServer, startPostgres } from "./postgres/server.ts";
import { supervise } from "./postgres/supervisor.ts";
import { createRestAuth, type RestAuth } from "./rest-auth.ts";
import { loadSecrets } from "./secrets.ts";

export type Database = Awaited<ReturnType<typeof startDatabase>>;

export interface DatabaseOptions {
  config: Pick<EmbeddedConfig, "supabaseDir" | "editedMigrationHint">;
  dataDir: string;
  siteUrl: string;
  visitorAddress?: () => string | null;
  onStep: (line: string) => void;
  /** Receives errors after the start. */
  log?: (line: string) => void;
  /** Versions of the migrations to apply; all when omitted. */
  migrations?: ReadonlySet<string>;
  /** Starts the server; one with its files in `dataDir` by default. Only tests set it, which share a server. */
  startServer?: () => Promise<PostgresServer>;
}

/** The parts that are replaced when the connections are lost. */
interface Connections {
  url: string;
  sql: Sql;
  restAuth: RestAuth;
  lost: AbortController;
}

/**
 * Starts PostgreSQL in `DATA_DIR`, applies its schemas and keeps it running.
 * @throws {StartError} also when another process uses the folder
 */
export async function startDatabase(options: DatabaseOptions) {
  const lock = openDataDir(options.dataDir);
  try {
    return await startLocked(options, lock.release);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startLocked(options: DatabaseOptions, release: () => void) {
  const { config, dataDir, siteUrl, visitorAddress, onStep, log = console.error } = options;
  const secrets = loadSecrets(dataDir);
  onStep("Starting PostgreSQL…");
  let current: Connections | null = null;
  let connectionLost = () => {};
  const supervisor = await supervise({
    start: options.startServer ?? (() => startPostgres(dataDir, secrets.databasePassword)),
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
    await sql.unsafe(readFileSync(join(import.meta.dirname, "platform.sql"), "utf8"));
    const folder = join(config.supabaseDir, "migrations");
    const applied = await migrate(sql, folder, options.migrations);
    onStep(applied.length > 0 ? `Applied ${applied.length} migrations` : "Database is up to date");
    for (const file of await findEdited(sql, folder)) {
      onStep(
        `The migration ${file} has changed since it was applied to this DATA_DIR. What is new in it is missing${config.editedMigrationHint ?? "."}`,
      );
    }
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  return {
    /** Superuser URL, loopback only. It changes when PostgreSQL restarts. */
    get url(): string {
      return connections().url;
    },
    /** Runs queries on the current connections. Rejects immediately while there are none. */
    sql,
    secrets,
    /** REST and Auth on the current connections. */
    restAuth: {
      fetch: (request: Request) => connections().restAuth.fetch(request),
      callAuth: (request: Request) => connections().restAuth.callAuth(request),
    },
    isReady: supervisor.isReady,
    untilReady: supervisor.untilReady,
    /** Aborts when the current connections are lost; already aborted while there are none. */
    lost: () => connections().lost.signal,
    async stop(): Promise<void> {
      await supervisor.stop();
      release();
    },
  };

  function connections(): Connections {
    // The supervisor calls `open` before `supervise` returns.
    if (!current) throw new Error("The database was not opened");
    return current;
  }

  async function openConnections(databaseUrl: string): Promise<Connections> {
    const onLost = () => {
      if (opened === current) connectionLost();
    };
    const sql = connect(databaseUrl, 6, onLost);
    const authenticate = createAuthenticate(secrets, null);
    const opened: Connections = {
      url: databaseUrl,
      sql,
      restAuth: createRestAuth({
        ...{ databaseUrl, secrets, authenticate, siteUrl, visitorAddress, onLost },
        cancelStatement: async (processId) => {
          await sql`select pg_cancel_backend(${processId})`;
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

/** Rejects the queries that still run on these connections. */
function drop({ sql, restAuth }: Connections): void {
  void Promise.allSettled([sql.end({ timeout: 0 }), restAuth.stop()]);
}
