// The stream of committed changes: logical replication of the publication over a temporary slot.
// Covers: INSERT, UPDATE and DELETE in commit order, back-pressure, reconnecting with a bounded back-off.
// Does not cover: TRUNCATE (a hosted project sends none either), and changes committed while it was disconnected:
// the slot lives as long as its connection, so that no WAL piles up, and `onDown` tells of the gap.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { LogicalReplicationService, type Pgoutput, PgoutputPlugin } from "pg-logical-replication";

export interface Change {
  schema: string;
  table: string;
  type: "INSERT" | "UPDATE" | "DELETE";
  transactionId: number;
  /** ISO 8601. */
  commitTimestamp: string;
  /** Values as PostgreSQL spells them: the new row, or what identified the deleted one. */
  values: Record<string, string | null | undefined>;
}

export interface ChangeStream {
  /** Settles when the first attempt to connect has succeeded or failed. */
  attempted: Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  /** Resolves when the database can be used; asked before each attempt to connect. */
  databaseUrl: () => Promise<string>;
  publication: string;
  /** The next change waits until this has settled. */
  onChange: (change: Change) => Promise<void>;
  onSchemaChange: () => void;
  onUp: () => void;
  onDown: () => void;
  log: (line: string) => void;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 10_000;

export function streamChanges(options: Options): ChangeStream {
  const stopping = new AbortController();
  const aborted = new Promise<null>((resolve) => {
    stopping.signal.addEventListener("abort", () => resolve(null));
  });
  const firstAttempt = Promise.withResolvers<void>();
  let service: LogicalReplicationService | null = null;
  let hasStarted = false;
  const finished = run();

  return { attempted: firstAttempt.promise, stop };

  async function stop(): Promise<void> {
    stopping.abort();
    await service?.destroy();
    await finished;
  }

  async function run(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!stopping.signal.aborted) {
      const url = await Promise.race([options.databaseUrl(), aborted]);
      if (url === null) return;
      hasStarted = false;
      const reason = await readUntilLost(url);
      firstAttempt.resolve();
      if (stopping.signal.aborted) return;
      options.onDown();
      // A stream that flowed was no failed attempt: when PostgreSQL ended, its next start is waited for.
      if (hasStarted) retryMs = FIRST_RETRY_MS;
      options.log(`realtime: lost the replication connection (${reason}), retry in ${retryMs} ms`);
      await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => {});
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    }
  }

  /** Answers why it ended; never throws. */
  async function readUntilLost(databaseUrl: string): Promise<string> {
    let reason = "closed by the server";
    const current = new LogicalReplicationService(
      { connectionString: databaseUrl, application_name: "realtime" },
      { acknowledge: { auto: false, timeoutSeconds: 0 }, flowControl: { enabled: true } },
    );
    service = current;
    const plugin = new TemporarySlotPlugin(options.publication, (error) => {
      reason = messageOf(error);
      current.destroy().catch(() => {});
    });
    current.on("start", () => {
      hasStarted = true;
      options.onUp();
      firstAttempt.resolve();
    });
    current.on("error", (error) => {
      reason = messageOf(error);
    });
    current.on("heartbeat", async (position) => {
      await current.acknowledge(before(position));
    });
    let transaction = { transactionId: 0, commitTimestamp: "" };
    current.on("data", async (_position, message: Pgoutput.Message) => {
      if (message.tag === "begin") {
        transaction = {
          // The library reads an unsigned number as a signed one.
          transactionId: message.xid >>> 0,
          commitTimestamp: new Date(Number(message.commitTime) / 1000).toISOString(),
        };
      } else if (message.tag === "relation") {
        options.onSchemaChange();
      } else {
        const change = toChange(message, transaction);
        if (change) await options.onChange(change);
      }
    });
    try {
      await current.subscribe(plugin, `realtime_${randomBytes(8).toString("hex")}`);
    } catch (error) {
      reason = messageOf(error);
    }
    await current.destroy().catch(() => {});
    return reason;
  }
}

/** Makes the slot on the connection that reads from it: it vanishes with that connection. */
class TemporarySlotPlugin extends PgoutputPlugin {
  readonly onUnreadable: (error: unknown) => void;

  constructor(publication: string, onUnreadable: (error: unknown) => void) {
    super({ protoVersion: 1, publicationNames: [publication] });
    this.onUnreadable = onUnreadable;
  }

  override async start(client: Client, slot: string, position: string): Promise<unknown> {
    await client.query(
      `CREATE_REPLICATION_SLOT "${slot}" TEMPORARY LOGICAL pgoutput (SNAPSHOT 'nothing')`,
    );
    return super.start(client, slot, position);
  }

  override parse(buffer: Buffer): Pgoutput.Message {
    try {
      const message = super.parse(buffer);
      if (message.tag === "relation") {
        // Values stay text: a Date or a number in between would lose digits of a key.
        for (const column of message.columns) column.parser = (text) => text;
      }
      return message;
    } catch (error) {
      // Called from a socket's event, where a throw would end the process.
      this.onUnreadable(error);
      return { tag: "origin", originLsn: null, originName: "" };
    }
  }
}

function toChange(
  message: Pgoutput.Message,
  transaction: Pick<Change, "transactionId" | "commitTimestamp">,
): Change | null {
  if (message.tag !== "insert" && message.tag !== "update" && message.tag !== "delete") return null;
  const { schema, name: table } = message.relation;
  const about = { schema, table, ...transaction };
  switch (message.tag) {
    case "insert":
      return { ...about, type: "INSERT", values: message.new };
    case "update":
      return { ...about, type: "UPDATE", values: message.new };
    case "delete":
      return { ...about, type: "DELETE", values: message.key ?? message.old ?? {} };
  }
}

/**
 * The library acknowledges the byte after the position it is given. PostgreSQL waits at shutdown
 * until the exact end of its log is acknowledged, and would wait forever for us.
 */
function before(position: string): string {
  const [high = "0", low = "0"] = position.split("/");
  const previous = ((BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)) - 1n;
  return `${(previous >> 32n).toString(16)}/${(previous & 0xffffffffn).toString(16)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
