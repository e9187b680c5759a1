// One Deno process with one function in it.
// Covers: the permissions, the environment, the loopback port. Does not cover: restarts (worker.ts), what the
// operating system forbids it (confinement.ts).
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { confine } from "./confinement.ts";
import { foreignModules } from "./module-graph.ts";

export interface DenoOptions {
  name: string;
  /** Holds `name/index.ts`. */
  functionsDir: string;
  /** All that the function sees of the environment. */
  environment: Record<string, string>;
  /** `host:port` of everything it may connect to. */
  reachable: string[];
  /** Deno's cache. */
  cacheDir: string;
  log: (line: string) => void;
}

export interface DenoProcess {
  origin: string;
  /** To be sent as x-runner-secret. */
  secret: string;
  exited: Promise<void>;
  kill(): void;
}

const longestStart = 20_000;

/** Resolves when the function listens; rejects when it ends or hangs before that. */
export async function startDeno(options: DenoOptions): Promise<DenoProcess> {
  const { name, log } = options;
  const secret = randomBytes(24).toString("base64url");
  const program = denoBinary();
  const denoSettings = { DENO_DIR: options.cacheDir, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" };
  await refuseForeignModules(program, options, denoSettings);
  const { command, args, ...user } = confine(program, denoArguments(options));
  const child = spawn(command, args, {
    ...user,
    cwd: join(options.functionsDir, name),
    env: { ...options.environment, ...denoSettings },
    // Ctrl-C in a terminal interrupts the whole process group: what was accepted still gets its answer.
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
  // A process that ended at once breaks this pipe; `exited` tells.
  child.stdin.on("error", () => {});
  child.stdin.write(`${secret}\n`);
  createInterface({ input: child.stderr }).on("line", (line) => log(`[${name}] ${line}`));

  const port = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(fail, longestStart);
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

/** @throws when the function imports files of the machine that are none of its own. */
async function refuseForeignModules(
  program: string,
  { name, functionsDir, log }: DenoOptions,
  denoSettings: NodeJS.ProcessEnv,
): Promise<void> {
  const folders = [functionsDir, nodeModules()];
  const foreign = await foreignModules(program, join(functionsDir, name), folders, denoSettings);
  if (foreign.length === 0) return;
  log(`[${name}] is not started: it imports ${foreign.join(", ")}, which lies outside its folders`);
  throw new Error(`The function ${name} imports files outside its folders`);
}

function kill(child: ChildProcess): void {
  child.kill("SIGKILL");
}

function denoArguments({ name, functionsDir, environment, reachable }: DenoOptions): string[] {
  const folder = join(functionsDir, name);
  return [
    ...["run", "--quiet", "--no-prompt"],
    // Everything is installed by npm already: nothing is fetched at run time.
    ...["--no-remote", "--cached-only", "--no-lock", "--node-modules-dir=manual"],
    `--preload=${join(import.meta.dirname, "bootstrap.ts")}`,
    `--allow-read=${folder},${nodeModules()}`,
    `--allow-env=${Object.keys(environment).join(",")}`,
    // Libraries look at variables of their own: they find nothing, instead of failing.
    "--ignore-env",
    // 127.0.0.1:0 is the listener.
    `--allow-net=${["127.0.0.1:0", ...reachable].join(",")}`,
    // nodemailer introduces itself to the mail server by the name of the machine.
    "--allow-sys=hostname,networkInterfaces",
    "--v8-flags=--max-old-space-size=128",
    join(folder, "index.ts"),
  ];
}

const require = createRequire(import.meta.url);

function nodeModules(): string {
  return dirname(dirname(require.resolve("deno/package.json")));
}

/** The program itself, not the script around it, which would be one more process to stop. */
function denoBinary(): string {
  // Puts the program in place where install scripts are switched off.
  const installer = require("deno/install_api.cjs") as { runInstall(): string };
  return installer.runInstall();
}
