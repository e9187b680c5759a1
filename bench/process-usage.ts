// What a process takes of the machine, as Linux tells it.
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

/** A process that can be asked what it takes. */
export interface ProcessUsage {
  /** Resident memory in bytes. */
  memory(): number;
  /** Milliseconds of processors, of all its threads, since it started; in steps of 10. */
  processorTime(): number;
}

export function usageOf({ pid }: ChildProcess): ProcessUsage {
  return {
    memory() {
      const [, kilobytes = "0"] =
        readFileSync(`/proc/${pid}/status`, "utf8").match(/^VmRSS:\s+(\d+) kB/m) ?? [];
      return Number(kilobytes) * 1024;
    },
    processorTime() {
      // The name in brackets may hold blanks. What follows begins with the third field.
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ");
      const [user, system] = [fields[11], fields[12]].map(Number);
      return ((user ?? 0) + (system ?? 0)) * 10;
    },
  };
}
