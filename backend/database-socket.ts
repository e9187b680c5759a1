// The socket under a connection to PostgreSQL: it fails where the driver's own would close.
// The driver (postgres 3.4.9) ends the whole process when a transaction is open on a connection that closes: it
// writes the rollback to a socket that is null. And it lets queries wait for up to 20 s between its own attempts to
// connect. So it never learns of the end of a connection: every query on it is refused at once, and whoever opened
// the pool is told to drop it and open another.
import { EventEmitter } from "node:events";
import { connect, type Socket } from "node:net";

/** What a query throws when its connection broke. Nobody knows whether it was carried out. */
export class ConnectionLost extends Error {
  readonly code = "CONNECTION_LOST";

  constructor() {
    super("The connection to the database was lost");
  }
}

/**
 * Keeps the process alive when a connection breaks just after it was opened: the driver asks for the array types of
 * the database then, in a promise that nobody awaits. Any other unhandled rejection ends the process as before.
 */
export function surviveLostConnections(): void {
  process.on("unhandledRejection", (reason) => {
    if (!isLostConnection(reason)) throw reason;
  });
}

/** By our socket, or by the driver when its pool was dropped. */
function isLostConnection(reason: unknown): boolean {
  const code = reason instanceof Error && "code" in reason ? String(reason.code) : "";
  return /^CONNECTION_(LOST|CLOSED|DESTROYED|ENDED)$/.test(code);
}

/** A connected socket for the driver. `onLost` is called at most once, before any query is refused. */
export async function openDatabaseSocket(url: string, onLost: () => void): Promise<EventEmitter> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
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

/** As much of a socket as the driver uses. */
class DatabaseSocket extends EventEmitter {
  readonly #socket: Socket;
  /** Whether the driver itself ended the connection, as it does with old ones. */
  #ended = false;
  #lost = false;

  constructor(socket: Socket, onLost: () => void) {
    super();
    this.#socket = socket;
    socket.on("data", (chunk) => this.emit("data", chunk));
    socket.on("drain", () => this.emit("drain"));
    // "close" follows and says the same.
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
    // Later, when the driver has noted which query it wrote.
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
    // Without a listener the driver is done with this connection, and "error" would be thrown.
    if (this.listenerCount("error") > 0) this.emit("error", new ConnectionLost());
  }
}
