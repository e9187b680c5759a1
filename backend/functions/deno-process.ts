// One Deno process that runs one function.
// Covers: its permissions, environment and loopback port. Does not cover: restarts (worker.ts), limits of the operating
// system (confinement.ts).
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { confine, findForeignModules } from "./confinement.ts";

export interface DenoOptions {
  name: string;
  /** Contains `name/index.ts`. */
  functionsDir: string;
  /** The only environment variables that the function sees. */
  environment: Record<string, string>;
  /** `host:port` of all hosts that it may connect to. */
  reachable: string[];
  cacheDir: string;
  log: (line: string) => void;
}

export interface DenoProcess {
  origin: string;
  /** For the header x-runner-secret. */
  secret: string;
  exited: Promise<void>;
  kill(): void;
}

const START_TIMEOUT_MS = 20_000;

/** Resolves when the function listens; rejects when it exits or hangs before that. */
export async function startDeno(options: DenoOptions): Promise<DenoProcess> {
  const { name, log } = options;
  const secret = randomBytes(24).toString("base64url");
  const program = denoBinary();
  const denoSettings = { DENO_DIR: options.cacheDir, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" };
  await assertNoForeignModules(program, options, denoSettings);
  const { command, args, ...user } = confine(program, denoArguments(options));
  const child = spawn(command, args, {
    ...user,
    cwd: join(options.functionsDir, name),
    env: { ...options.environment, ...denoSettings },
    // Own process group: Ctrl-C in a terminal must not interrupt the function before accepted requests are finished.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const exited = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      log(`[${name}] could not start: ${error.message}`);
      resolve();
    });
    child.once("exit", (code, signal) => {
      log(`[${name}] ended (${signal ?? `code ${code}`})`);
      resolve();
    });
  });
  // The pipe breaks when the process exits at once, which `exited` reports.
  child.stdin.on("error", () => {});
  child.stdin.write(`${secret}\n`);
  createInterface({ input: child.stderr }).on("line", (line) => log(`[${name}] ${line}`));

  const port = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(fail, START_TIMEOUT_MS);
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (!line.startsWith(`${secret} `)) return log(`[${name}] ${line}`);
      clearTimeout(timer);
      resolve(line.slice(secret.length + 1));
    });
    exited.then(fail);

    function fail(): void {
      clearTimeout(timer);
      child.kill("SIGKILL");
      reject(new Error(`The function ${name} did not start`));
    }
  });
  return { origin: `http://127.0.0.1:${port}`, secret, exited, kill: () => kill(child) };
}

/** @throws when the function imports files outside its folders. */
async function assertNoForeignModules(
  program: string,
  { name, functionsDir, log }: DenoOptions,
  denoSettings: NodeJS.ProcessEnv,
): Promise<void> {
  const folders = [functionsDir, nodeModules()];
  const foreign = await findForeignModules(
    program,
    join(functionsDir, name),
    folders,
    denoSettings,
  );
  if (foreign.length === 0) return;
  log(`[${name}] is not started: it imports ${foreign.join(", ")}, outside its folders`);
  throw new Error(`The function ${name} imports files outside its folders`);
}

function kill(child: ChildProcess): void {
  child.kill("SIGKILL");
}

function denoArguments({ name, functionsDir, environment, reachable }: DenoOptions): string[] {
  const folder = join(functionsDir, name);
  return [
    ...["run", "--quiet", "--no-prompt"],
    // npm has installed everything: nothing is downloaded at run time.
    ...["--no-remote", "--cached-only", "--no-lock", "--node-modules-dir=manual"],
    `--preload=${join(import.meta.dirname, "bootstrap.ts")}`,
    `--allow-read=${folder},${nodeModules()}`,
    `--allow-env=${Object.keys(environment).join(",")}`,
    // Libraries that read other variables get undefined instead of an error.
    "--ignore-env",
    // 127.0.0.1:0 is the function's listener.
    `--allow-net=${["127.0.0.1:0", ...reachable].join(",")}`,
    // nodemailer sends the host name to the mail server.
    "--allow-sys=hostname,networkInterfaces",
    "--v8-flags=--max-old-space-size=128",
    join(folder, "index.ts"),
  ];
}

const require = createRequire(import.meta.url);

function nodeModules(): string {
  return dirname(dirname(require.resolve("deno/package.json")));
}

/** The binary itself: npm's wrapper script would be another process to stop. */
function denoBinary(): string {
  // Installs the binary when npm's install scripts are disabled. The package has no types.
  const installer = require("deno/install_api.cjs") as { runInstall(): string };
  return installer.runInstall();
}
