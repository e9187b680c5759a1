import { randomInt } from "node:crypto";
import getPort from "get-port";

/**
 * A free port for a server that starts later. It lies below the ports that the system gives to connections, one of which
 * could take it in the meantime.
 */
export function freePort(): Promise<number> {
  return getPort({ port: Array.from({ length: 5 }, () => randomInt(12_000, 32_000)) });
}
