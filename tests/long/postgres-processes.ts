import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The process id of the PostgreSQL that runs on `dataDir`, or ran last; 0 when unknown. */
export function postgresPid(dataDir: string): number {
  const file = join(dataDir, "postgres/postmaster.pid");
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0;
}

/** Sends SIGKILL to PostgreSQL and all of its processes. @returns its process id. */
export function killPostgres(dataDir: string): number {
  const pid = postgresPid(dataDir);
  const children = childrenOf(pid);
  process.kill(pid, "SIGKILL");
  for (const child of children) {
    try {
      process.kill(child, "SIGKILL");
    } catch {
      // It has exited meanwhile.
    }
  }
  return pid;
}

/** Each child leads its own process group, so no single group id covers all. */
function childrenOf(pid: number): number[] {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
}

function parentOf(pid: string): number | null {
  try {
    // The preceding name is in parentheses and may contain anything.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, "utf8").match(/\) \S (\d+)/) ?? [];
    return Number(parent);
  } catch {
    return null;
  }
}
