// The connections to PostgreSQL and the one way to run a query as an API role.
// Covers: what row-level security needs (role, JWT claims), pools that are replaced when PostgreSQL was away.
// Does not cover: schema changes (migrations.ts).
import postgres from "postgres";
import { openDatabaseSocket } from "./database-socket.ts";

export type Sql = postgres.Sql;
export type Transaction = postgres.TransactionSql;

/** Who a request speaks for, as PostgreSQL sees it. */
export interface Identity {
  role: "anon" | "authenticated" | "service_role";
  /** Claims of the verified token; empty for a bare key. `sub` is the user's id. */
  claims: Record<string, unknown>;
}

/**
 * A pool. It does not connect again by itself: after `onLost` it is to be dropped.
 * @param onLost called each time that a connection could not be opened or broke.
 */
export function connect(url: string, connections: number, onLost = () => {}): Sql {
  return postgres(url, { max: connections, onnotice: () => {}, ...socketOptions(url, onLost) });
}

/** The part of the driver's options that makes its connections fail instead of hang. */
export function socketOptions(url: string, onLost: () => void): postgres.Options<never> {
  return {
    // The driver takes any stream here; its types know only the name of the option.
    socket: () => openDatabaseSocket(url, onLost),
    connect_timeout: 10,
    // Its timer would outlive a connection that was lost.
    max_lifetime: null,
  } as postgres.Options<never>;
}

/** One `sql` for the whole life of the process, whichever pool is behind it. */
export function followPool(current: () => Sql): Sql {
  return new Proxy((() => {}) as unknown as Sql, {
    apply: (_target, _this, parameters) => Reflect.apply(current(), undefined, parameters),
    get: (_target, name) => Reflect.get(current(), name),
  });
}

/** Of a statement that runs for a caller. */
const STATEMENT_TIMEOUT = "3s";

/** Runs `work` in a transaction under the policies that hold for `identity`. */
export async function withIdentity<T>(
  sql: Sql,
  identity: Identity,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const result = await sql.begin(async (transaction) => {
    await transaction`
      select set_config('role', ${identity.role}, true),
             set_config('request.jwt.claims', ${JSON.stringify(identity.claims)}, true),
             set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true)`;
    return work(transaction);
  });
  return result as T;
}
