// Reads a process's resource usage from Linux's /proc.
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

export type ProcessUsage = ReturnType<typeof usageOf>;

export function usageOf({ pid }: ChildProcess) {
  return {
    /** Resident memory in bytes. */
    memory(): number {
      const [, kilobytes = "0"] =
        readFileSync(`/proc/${pid}/status`, "utf8").match(/^VmRSS:\s+(\d+) kB/m) ?? [];
      return Number(kilobytes) * 1024;
    },
    /** Milliseconds of all its threads since the start, in steps of 10. */
    processorTime(): number {
      // The name in parentheses may contain spaces. The rest starts with the third field.
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ");
      const [user, system] = [fields[11], fields[12]].map(Number);
      return ((user ?? 0) + (system ?? 0)) * 10;
    },
  };
}
