// Calls Edge Functions on a schedule, as pg_cron does on a hosted project.
// Covers: delivering contact messages, removing unused images. Each job asks the database first, so that the function's
// process starts only when there is work. Does not cover: the work, which the functions do.
import type { Sql } from "./database.ts";

export interface ScheduledJob {
  /** Waits for the run in progress. */
  stop(): Promise<void>;
}

interface JobOptions {
  sql: Sql;
  /** Calls the function with the secret key. */
  callFunction(): Promise<Response>;
  /** Milliseconds between the end of one run and the start of the next. */
  interval: number;
  log: (line: string) => void;
}

export function scheduleMessageDelivery({ sql, log, ...job }: JobOptions): ScheduledJob {
  return schedule({
    ...job,
    isDue: async () => {
      const [row] = await sql<{ due: boolean }[]>`
        select private.is_mail_due() as due`;
      return row?.due ?? false;
    },
    onFailure: (reason) => log(`Contact messages were not delivered: ${reason}`),
    delay: job.interval,
  });
}

export function scheduleUnusedImageRemoval({ sql, log, ...job }: JobOptions): ScheduledJob {
  return schedule({
    ...job,
    isDue: async () => {
      const [row] = await sql<{ due: boolean }[]>`select private.note_unused_images() as due`;
      return row?.due ?? false;
    },
    onFailure: (reason) => log(`Unused images were not removed: ${reason}`),
    delay: 0,
  });
}

/** Failures are reported and do not end the schedule. */
function schedule(job: {
  isDue(): Promise<boolean>;
  callFunction(): Promise<Response>;
  onFailure(reason: string): void;
  /** Milliseconds before the first run. */
  delay: number;
  interval: number;
}): ScheduledJob {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer = setTimeout(run, job.delay);

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };

  function run(): void {
    running = callWhenDue()
      .catch((error: Error) => job.onFailure(error.name))
      .then(() => {
        if (!stopped) timer = setTimeout(run, job.interval);
      });
  }

  async function callWhenDue(): Promise<void> {
    if (!(await job.isDue()) || stopped) return;
    const response = await job.callFunction();
    await response.body?.cancel();
    if (!response.ok) job.onFailure(`the function responded with ${response.status}`);
  }
}
