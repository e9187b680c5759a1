import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { loadSecrets } from "embedded-supabase/secrets.ts";
// @ts-expect-error: plain JavaScript without types, because it runs before the installation.
import { siteEnvironment } from "../scripts/site-environment.mjs";
import { freePort } from "./free-port.ts";
import { copyPreparedDataDir, ownerAccount } from "./prepared-data-dir.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

const root = join(import.meta.dirname, "..");

/** A test that fails or runs out of time may leave its site behind, whose open pipes would keep Vitest from ending. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const site of running) site.kill("SIGKILL");
});

interface Options {
  /** Another checkout with its build, in place of this one. */
  folder?: string;
  /** Starts the site with this program and its arguments. */
  command?: string[];
  /** Limits every file that the site writes to this many units of 512 bytes. */
  largestFile?: number;
  /**
   * Starts a process group, as a terminal does, so that a signal reaches the site and its children.
   */
  ownGroup?: boolean;
  /** Whether the test reads the site's output. */
  readOutput?: boolean;
  /** Discards the site's errors where the test causes thousands of them. */
  hideErrors?: boolean;
}

/** Starts the built site as `npm start` does, in its own process; resolves when it responds. */
export async function startSite(
  port: number,
  environment: Record<string, string>,
  options: Options = {},
): Promise<ChildProcess> {
  const { folder = root, largestFile, ownGroup = false, readOutput = false } = options;
  const { command = [process.execPath, "server/main.ts"], hideErrors = false } = options;
  const limit = ["sh", "-c", `ulimit -f ${largestFile} && exec "$0" "$@"`];
  const [program = "", ...parameters] = [...(largestFile ? limit : []), ...command];
  const errors = hideErrors ? "ignore" : readOutput ? "pipe" : "inherit";
  const site = spawn(program, parameters, {
    cwd: folder,
    detached: ownGroup,
    env: {
      ...siteEnvironment,
      PORT: String(port),
      RATE_LIMITS: "off",
      // It would render every page of every site beside the tests.
      ARCHIVE_INTERVAL: "off",
      // Tests ask no other machine.
      RELEASE_CHECK: "off",
      ...environment,
    },
    stdio: ["ignore", readOutput ? "pipe" : "ignore", errors],
  });
  running.add(site);
  site.once("exit", () => running.delete(site));
  for (let waited = 0; waited < 60_000; waited += 100) {
    if (site.exitCode !== null) throw new Error(`The site ended with code ${site.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    if (response?.ok) return site;
    await setTimeout(100);
  }
  site.kill("SIGKILL");
  throw new Error("The site did not start");
}

/** Stops a site as Ctrl-C does. @returns its exit code. */
export async function stopSite(site: ChildProcess): Promise<number | null> {
  if (site.exitCode !== null || site.signalCode !== null) return site.exitCode;
  const ended = new Promise<number | null>((resolve) => site.once("exit", resolve));
  site.kill("SIGTERM");
  return ended;
}

export interface NewSite {
  url: string;
  port: number;
  dataDir: string;
  owner: typeof ownerAccount;
  /** The keys of its own backend. */
  readonly anonKey: string;
  readonly secretKey: string;
  /** Each start of the site makes another process. */
  readonly process: ChildProcess;
  /** What it has printed since it started, with `readOutput`. */
  readonly output: string;
  /** Restarts the site, which must have stopped or been killed. */
  start(environment?: Record<string, string>): Promise<void>;
  restart(): Promise<void>;
  /** Also removes its data. */
  stop(): Promise<void>;
}

export interface NewSiteOptions extends Options {
  /** Fills the data folder before the first start; null for a new database. */
  prepare?: ((dataDir: string) => Promise<void>) | null;
  /** A free one by default. */
  port?: number;
}

/** Starts a site with data of its own, on a free port. */
export async function startNewSite(
  environment: Record<string, string> = {},
  { prepare = copyPreparedDataDir, port: given, ...options }: NewSiteOptions = {},
): Promise<NewSite> {
  const folder = await createTemporaryFolder("new-site");
  const dataDir = join(folder, "data");
  await prepare?.(dataDir);
  const port = given ?? (await freePort());
  let site: ChildProcess;
  let output = "";
  await start(environment);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataDir,
    owner: ownerAccount,
    get anonKey() {
      return loadSecrets(dataDir).publishableKey;
    },
    get secretKey() {
      return loadSecrets(dataDir).secretKey;
    },
    get process() {
      return site;
    },
    get output() {
      return output;
    },
    start: (others = environment) => start(others),
    async restart() {
      await stopSite(site);
      await start(environment);
    },
    async stop() {
      await stopSite(site);
      await rm(folder, { recursive: true, force: true });
    },
  };

  async function start(variables: Record<string, string>): Promise<void> {
    const account = { OWNER_EMAIL: ownerAccount.email, OWNER_PASSWORD: ownerAccount.password };
    site = await startSite(port, { DATA_DIR: dataDir, ...account, ...variables }, options);
    output = "";
    for (const stream of [site.stdout, site.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
  }
}
