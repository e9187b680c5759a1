// Connections to PostgreSQL, and queries under the row-level security of a caller.
// Covers: role and JWT claims, pools that are replaced after an outage. Does not cover: migrations (migrations.ts).
import { EventEmitter } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import postgres from "postgres";
import { codeOf } from "./errors.ts";

export type Sql = postgres.Sql;
export type Transaction = postgres.TransactionSql;

/** The database role and the JWT claims that a query runs with. */
export interface Identity {
  role: "anon" | "authenticated" | "service_role";
  /** Claims of the verified token; empty when the request carries only a key. `sub` is the user's id. */
  claims: Record<string, unknown>;
}

/**
 * Opens a pool, which does not reconnect: after `onLost`, drop it and open another.
 * @param onLost called whenever a connection breaks or cannot be opened
 */
export function connect(url: string, connections: number, onLost = () => {}): Sql {
  return postgres(url, { max: connections, onnotice: () => {}, ...socketOptions(url, onLost) });
}

/** Opens a pool to a hosted project, encrypted unless it leads to the same machine. */
export function connectToProject(url: string, connections: number): Sql {
  const { href, hostname, searchParams } = new URL(url);
  const isPlain = ["localhost", "127.0.0.1"].includes(hostname) || searchParams.has("sslmode");
  return postgres(href, {
    ...{ max: connections, max_lifetime: null, onnotice: () => {} },
    ...(!isPlain && { ssl: "require" }),
  });
}

/** Driver options that make a lost connection fail instead of hang. */
export function socketOptions(url: string, onLost: () => void): postgres.Options<never> {
  // The driver's types omit `socket`, which its documentation describes.
  return {
    socket: () => openDatabaseSocket(url, onLost),
    connect_timeout: 10,
    // An idle connection keeps 3 to 7 MB of its server process.
    idle_timeout: 30,
    // This timer of the driver would outlive a lost connection.
    max_lifetime: null,
  } as postgres.Options<never>;
}

/** An `sql` that always uses the current pool, so callers can keep it across outages. */
export function followPool(current: () => Sql): Sql {
  // A function as target makes the proxy callable; every call and property goes to the current pool.
  return new Proxy((() => {}) as unknown as Sql, {
    apply: (_target, _this, parameters) => Reflect.apply(current(), undefined, parameters),
    get: (_target, name) => Reflect.get(current(), name),
  });
}

/** The timeout of every REST, Auth and Storage statement, whatever its role. */
export const STATEMENT_TIMEOUT_MS = 3_000;

/** Runs `work` in a transaction under the policies for `identity`. */
export async function withIdentity<T>(
  sql: Sql,
  identity: Identity,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const result = await sql.begin(async (transaction) => {
    await transaction`
      select set_config('role', ${identity.role}, true),
             set_config('request.jwt.claims', ${JSON.stringify(identity.claims)}, true),
             set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, true)`;
    return work(transaction);
  });
  // The driver's type unwraps arrays of promises, but `work` never returns one.
  return result as T;
}

/** Whether the connection broke during the query, which may or may not have been executed. */
export class ConnectionLost extends Error {
  readonly code = "CONNECTION_LOST";

  constructor() {
    super("The connection to the database was lost");
  }
}

/**
 * Keeps the process alive when a connection breaks right after it was opened: the driver then rejects a promise of its
 * own (the query for array types) that nothing awaits. Any other unhandled rejection still ends the process.
 */
export function surviveLostConnections(): void {
  process.on("unhandledRejection", (reason) => {
    if (!isLostConnection(reason)) throw reason;
  });
}

/** Whether the code comes from our socket, or from the driver after its pool was dropped. */
function isLostConnection(reason: unknown): boolean {
  return /^CONNECTION_(LOST|CLOSED|DESTROYED|ENDED)$/.test(codeOf(reason));
}

/** Opens a connected socket for the driver. Calls `onLost` at most once, before any query is rejected. */
async function openDatabaseSocket(url: string, onLost: () => void): Promise<EventEmitter> {
  const { hostname, port } = new URL(url);
  const socket = connectTcp({ host: hostname, port: Number(port), noDelay: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
  } catch (error) {
    onLost();
    throw error;
  }
  return new DatabaseSocket(socket, onLost);
}

/**
 * The part of a socket that the driver uses. It reports a broken connection as an error, never as "close": on "close"
 * postgres 3.4.9 writes the rollback of an open transaction to a null socket, which ends the process, and it makes
 * queries wait up to 20 s between its own reconnects. This way every query on the connection fails at once.
 */
class DatabaseSocket extends EventEmitter {
  readonly #socket: Socket;
  /** Whether the driver closed the connection itself, as it does when a pool ends. */
  #ended = false;
  #lost = false;

  constructor(socket: Socket, onLost: () => void) {
    super();
    this.#socket = socket;
    socket.on("data", (chunk) => this.emit("data", chunk));
    socket.on("drain", () => this.emit("drain"));
    // "close" follows every error, and its listener handles both.
    socket.on("error", () => {});
    socket.on("close", () => {
      if (this.#ended) {
        this.emit("close", false);
        return;
      }
      this.#lost = true;
      onLost();
      this.#fail();
    });
  }

  get readyState(): string {
    return this.#socket.readyState;
  }

  setKeepAlive(on: boolean, delay: number): void {
    this.#socket.setKeepAlive(on, delay);
  }

  write(chunk: Buffer, done?: () => void): boolean {
    if (!this.#lost) return this.#socket.write(chunk, done);
    // Deferred, because the driver registers the query after this call.
    setImmediate(() => this.#fail());
    return true;
  }

  end(chunk: Buffer): void {
    this.#ended = true;
    this.#socket.end(chunk);
  }

  destroy(): void {
    this.#ended = true;
    this.#socket.destroy();
  }

  #fail(): void {
    // Keeps a listener after the driver has removed its own: an "error" event without one would throw.
    if (this.listenerCount("error") > 0) this.emit("error", new ConnectionLost());
  }
}
