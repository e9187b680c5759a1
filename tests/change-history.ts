// Changes what the archive protects, as only a superuser of the database can.
import type { Sql, Transaction } from "embedded-supabase/database.ts";

export async function changeHistory(
  sql: Sql,
  change: (transaction: Transaction) => PromiseLike<unknown>,
): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await change(transaction);
  });
}
