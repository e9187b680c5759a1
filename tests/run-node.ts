// Runs a program of the project in Node, and collects what it prints.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** @param environment replaces this process's, apart from PATH */
export function startNode(
  [file = "", ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
  cwd = join(import.meta.dirname, ".."),
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [file, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...environment },
  });
}

/** What a process printed until its end. */
export async function endOf(
  child: ChildProcessWithoutNullStreams,
): Promise<{ code: number | null; output: string }> {
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, "close");
  return { code, output: (await printed).join("") };
}

export function runNode(args: readonly string[], environment: NodeJS.ProcessEnv) {
  return endOf(startNode(args, environment));
}
