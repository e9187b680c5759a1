// One PostgreSQL server: starts it, stops it, and finds one that runs.
// Covers: listening on loopback only, stopping with the site even after kill -9, starting after that, a log without row data.
// Does not cover: restarts (supervisor.ts).
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import getPort from "get-port";
import { DataDirInUse } from "../data-dir.ts";
import { StartError } from "../errors.ts";
import {
  ensureCluster,
  environmentForPostgres,
  findPrograms,
  majorVersion,
  type Programs,
  type RunAs,
  userForPostgres,
} from "./cluster.ts";

export interface PostgresServer {
  /** Superuser URL, loopback only. */
  url: string;
  /** Resolves when the server has exited for any reason. @returns the last lines of its log */
  exited: Promise<string>;
  /** Performs a fast shutdown, which rolls open transactions back. */
  stop(): Promise<void>;
}

/**
 * Reasons that end by themselves: after kill -9 the process may still exist, or its children hold the shared memory, and
 * a connection may take the chosen port before the server does.
 */
const TEMPORARY =
  /lock file "postmaster.pid" already exists|pre-existing shared memory|Address already in use/;
const MAX_WAIT_MS = 10_000;
const START_TIMEOUT_MS = 10_000;

/**
 * Starts PostgreSQL on a free loopback port with its files in `DATA_DIR/postgres`.
 * @param settings of the server, besides those of `launch`
 */
export async function startPostgres(
  dataDir: string,
  password: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const databaseDir = folderIn(dataDir);
  await stopLeftover(databaseDir);
  const programs = findPrograms();
  const runAs = userForPostgres();
  await ensureCluster(databaseDir, password, programs, runAs);
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const port = await getPort({ host: "127.0.0.1" });
    const { child, ready, exited } = launch(programs, runAs, databaseDir, {
      ...settings,
      port: String(port),
    });
    if (await ready) {
      return { url: address(port, password), exited, stop: () => stop(child) };
    }
    const log = await exited;
    if (!TEMPORARY.test(log) || performance.now() > deadline) {
      throw new StartError(reasonOf(log, databaseDir));
    }
    await sleep(200);
  }
}

/** The URL of the server that another process runs on `DATA_DIR`; null when there is none. */
export function findRunning(dataDir: string, password: string): string | null {
  const databaseDir = folderIn(dataDir);
  const { pid, port } = readPidFile(databaseDir);
  return port && isServerOf(databaseDir, pid) ? address(port, password) : null;
}

/** The database URL of a running site. Waits, because the site may be starting. @throws {DataDirInUse} */
export async function runningDatabase(dataDir: string, password: string): Promise<string> {
  for (let waited = 0; waited < START_TIMEOUT_MS; waited += 100) {
    const url = findRunning(dataDir, password);
    if (url) return url;
    await sleep(100);
  }
  throw new DataDirInUse(dataDir);
}

function folderIn(dataDir: string): string {
  return join(dataDir, "postgres");
}

function address(port: number, password: string): string {
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
}

function launch(
  programs: Programs,
  runAs: RunAs,
  databaseDir: string,
  given: Readonly<Record<string, string>>,
) {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "40",
    shared_buffers: "64MB",
    // Details and statements would write row data to the log.
    log_error_verbosity: "terse",
    log_min_error_statement: "panic",
    ...given,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(programs.postgres, ["-D", databaseDir, ...flags], {
    ...runAs,
    env: environmentForPostgres(),
    // A separate process group: on Ctrl-C in a terminal the site must stop before its database.
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const endWithSite = () => child.kill("SIGINT");
  process.once("exit", endWithSite);
  const watchdog = child.pid ? startWatchdog(child.pid, runAs) : null;

  const log: string[] = [];
  /** Resolves to false when the server exited before it was ready. */
  const started = Promise.withResolvers<boolean>();
  createInterface({ input: child.stderr }).on("line", (line) => {
    log.push(line);
    if (log.length > 20) log.shift();
    if (line.includes("database system is ready to accept connections")) started.resolve(true);
  });
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => {
      log.push(error.message);
      end();
    });
    // Not "close": orphaned children keep the pipe open a little longer.
    child.once("exit", () => setTimeout(end, 50));

    function end() {
      process.off("exit", endWithSite);
      watchdog?.kill("SIGKILL");
      started.resolve(false);
      resolve(log.join("\n"));
    }
  });
  return { child, ready: started.promise, exited };
}

/** Stops the database after kill -9 of the site: the system then closes a pipe that this shell reads. */
function startWatchdog(pid: number, runAs: RunAs): ChildProcess {
  const watchdog = spawn("/bin/sh", ["-c", 'read -r line; kill -INT "$0"', String(pid)], {
    ...runAs,
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watchdog.on("error", () => {});
  watchdog.stdin.on("error", () => {});
  return watchdog;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGINT");
  await ended;
}

function reasonOf(log: string, databaseDir: string): string {
  if (/incompatible with server/.test(log)) {
    return `${databaseDir} was created by PostgreSQL ${majorVersion(databaseDir)}, which this version of the site no longer includes.
Make a backup with the version that created it and restore that here: see docs/operations.md.`;
  }
  return `PostgreSQL did not start.\n${log}`;
}

/** Stops a PostgreSQL that kept running on these files after `kill -9` of the site. */
async function stopLeftover(databaseDir: string): Promise<void> {
  const { pid } = readPidFile(databaseDir);
  if (!isServerOf(databaseDir, pid)) return;
  process.kill(pid, "SIGINT");
  for (let waited = 0; isServerOf(databaseDir, pid); waited += 50) {
    if (waited > 20_000)
      throw new StartError(`Another PostgreSQL (process ${pid}) uses ${databaseDir}`);
    await sleep(50);
  }
}

function readPidFile(databaseDir: string): { pid: number; port: number } {
  const file = join(databaseDir, "postmaster.pid");
  if (!existsSync(file)) return { pid: 0, port: 0 };
  const lines = readFileSync(file, "utf8").split("\n");
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

/**
 * Whether the process id in an old file still belongs to our PostgreSQL, whose working directory is its data folder. By now
 * the id may belong to another process, even to another PostgreSQL.
 */
function isServerOf(databaseDir: string, pid: number): boolean {
  // 0 and negative numbers stand for process groups, including our own.
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return (
      process.platform !== "linux" || readlinkSync(`/proc/${pid}/cwd`) === realpathSync(databaseDir)
    );
  } catch {
    return false;
  }
}
