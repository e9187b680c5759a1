// Runs the project's jobs on a schedule, as pg_cron does on a hosted project. Does not cover: the work itself (config.ts).
import type { Job, JobContext } from "./config.ts";

interface JobOptions extends Omit<JobContext, "call" | "signal"> {
  jobs: Readonly<Record<string, Job>>;
  /** Calls the function with the secret key. */
  callFunction(path: string): Promise<Response>;
  /** Milliseconds by the name of the job. Only tests set them. */
  intervals?: Readonly<Record<string, number>>;
  log: (line: string) => void;
}

/** @returns a function that stops the jobs and waits for those that run */
export function startJobs(options: JobOptions): () => Promise<void> {
  const { jobs, callFunction, intervals = {}, log, ...context } = options;
  const timers = new Map<string, NodeJS.Timeout>();
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const { signal } = stopping;
  for (const [name, job] of Object.entries(jobs)) start(name, job);

  return async () => {
    stopping.abort();
    for (const timer of timers.values()) clearTimeout(timer);
    await Promise.all(running.values());
  };

  async function call(path: string): Promise<void> {
    if (signal.aborted) return;
    const response = await callFunction(path);
    await response.body?.cancel();
    if (!response.ok) throw Object.assign(new Error(), { name: `status ${response.status}` });
  }

  /** Runs a job. Logs its failure, which does not end the schedule. */
  function start(name: string, job: Job): void {
    const run = async () => {
      await job.run({ ...context, signal, call });
    };
    running.set(
      name,
      run()
        .catch((error: Error) => log(`${job.failure}: ${error.name}`))
        .then(() => {
          const interval = intervals[name] ?? job.interval;
          if (!signal.aborted) timers.set(name, setTimeout(start, interval, name, job));
        }),
    );
  }
}
