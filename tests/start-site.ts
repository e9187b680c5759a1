import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const root = join(import.meta.dirname, "..");

interface Options {
  /** No process of the site may write a larger file. In units of 512 bytes. */
  largestFile?: number;
  /** Starts it as a terminal does, so that a signal can go to the site and all that it started. */
  ownGroup?: boolean;
  /** Whether the test reads what the site prints. */
  readOutput?: boolean;
  /** Hides the site's errors where the test provokes thousands of them. */
  hideErrors?: boolean;
}

/** The built site as `npm start` runs it, in a process of its own; resolves when it answers. */
export async function startSite(
  port: number,
  environment: Record<string, string>,
  { largestFile, ownGroup = false, readOutput = false, hideErrors = false }: Options = {},
): Promise<ChildProcess> {
  const node = join(root, "node_modules/.bin/node");
  const limited = ["-c", `ulimit -f ${largestFile} && exec "$0" "$@"`, node];
  const errors = hideErrors ? "ignore" : readOutput ? "pipe" : "inherit";
  const site = spawn(
    largestFile ? "sh" : node,
    [...(largestFile ? limited : []), "server/main.ts"],
    {
      cwd: root,
      detached: ownGroup,
      env: {
        ...process.env,
        NODE_ENV: "production",
        PORT: String(port),
        RATE_LIMITS: "off",
        ...environment,
      },
      stdio: ["ignore", readOutput ? "pipe" : "ignore", errors],
    },
  );
  for (let waited = 0; waited < 60_000; waited += 100) {
    if (site.exitCode !== null) throw new Error(`The site ended with code ${site.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    if (answer?.ok) return site;
    await setTimeout(100);
  }
  throw new Error("The site did not start");
}

/** Stops a site as Ctrl-C does. @returns its exit code. */
export async function stopSite(site: ChildProcess): Promise<number | null> {
  if (site.exitCode !== null || site.signalCode !== null) return site.exitCode;
  const ended = new Promise<number | null>((resolve) => site.once("exit", resolve));
  site.kill("SIGTERM");
  return ended;
}
