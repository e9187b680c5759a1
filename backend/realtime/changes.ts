// Listens to the changes that triggers notify (notify-changes.sql), on a connection of its own.
// Covers: INSERT, UPDATE and DELETE in commit order, once other connections see them; reconnecting with back-off. Does
// not cover: equal changes of a row in one transaction, which PostgreSQL merges; TRUNCATE; changes committed while
// disconnected: `onDown` reports the gap.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { connect, type Sql } from "../database.ts";

const changeSchema = z.object({
  table: z.string(),
  type: z.enum(["INSERT", "UPDATE", "DELETE"]),
  /** The primary key, its value in PostgreSQL's text format. */
  column: z.string(),
  value: z.string(),
});
export type Change = z.infer<typeof changeSchema>;

export interface ChangeStream {
  /** Settles when the first attempt to connect has succeeded or failed. */
  attempted: Promise<void>;
  stop(): Promise<void>;
}

const RETRY_MS = { first: 100, last: 10_000 };

export function listenToChanges(options: {
  /** Resolves when the database is available; called before each attempt to connect. */
  databaseUrl: () => Promise<string>;
  sql: Sql;
  onChange: (change: Change) => void;
  onUp: () => void;
  onDown: () => void;
  log: (line: string) => void;
}): ChangeStream {
  const { databaseUrl, sql, onChange, onUp, onDown, log } = options;
  const stopping = Promise.withResolvers<null>();
  const firstAttempt = Promise.withResolvers<void>();
  let isStopped = false;
  const finished = run();

  return {
    attempted: firstAttempt.promise,
    async stop() {
      isStopped = true;
      stopping.resolve(null);
      await finished;
    },
  };

  async function run(): Promise<void> {
    for (let retryMs = RETRY_MS.first; ; retryMs = Math.min(retryMs * 2, RETRY_MS.last)) {
      const url = await Promise.race([databaseUrl(), stopping.promise]);
      if (url === null) return;
      const lost = Promise.withResolvers<string>();
      const connection = connect(url, 1, () => lost.resolve("the connection was lost"));
      const failed = listen(connection).then(() => {
        // Back off only after failed attempts. After a restart of PostgreSQL `databaseUrl` waits for it.
        retryMs = RETRY_MS.first;
        return lost.promise;
      }, String);
      const reason = await Promise.race([failed, lost.promise, stopping.promise]);
      await connection.end({ timeout: 0 });
      firstAttempt.resolve();
      if (isStopped) return;
      onDown();
      log(`realtime: does not hear of changes (${reason}), retry in ${retryMs} ms`);
      await Promise.race([sleep(retryMs, undefined, { ref: false }), stopping.promise]);
    }
  }

  async function listen(connection: Sql): Promise<void> {
    await sql.unsafe(readFileSync(join(import.meta.dirname, "notify-changes.sql"), "utf8"));
    await connection.listen("realtime", (payload) =>
      onChange(changeSchema.parse(JSON.parse(payload))),
    );
    if (isStopped) return;
    onUp();
    firstAttempt.resolve();
  }
}
