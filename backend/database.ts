// The connections to PostgreSQL and the one way to run a query as an API role.
// Covers: what row-level security needs (role, JWT claims). Does not cover: schema changes (migrations.ts).
import postgres from "postgres";

export type Sql = postgres.Sql;
export type Transaction = postgres.TransactionSql;

/** Who a request speaks for, as PostgreSQL sees it. */
export interface Identity {
  role: "anon" | "authenticated" | "service_role";
  /** Claims of the verified token; empty for a bare key. `sub` is the user's id. */
  claims: Record<string, unknown>;
}

export function connect(url: string, connections: number): Sql {
  return postgres(url, { max: connections, onnotice: () => {} });
}

/** Runs `work` in a transaction under the policies that hold for `identity`. */
export async function withIdentity<T>(
  sql: Sql,
  identity: Identity,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const result = await sql.begin(async (transaction) => {
    await transaction`
      select set_config('role', ${identity.role}, true),
             set_config('request.jwt.claims', ${JSON.stringify(identity.claims)}, true)`;
    return work(transaction);
  });
  return result as T;
}
