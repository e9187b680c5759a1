// What the operating system forbids a function, beside Deno's own permissions.
// Covers: limits on memory, files and processes, no new privileges, a user of its own when the site runs as root.
// Does not cover: files that the site's user may read when the site does not run as root (module-graph.ts), cgroups.
import { availableParallelism } from "node:os";

export interface Confined {
  command: string;
  args: string[];
  uid?: number;
  gid?: number;
}

/**
 * The function's user when the site runs as root. No account has this number: systemd and Debian leave it
 * free, and it is low enough for containers that map only 65,536 users.
 */
export const functionsUser = 61_000;

/** Megabytes that a function may use: its heap, its buffers and Deno itself. */
export const memoryLimit = 256;
/** Megabytes that V8 reserves for machine code. They count as data although almost none of them is touched. */
const codeRange = process.arch === "x64" ? 512 : 128;
/** Megabytes for the stacks of the threads that Deno starts per processor. */
const threadStacks = 10 * availableParallelism();

// `ulimit` keeps a limit that is lower already. Not every shell knows -u, some call it -p.
const script = `
ulimit -c 0
ulimit -d ${(memoryLimit + codeRange + threadStacks) * 1024} || :
ulimit -f ${(64 * 1024 * 1024) / 512} || :
ulimit -n 256 || :
if [ "$1" = own-user ]; then ulimit -u 512 2>&- || ulimit -p 512 2>&- || :; fi
shift
if setpriv --no-new-privs true 2>&-; then set -- setpriv --no-new-privs "$@"; fi
exec "$@"`;

/** The command that runs `program` confined. Its process becomes the program's: signals reach it. */
export function confine(program: string, args: string[]): Confined {
  const isRoot = process.getuid?.() === 0;
  return {
    command: "/bin/sh",
    // A limit on processes counts all of the user's: it makes sense for a user of its own only.
    args: ["-c", script, "sh", isRoot ? "own-user" : "site-user", program, ...args],
    ...(isRoot && { uid: functionsUser, gid: functionsUser }),
  };
}
