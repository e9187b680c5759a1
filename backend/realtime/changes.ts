// Streams committed changes: logical replication of the publication over a temporary slot.
// Covers: INSERT, UPDATE and DELETE in commit order, back-pressure, reconnecting with back-off. Does not cover: TRUNCATE
// (a hosted project does not send it either); changes committed while disconnected: the slot ends with its connection,
// so that no WAL accumulates, and `onDown` reports the gap.
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
  /** The new row, or the key of the deleted one, with values in PostgreSQL's text format. */
  values: Record<string, string | null | undefined>;
}

export interface ChangeStream {
  /** Settles when the first attempt to connect has succeeded or failed. */
  attempted: Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  /** Resolves when the database is available; called before each attempt to connect. */
  databaseUrl: () => Promise<string>;
  publication: string;
  /** The next change waits until this settles. */
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
      // Back off only after failed attempts. After a restart of PostgreSQL `databaseUrl` waits for it.
      if (hasStarted) retryMs = FIRST_RETRY_MS;
      options.log(`realtime: lost the replication connection (${reason}), retry in ${retryMs} ms`);
      await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => {});
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    }
  }

  /** Never throws. @returns why the stream ended */
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
          // The library decodes this unsigned number as signed.
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

/** Creates the slot on the connection that reads from it, with which a temporary slot ends. */
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
        // Keep values as text: converting them to Date or number would lose digits of a key.
        for (const column of message.columns) column.parser = (text) => text;
      }
      return message;
    } catch (error) {
      // This runs in an event handler of the socket, where a throw would end the process.
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
  const common = { schema, table, ...transaction };
  switch (message.tag) {
    case "insert":
      return { ...common, type: "INSERT", values: message.new };
    case "update":
      return { ...common, type: "UPDATE", values: message.new };
    case "delete":
      return { ...common, type: "DELETE", values: message.key ?? message.old ?? {} };
  }
}

/**
 * The library acknowledges the byte after the given position. At shutdown PostgreSQL waits until the exact end of its
 * log is acknowledged, so without this it would wait forever.
 */
function before(position: string): string {
  const [high = "0", low = "0"] = position.split("/");
  const previous = ((BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)) - 1n;
  return `${(previous >> 32n).toString(16)}/${(previous & 0xffffffffn).toString(16)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
