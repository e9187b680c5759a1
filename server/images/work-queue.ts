export interface WorkQueue {
  /** Runs a job when its turn comes. @throws what the job throws; `full()` when too many wait. */
  run<Result>(job: () => Promise<Result>): Promise<Result>;
}

/** Runs at most `parallel` jobs at a time while at most `waiting` others wait. */
export function createWorkQueue(parallel: number, waiting: number, full: () => Error): WorkQueue {
  let running = 0;
  const turns: (() => void)[] = [];

  return {
    async run(job) {
      if (running >= parallel) {
        if (turns.length >= waiting) throw full();
        // Whoever ends hands its place over, so nobody can slip in between.
        await new Promise<void>((resolve) => turns.push(resolve));
      } else {
        running += 1;
      }
      try {
        return await job();
      } finally {
        const next = turns.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
