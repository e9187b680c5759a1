// Runs jobs on a schedule, as pg_cron does on a hosted project.
// Covers: delivering contact messages, publishing scheduled posts, removing unused images and deleted messages. A job that calls an Edge
// Function asks the database first, so that the function's process starts only when there is work. Does not cover: the
// work, which the functions and the database do.
import type { Sql } from "./database.ts";

export interface ScheduledJob {
  /** Waits for the run in progress. */
  stop(): Promise<void>;
}

interface JobOptions {
  sql: Sql;
  /** Milliseconds between the end of one run and the start of the next. */
  interval: number;
  log: (line: string) => void;
}

interface FunctionJobOptions extends JobOptions {
  /** Calls the function with the secret key. */
  callFunction(): Promise<Response>;
}

export function scheduleMessageDelivery({ sql, log, ...job }: FunctionJobOptions): ScheduledJob {
  return scheduleFunction({
    ...job,
    isDue: async () => {
      const [row] = await sql<{ due: boolean }[]>`select private.is_mail_due() as due`;
      return row?.due ?? false;
    },
    onFailure: (reason) => log(`Contact messages were not delivered: ${reason}`),
    delay: job.interval,
  });
}

export function scheduleUnusedImageRemoval({ sql, log, ...job }: FunctionJobOptions): ScheduledJob {
  return scheduleFunction({
    ...job,
    isDue: async () => {
      const [row] = await sql<{ due: boolean }[]>`select private.note_unused_images() as due`;
      return row?.due ?? false;
    },
    onFailure: (reason) => log(`Unused images were not removed: ${reason}`),
    delay: 0,
  });
}

export function scheduleDuePosts({ sql, log, interval }: JobOptions): ScheduledJob {
  return schedule({
    run: async () => {
      await sql`select private.publish_scheduled_posts()`;
    },
    onFailure: (reason) => log(`Scheduled posts were not published: ${reason}`),
    delay: 0,
    interval,
  });
}

/** Removes messages 30 days after their deletion. */
export function scheduleDeletedMessageRemoval({ sql, log, interval }: JobOptions): ScheduledJob {
  return schedule({
    run: async () => {
      await sql`select private.remove_deleted_messages()`;
    },
    onFailure: (reason) => log(`Deleted messages were not removed: ${reason}`),
    delay: 0,
    interval,
  });
}

interface Schedule {
  onFailure(reason: string): void;
  /** Milliseconds before the first run. */
  delay: number;
  interval: number;
}

function scheduleFunction(
  job: Schedule & { isDue(): Promise<boolean>; callFunction(): Promise<Response> },
): ScheduledJob {
  return schedule({
    ...job,
    async run(isStopped) {
      if (!(await job.isDue()) || isStopped()) return;
      const response = await job.callFunction();
      await response.body?.cancel();
      if (!response.ok) job.onFailure(`the function responded with ${response.status}`);
    },
  });
}

/** Failures are reported and do not end the schedule. */
function schedule(job: Schedule & { run(isStopped: () => boolean): Promise<void> }): ScheduledJob {
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
    running = job
      .run(() => stopped)
      .catch((error: Error) => job.onFailure(error.name))
      .then(() => {
        if (!stopped) timer = setTimeout(run, job.interval);
      });
  }
}
