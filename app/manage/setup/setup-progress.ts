// What this browser keeps of the setup. What was entered is stored in the database.
import { z } from "zod";
import { type StepId, stepIds } from "./steps.ts";

const stepId = z.enum(stepIds);
const progressSchema = z.object({
  /** The step that was open last. */
  lastOpen: z.nullable(stepId),
  skipped: z.array(stepId),
  samplesRemoved: z.boolean(),
  /** Whether the end was reached. */
  finished: z.boolean(),
});
export type SetupProgress = z.infer<typeof progressSchema>;

const storageKey = "setup-progress";
const notStarted: SetupProgress = {
  lastOpen: null,
  skipped: [],
  samplesRemoved: false,
  finished: false,
};

export function readProgress(): SetupProgress {
  return readStored() ?? notStarted;
}

/** Storage can be disabled: then the setup goes on at the first unfinished step. */
export function storeProgress(progress: SetupProgress): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(progress));
  } catch {}
}

/** Whether the setup was started in this browser and not finished. */
export function isSetupUnfinished(): boolean {
  const stored = readStored();
  return stored !== null && !stored.finished;
}

/** Null when there is none, or another version's. */
function readStored(): SetupProgress | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "null");
    return progressSchema.safeParse(stored).data ?? null;
  } catch {
    return null;
  }
}

export function withSkipped(progress: SetupProgress, id: StepId): SetupProgress {
  return { ...progress, skipped: [...new Set([...progress.skipped, id])] };
}
