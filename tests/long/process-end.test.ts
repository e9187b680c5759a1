// When any process of `npm start` ends, all others end as well and release the port and the folder.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { isDataDirInUse } from "embedded-supabase/data-dir.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { assertCanListen } from "../../server/can-listen.ts";
import { freePort } from "../free-port.ts";
import { setUpFolder } from "../set-up.ts";

const root = join(import.meta.dirname, "../..");
const longTimeout = { timeout: 60_000, interval: 100 };

const dataDir = join(await setUpFolder("process-end"), "data");
let port: number;
let npm: ChildProcess | undefined;
/** Every process of the running site. */
let tree: Process[] = [];

interface Process {
  pid: number;
  parent: number;
  /** The start time distinguishes it from a later process with the same id. */
  started: string;
  command: string;
}

beforeEach(async () => {
  port = await freePort();
});

afterEach(() => {
  for (const { pid } of stillRunning()) process.kill(pid, "SIGKILL");
});

function listProcesses(): Process[] {
  const columns = "pid=,ppid=,stat=,lstart=,args=";
  const lines = execFileSync("ps", ["-A", "-o", columns], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  return lines.split("\n").flatMap((line) => {
    const [, pid, parent, state = "", started = "", command = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+ \S+ +\d+ [\d:]+ \d+)\s+(.*)$/.exec(line) ?? [];
    // A zombie has ended; its parent has not reaped it yet.
    return pid && !state.startsWith("Z")
      ? [{ pid: Number(pid), parent: Number(parent), started, command }]
      : [];
  });
}

function descendantsOf(pid: number, all = listProcesses()): Process[] {
  const children = all.filter(({ parent }) => parent === pid);
  return [
    ...all.filter((process) => process.pid === pid),
    ...children.flatMap((child) => descendantsOf(child.pid, all)),
  ];
}

function stillRunning(): Process[] {
  const now = new Map(listProcesses().map(({ pid, started }) => [pid, started]));
  return tree.filter(({ pid, started }) => now.get(pid) === started);
}

async function start(
  command: [string, ...string[]],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const [program, ...parameters] = command;
  npm = spawn(program, parameters, {
    cwd: root,
    // Runs in its own process group, as in a terminal.
    detached: true,
    env: {
      ...environment,
      PORT: String(port),
      DATA_DIR: dataDir,
      OWNER_PASSWORD: "a-password-for-tests",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [npm.stdout, npm.stderr]) stream?.on("data", (chunk) => (output += chunk));
  await expect.poll(() => output, { timeout: 120_000 }).toContain("The site: ");
  tree = descendantsOf(npm.pid ?? 0);
  expect(tree.map(({ command }) => command).join("\n")).toMatch(/postgres/);
}

function pidOf(command: RegExp): number {
  const found = tree.find((process) => command.test(process.command));
  if (!found) throw new Error(`No process ${command} among ${JSON.stringify(tree)}`);
  return found.pid;
}

async function expectAllEnded(): Promise<void> {
  await expect.poll(stillRunning, longTimeout).toEqual([]);
  await assertCanListen({ host: "127.0.0.1", port });
  expect(isDataDirInUse(dataDir)).toBe(false);
}

const processes = {
  npm: () => npm?.pid ?? Number.NaN,
  "scripts/start.mjs": () => pidOf(/^\S*node \S*scripts\/start\.mjs/),
  "server/main.ts": () => pidOf(/^\S*node \S*server\/main\.ts/),
  "the whole terminal": () => -(npm?.pid ?? Number.NaN),
} as const;

test.each([
  ["start", "npm", "SIGKILL"],
  ["start", "npm", "SIGTERM"],
  ["start", "scripts/start.mjs", "SIGKILL"],
  ["start", "scripts/start.mjs", "SIGTERM"],
  ["start", "server/main.ts", "SIGKILL"],
  ["start", "the whole terminal", "SIGHUP"],
  ["start", "the whole terminal", "SIGINT"],
  ["dev", "npm", "SIGKILL"],
  ["dev", "npm", "SIGTERM"],
  ["dev", "scripts/start.mjs", "SIGKILL"],
] as const)("npm run %s: %s gets %s", { timeout: 240_000 }, async (script, name, signal) => {
  await start(["npm", "run", script]);
  process.kill(processes[name](), signal);
  await expectAllEnded();
});

test("without npm, the site outlives the shell that started it in the background", {
  timeout: 240_000,
}, async () => {
  const { npm_lifecycle_event: _, ...environment } = process.env;
  await start(["sh", "-c", "node scripts/start.mjs & wait"], environment);
  const site = processes["scripts/start.mjs"]();
  process.kill(npm?.pid ?? Number.NaN, "SIGKILL");
  // Takes longer than the interval of the parent check: 40 sequential requests.
  for (let count = 0; count < 40; count += 1) {
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  process.kill(site, "SIGTERM");
  await expectAllEnded();
});
