// What the operating system forbids a function, and which files it may import, beside Deno's own permissions.
// Covers: limits on memory, files and processes, no new privileges, a separate user when the site runs as root.
// Does not cover: files that the site's user can read when the site does not run as root, cgroups.
import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, sep } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

export interface Confined {
  command: string;
  args: string[];
  uid?: number;
  gid?: number;
}

/**
 * The user id of functions when the site runs as root. No account has it: systemd and Debian leave it free, and it is low
 * enough for containers that map only 65,536 users.
 */
export const functionsUser = 61_000;

/** Megabytes for a function: its heap, its buffers and Deno itself. */
export const memoryLimit = 256;
/** Megabytes that V8 reserves for machine code. They count towards the limit although V8 uses hardly any of them. */
const codeRange = process.arch === "x64" ? 512 : 128;
/** Megabytes for the stacks of Deno's threads, which it starts per processor. */
const threadStacks = 10 * availableParallelism();

// `ulimit` fails when a lower limit is set, which then stays. Some shells call -u -p.
const script = `
ulimit -c 0
ulimit -d ${(memoryLimit + codeRange + threadStacks) * 1024} || :
ulimit -f ${(64 * 1024 * 1024) / 512} || :
ulimit -n 256 || :
if [ "$1" = own-user ]; then ulimit -u 512 2>&- || ulimit -p 512 2>&- || :; fi
shift
if setpriv --no-new-privs true 2>&-; then set -- setpriv --no-new-privs "$@"; fi
exec "$@"`;

/** The command that runs `program` with the limits. It execs the program, so that signals reach it. */
export function confine(program: string, args: string[]): Confined {
  const isRoot = process.getuid?.() === 0;
  return {
    command: "/bin/sh",
    // The limit on processes counts all processes of a user, so it needs a separate user.
    args: ["-c", script, "sh", isRoot ? "own-user" : "site-user", program, ...args],
    ...(isRoot && { uid: functionsUser, gid: functionsUser }),
  };
}

const graphSchema = z.object({
  modules: z.array(z.object({ local: z.string().nullish() })),
});

/**
 * Finds the files outside `folders` that `index.ts` in `folder` imports, directly or not. Deno loads every file that an
 * import names literally, whatever --allow-read says: even a JSON file with secrets. npm packages need no check, because
 * Deno applies --allow-read to their imports.
 */
export async function findForeignModules(
  deno: string,
  folder: string,
  folders: string[],
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const { command, args, ...user } = confine(deno, [
    ...["info", "--json", "--no-remote", "--no-lock", "--node-modules-dir=manual"],
    join(folder, "index.ts"),
  ]);
  const { stdout } = await promisify(execFile)(command, args, {
    ...user,
    cwd: folder,
    env: environment,
    maxBuffer: 16 * 1024 * 1024,
    timeout: 20_000,
  });
  const allowed = folders.map((folder) => realPath(folder) + sep);
  return graphSchema
    .parse(JSON.parse(stdout))
    .modules.flatMap(({ local }) => local ?? [])
    .filter((file) => !allowed.some((folder) => realPath(file).startsWith(folder)));
}

/** Resolves symbolic links, which may lead out of the folder. A missing file keeps its path. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
