// Creates the owner that OWNER_EMAIL names, at the first start and when the setting changes. Without OWNER_PASSWORD, each start
// makes a link with which somebody becomes the first owner, until an owner has signed in. At a public address there is no account
// before: a generated password in a log would be valid until somebody changes it.
// Does not cover: other owners, who stay when the setting changes (scripts/owner.ts removes them).
import { randomBytes } from "node:crypto";
import { createRecoveryLink } from "embedded-supabase/auth/links.ts";
import { insertAccount } from "embedded-supabase/auth/new-accounts.ts";
import { hashPassword, storePassword } from "embedded-supabase/auth/passwords.ts";
import { createSetupLink } from "embedded-supabase/auth/setup-links.ts";
import type { Sql } from "embedded-supabase/database.ts";
import { StartError } from "embedded-supabase/errors.ts";
import { defaultOwnerEmail } from "../../app/config/server-settings.ts";
import { embeddedConfig } from "../../embedded.config.ts";
import { foldAddress } from "../../supabase/functions/_shared/invitation.ts";

interface OwnerSetting {
  email: string;
  password: string | undefined;
  /** Whether others reach the site: then a weak password is rejected. */
  isPublic: boolean;
  /** Creates a confirmed account. @returns its id */
  createUser(email: string, password: string): Promise<string>;
}

/** An existing account keeps its password. */
export async function ensureOwner(sql: Sql, setting: OwnerSetting): Promise<OwnerAccount> {
  const email = foldAddress(setting.email);
  const applied = (await mustApply(sql, setting, email)) ? await apply(sql, setting) : {};
  await sql`
    insert into auth.applied_settings (name, value) values ('OWNER_EMAIL', ${email})
    on conflict (name) do update set value = excluded.value`;
  const owners = await listOwners(sql);
  const [first = null] = owners;
  const named = owners.includes(email) ? email : first;
  return {
    email: named,
    ...applied,
    others: owners.filter((owner) => owner !== named),
    setupToken: setting.password ? null : await createSetupLink(embeddedConfig.auth, sql),
  };
}

/**
 * Applies OWNER_EMAIL only when it has changed: the owner may have changed the address since, or been replaced, and the
 * former account must not get access again at the next start.
 */
async function mustApply(
  sql: Sql,
  { password, isPublic }: OwnerSetting,
  email: string,
): Promise<boolean> {
  if ((await listOwners(sql)).length === 0) return !isPublic || Boolean(password);
  const [applied] = await sql<{ value: string }[]>`
    select value from auth.applied_settings where name = 'OWNER_EMAIL'`;
  return email !== applied?.value && email !== defaultOwnerEmail;
}

export interface OwnerAccount extends Applied {
  /** The account that OWNER_EMAIL names, or the owner who has changed that address; null while nobody owns the site. */
  email: string | null;
  others: string[];
  /** The token of the link with which somebody becomes the first owner; null with OWNER_PASSWORD, or once an owner has signed in. */
  setupToken: string | null;
}

interface Applied {
  /** The token of a link with which an added owner chooses a password. */
  invitationToken?: string;
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
  if (!password && isPublic) {
    const account = await insertAccount(sql, foldAddress(email));
    if (!account) return {};
    await sql`select public.make_owner(${account.id})`;
    return { invitationToken: await createRecoveryLink(sql, account, "24 hours") };
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
