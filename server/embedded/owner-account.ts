// Creates the owner that OWNER_EMAIL names, at the first start and when the setting changes.
// Does not cover: other owners, who stay when the setting changes (scripts/owner.ts removes them).
import { randomBytes } from "node:crypto";
import { hashPassword, storePassword } from "embedded-supabase/auth/passwords.ts";
import type { Sql } from "embedded-supabase/database.ts";
import { StartError } from "embedded-supabase/errors.ts";
import { defaultOwnerEmail } from "../../app/config/server-settings.ts";
import { foldAddress } from "../../supabase/functions/_shared/invitation.ts";

export type OwnerAccount = Awaited<ReturnType<typeof ensureOwner>>;

interface OwnerSetting {
  email: string;
  password: string | undefined;
  /** Whether others reach the site: then a weak password is rejected. */
  isPublic: boolean;
  /** Creates a confirmed account. @returns its id */
  createUser(email: string, password: string): Promise<string>;
}

/** Ensures that there is an owner. An existing account keeps its password. */
export async function ensureOwner(sql: Sql, setting: OwnerSetting) {
  const email = foldAddress(setting.email);
  const applied = (await mustApply(sql, email)) ? await apply(sql, setting) : {};
  await sql`
    insert into auth.applied_settings (name, value) values ('OWNER_EMAIL', ${email})
    on conflict (name) do update set value = excluded.value`;
  const owners = await listOwners(sql);
  const [first = email] = owners;
  const named = owners.includes(email) ? email : first;
  return {
    /** The account that OWNER_EMAIL names, or the owner who has changed that address. */
    email: named,
    ...applied,
    others: owners.filter((owner) => owner !== named),
  };
}

/**
 * Applies OWNER_EMAIL only when it has changed: the owner may have changed the address since, or been replaced, and the
 * former account must not get access again at the next start.
 */
async function mustApply(sql: Sql, email: string): Promise<boolean> {
  if ((await listOwners(sql)).length === 0) return true;
  const [applied] = await sql<{ value: string }[]>`
    select value from auth.applied_settings where name = 'OWNER_EMAIL'`;
  return email !== applied?.value && email !== defaultOwnerEmail;
}

interface Applied {
  /** Shown once and stored only as a hash. */
  generatedPassword?: string;
  /** What is wrong with a password that was accepted, as a sentence. */
  passwordProblem?: string;
}

/** @throws {StartError} when the password cannot be used */
async function apply(
  sql: Sql,
  { email, password, isPublic, createUser }: OwnerSetting,
): Promise<Applied> {
  const [user] = await sql<{ id: string }[]>`
    select id from auth.users where private.folded(email) = private.folded(${email})`;
  if (user) {
    await sql`select public.make_owner(${user.id})`;
    return {};
  }
  const generated = randomBytes(12).toString("base64url");
  const { maxBytes, passwordProblem } = await import(
    "../../supabase/functions/_shared/password.ts"
  );
  const problem = password ? passwordProblem(password, [email]) : null;
  if (problem && (isPublic || Buffer.byteLength(password ?? "") > maxBytes)) {
    throw new StartError(`OWNER_PASSWORD cannot be used. ${problem}`);
  }
  const id = await createUser(email, problem ? generated : password || generated);
  await sql`select public.make_owner(${id})`;
  if (!password) return { generatedPassword: generated };
  if (!problem) return {};
  await storePassword(sql, id, await hashPassword(password), null);
  return { passwordProblem: problem };
}

async function listOwners(sql: Sql): Promise<string[]> {
  const owners = await sql<{ email: string }[]>`
    select email from public.list_people() where role = 'owner'`;
  return owners.map(({ email }) => foldAddress(email));
}
