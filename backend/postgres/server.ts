// One PostgreSQL server, from its start to its end.
// Covers: loopback only, its end with the site even by kill -9, a start after that, its log without the data of rows.
// Does not cover: restarts (supervisor.ts).
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../free-port.ts";
import { StartError } from "../start-error.ts";
import { ensureCluster, majorVersion } from "./cluster.ts";
import {
  environmentForPostgres,
  findPrograms,
  type Programs,
  type RunAs,
  userForPostgres,
} from "./programs.ts";

export interface PostgresServer {
  /** Superuser address, loopback only. */
  url: string;
  /** Settles when the server has ended for whatever reason. @returns the last lines of its log. */
  exited: Promise<string>;
  /** Ends it in good order; open transactions are rolled back. */
  stop(): Promise<void>;
}

const superuser = "postgres";
/** After kill -9 the system still knows the process, or its children hold the shared memory, for a moment. */
const traces = /lock file "postmaster.pid" already exists|pre-existing shared memory/;
const longestWaitForTraces = 10_000;

/** Starts PostgreSQL on a free loopback port with its files in `DATA_DIR/postgres`. */
export async function startPostgres(dataDir: string, password: string): Promise<PostgresServer> {
  const databaseDir = folderIn(dataDir);
  await stopLeftover(databaseDir);
  const programs = findPrograms();
  const runAs = userForPostgres();
  await ensureCluster(databaseDir, password, programs, runAs);
  const deadline = performance.now() + longestWaitForTraces;
  for (;;) {
    const port = await freePort();
    const { child, ready, exited } = launch(programs, runAs, databaseDir, port);
    if (await ready) {
      return { url: address(port, password), exited, stop: () => stop(child) };
    }
    const log = await exited;
    if (!traces.test(log) || performance.now() > deadline) {
      throw new StartError(reasonOf(log, databaseDir));
    }
    await sleep(200);
  }
}

/** The address of the server that runs on `DATA_DIR`, started by another process; null without one. */
export function findRunning(dataDir: string, password: string): string | null {
  const databaseDir = folderIn(dataDir);
  const { pid, port } = readPidFile(databaseDir);
  return port && isServerOf(databaseDir, pid) ? address(port, password) : null;
}

function folderIn(dataDir: string): string {
  return join(dataDir, "postgres");
}

function address(port: number, password: string): string {
  return `postgres://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
}

interface Launched {
  child: ChildProcess;
  /** False when it ended before it was ready. */
  ready: Promise<boolean>;
  exited: Promise<string>;
}

function launch(programs: Programs, runAs: RunAs, databaseDir: string, port: number): Launched {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    // The publication that feeds realtime is read over logical replication.
    wal_level: "logical",
    max_wal_senders: "4",
    max_connections: "40",
    shared_buffers: "64MB",
    // Details and statements would carry the data of rows into the log.
    log_error_verbosity: "terse",
    log_min_error_statement: "panic",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(programs.postgres, ["-D", databaseDir, "-p", String(port), ...flags], {
    ...runAs,
    env: environmentForPostgres(),
    // Ctrl-C in a terminal interrupts the whole process group: the site ends first, then its database.
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const endWithSite = () => child.kill("SIGINT");
  process.once("exit", endWithSite);
  const watchdog = child.pid ? startWatchdog(child.pid, runAs) : null;

  const log: string[] = [];
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
    // Not "close": orphaned children hold the other end of the pipe a little longer.
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

/**
 * After kill -9 of the site nothing of its own can stop the database. This shell waits for the end of a pipe that the
 * system closes then.
 */
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
    return `${databaseDir} was made by PostgreSQL ${majorVersion(databaseDir)}, which this version of the site no longer brings.
Make a backup with the version that made it and restore that here: see docs/operations.md.`;
  }
  return `PostgreSQL did not start.\n${log}`;
}

/** After `kill -9` of the site its PostgreSQL may still run on these files: ask it to stop first. */
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
 * A number from an old file may by now belong to any other process, even to another PostgreSQL: ours
 * has its files as its working directory.
 */
function isServerOf(databaseDir: string, pid: number): boolean {
  // 0 and negative numbers would mean process groups, our own among them.
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
