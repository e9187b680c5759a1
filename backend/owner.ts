// The owner account of the embedded backend. A hosted project gets its owner by `npm run owner`.
import { randomBytes } from "node:crypto";
import type { Sql } from "./database.ts";
import type { RestAuth } from "./rest-auth.ts";

export interface OwnerAccount {
  email: string;
  /** Set only when it was generated just now: shown once, stored nowhere in clear. */
  generatedPassword?: string;
}

/** Makes sure that `email` exists and owns the site. An existing account keeps its password. */
export async function ensureOwner(
  sql: Sql,
  restAuth: Pick<RestAuth, "createUser">,
  email: string,
  password: string | undefined,
): Promise<OwnerAccount> {
  const [user] = await sql<{ id: string }[]>`
    select id from auth.users where lower(email) = lower(${email})`;
  if (user) {
    await sql`select public.make_owner(${user.id})`;
    return { email };
  }
  const chosen = password ?? randomBytes(12).toString("base64url");
  const id = await restAuth.createUser(email, chosen);
  await sql`select public.make_owner(${id})`;
  return password ? { email } : { email, generatedPassword: chosen };
}
