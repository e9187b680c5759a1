// The database with every schema applied, and the REST and Auth that need nothing else.
import { join } from "node:path";
import type { MailOptions } from "./account-mail.ts";
import { connect, type Sql } from "./database.ts";
import { migrate, runSqlFile } from "./migrations.ts";
import { startPostgres } from "./postgres.ts";
import { createRestAuth, type RestAuth } from "./rest-auth.ts";
import { loadSecrets, type Secrets } from "./secrets.ts";

export interface Database {
  /** Superuser address, loopback only. */
  url: string;
  sql: Sql;
  secrets: Secrets;
  restAuth: RestAuth;
  stop(): Promise<void>;
}

interface DatabaseOptions {
  dataDir: string;
  siteUrl: string;
  mail?: MailOptions;
  visitorAddress?: () => string | null;
  onStep: (line: string) => void;
}

/** Starts PostgreSQL in `DATA_DIR` and brings its schemas up to date. */
export async function startDatabase(options: DatabaseOptions): Promise<Database> {
  const { dataDir, siteUrl, mail, visitorAddress, onStep } = options;
  const secrets = loadSecrets(dataDir);
  onStep("Starting PostgreSQL");
  const postgres = await startPostgres(dataDir, secrets.databasePassword);
  const sql = connect(postgres.url, 6);
  const restAuth = createRestAuth({
    databaseUrl: postgres.url,
    secrets,
    siteUrl,
    mail,
    visitorAddress,
  });

  async function stop() {
    await Promise.allSettled([restAuth.stop(), sql.end({ timeout: 5 })]);
    await postgres.stop();
  }

  try {
    await restAuth.prepare();
    await runSqlFile(sql, join(import.meta.dirname, "sql/platform.sql"));
    await runSqlFile(sql, join(import.meta.dirname, "storage/schema.sql"));
    const applied = await migrate(sql, join(import.meta.dirname, "../supabase/migrations"));
    onStep(applied.length > 0 ? `Applied ${applied.length} migrations` : "Database is up to date");
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: postgres.url, sql, secrets, restAuth, stop };
}
