// Wakes send-email when a contact message is due, as pg_cron does on a hosted project.
// Covers: looking for due messages, asking for their delivery. Does not cover: sending, which is the function's.
import type { Sql } from "./database.ts";
import { type RepeatedWork, repeatWork } from "./repeated-work.ts";

interface MessageDeliveryOptions {
  sql: Sql;
  /** Calls the function with the secret key. */
  requestDelivery(): Promise<Response>;
  /** Milliseconds between two looks. */
  interval: number;
  log: (line: string) => void;
}

/** The function's process rests while nothing is due: only the database is asked. */
export function startMessageDelivery(options: MessageDeliveryOptions): RepeatedWork {
  const { sql, requestDelivery, interval, log } = options;
  return repeatWork({
    work: deliverDue,
    onFailure: (error) => log(`Contact messages wait: ${error.name}`),
    delay: interval,
    interval,
  });

  async function deliverDue(isStopped: () => boolean): Promise<void> {
    const [row] = await sql<{ due: boolean }[]>`
      select exists (
        select from public.contact_messages where status = 'stored' and next_attempt_at <= now()
      ) as due`;
    if (!row?.due || isStopped()) return;
    const response = await requestDelivery();
    await response.body?.cancel();
    if (!response.ok) log(`Contact messages wait: send-email answered ${response.status}`);
  }
}
