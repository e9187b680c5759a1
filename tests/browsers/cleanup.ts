// Removes the browsers' processes and folders, however this process ends.
import type { ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const processes = new Set<ChildProcess>();
const folders = new Set<string>();

process.on("exit", () => {
  for (const child of processes) end(child, "SIGKILL");
  for (const folder of folders) remove(folder);
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => process.exit(1));
}

/** Ends the process group of a child that was spawned with `detached`. */
export function endAtExit(child: ChildProcess): void {
  processes.add(child);
}

/** Ends the process group now and waits for its leader to exit. */
export async function endNow(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  if (child.exitCode === null && child.signalCode === null) {
    end(child, "SIGTERM");
    const timer = setTimeout(() => end(child, "SIGKILL"), 5_000);
    await ended;
    clearTimeout(timer);
  }
  // The leader has exited, but its children may still run.
  end(child, "SIGKILL");
  processes.delete(child);
}

/**
 * Creates a folder that other users can enter. It is deleted when this process ends, or earlier by `remove`.
 */
export function createTemporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  chmodSync(folder, 0o711);
  folders.add(folder);
  return folder;
}

export function remove(folder: string): void {
  // A killed process may still be writing.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  folders.delete(folder);
}

function end({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid) process.kill(-pid, signal);
  } catch {
    // The group has already exited.
  }
}
