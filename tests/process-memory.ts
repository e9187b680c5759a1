// The memory of a process and all that it started, from Linux's /proc.
import { readdirSync, readFileSync } from "node:fs";

const parts = {
  PostgreSQL: /^postgres|\/postgres\0|^\/bin\/sh/,
  Deno: /\/deno\0/,
  launcher: /scripts\/start\.mjs/,
  site: /server\/main\.ts/,
};

/** Megabytes of each part of the site, in total, and of the total what is no file: files can be read again. */
export type Memory = Record<keyof typeof parts | "total" | "withoutFiles", number>;

/**
 * The proportional set size: memory that several processes share counts once in total, where the resident size counts it
 * once for each process. Files count as well, such as the program of Node, as they do in a cgroup.
 */
export function memoryOf(root: number): Memory {
  const memory = { total: 0, withoutFiles: 0, launcher: 0, site: 0, PostgreSQL: 0, Deno: 0 };
  for (const pid of treeOf(root)) {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      const command = commandOf(pid);
      const read = (name: string) =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1] ?? 0) / 1024;
      const megabytes = read("Pss");
      const part = Object.entries(parts).find(([, pattern]) => pattern.test(command))?.[0];
      if (part) memory[part as keyof typeof parts] += megabytes;
      memory.total += megabytes;
      memory.withoutFiles += megabytes - read("Pss_File");
    } catch {
      // It has just ended.
    }
  }
  return memory;
}

/** The process that runs a part of the site. */
export function findProcess(root: number, part: keyof typeof parts): number {
  const pid = treeOf(root).find((child) => parts[part].test(commandOf(child)));
  if (!pid) throw new Error(`No process runs ${part}`);
  return pid;
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8");
}

function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      // The name in parentheses may contain spaces.
      const [, parent] = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)]);
    } catch {
      // It has just ended.
    }
  }
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}
