// Runs jobs on a schedule, as pg_cron does on a hosted project. Before a job calls an Edge Function, it asks the database
// whether there is work, so that no process starts without it. Does not cover: the work itself.
import type { Sql } from "./database.ts";

/** Milliseconds between the end of one run and the start of the next. */
const defaultIntervals = {
  mail: 15_000,
  unusedImages: 60 * 60_000,
  deletedMessages: 60 * 60_000,
  warnings: 60 * 60_000,
  erasures: 60 * 60_000,
  expiredFiles: 24 * 60 * 60_000,
  duePosts: 10_000,
};
export type JobIntervals = typeof defaultIntervals;

export interface JobOptions {
  sql: Sql;
  /** Calls the function with the secret key. */
  callFunction(path: string): Promise<Response>;
  sendsMail: boolean;
  /** What owners should hear by mail, besides mails that fail. */
  listWarnings(): Promise<string[]>;
  /** Only tests set them. */
  intervals?: Partial<JobIntervals>;
  log: (line: string) => void;
}

/** @returns a function that stops the jobs and waits for those that run */
export function startJobs(options: JobOptions): () => Promise<void> {
  const { sql, callFunction, sendsMail, listWarnings, log } = options;
  const intervals = { ...defaultIntervals, ...options.intervals };
  const timers = new Map<string, NodeJS.Timeout>();
  const running = new Map<string, Promise<void>>();
  let isStopped = false;

  schedule("Mails were not delivered", intervals.mail, async () => {
    // Also without a mail service, because it expires mails.
    const [row] = await sql`select private.is_mail_due() as due`;
    if (row?.due && sendsMail) await call("send-email/deliver");
  });
  schedule("Unused images were not removed", intervals.unusedImages, async () => {
    const [row] = await sql`select private.note_unused_images() as due`;
    if (row?.due) await call("remove-unused-images");
  });
  schedule("Deleted messages were not removed", intervals.deletedMessages, async () => {
    await sql`select private.remove_deleted_messages(), private.remove_old_mails()`;
  });
  schedule("Owners were not warned", intervals.warnings, async () => {
    if (sendsMail) await sql`select private.warn_owners(${await listWarnings()}::text[])`;
  });
  schedule("Personal data was not erased", intervals.erasures, async () => {
    await sql`select private.finish_erasures()`;
  });
  schedule("Expired files of the archive were not deleted", intervals.expiredFiles, async () => {
    await sql`select private.delete_expired_files()`;
  });
  schedule("Scheduled posts were not published", intervals.duePosts, async () => {
    await sql`select private.publish_scheduled_posts()`;
  });

  return async () => {
    isStopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
    await Promise.all(running.values());
  };

  async function call(path: string): Promise<void> {
    if (isStopped) return;
    const response = await callFunction(path);
    await response.body?.cancel();
    if (!response.ok) throw Object.assign(new Error(), { name: `status ${response.status}` });
  }

  /** Runs a job. Logs its failure, which does not end the schedule. */
  function schedule(failure: string, interval: number, run: () => Promise<void>): void {
    const start = () =>
      running.set(
        failure,
        run()
          .catch((error: Error) => log(`${failure}: ${error.name}`))
          .then(() => {
            if (!isStopped) timers.set(failure, setTimeout(start, interval));
          }),
      );
    start();
  }
}
