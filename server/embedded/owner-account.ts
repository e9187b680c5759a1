// Ensures at each start that there is an owner, or a link with which somebody becomes the first one. OWNER_PASSWORD creates the
// owner that OWNER_EMAIL names without a link. A changed OWNER_EMAIL adds an owner.
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

/** As OWNER_PASSWORD: prints a generated password in place of a link, for scripts that read it. */
const generate = "generate";

/** An existing account keeps its password. */
export async function ensureOwner(sql: Sql, setting: OwnerSetting): Promise<OwnerAccount> {
  const email = foldAddress(setting.email);
  const isNew = (await listOwners(sql)).length === 0;
  const awaitsOwner = isNew && !setting.password;
  const mustApply = isNew || (await isChanged(sql, email));
  const applied = mustApply && !awaitsOwner ? await apply(sql, setting) : {};
  await sql`
    insert into auth.applied_settings (name, value) values ('OWNER_EMAIL', ${email})
    on conflict (name) do update set value = excluded.value`;
  if (awaitsOwner) {
    return { email: null, others: [], setupToken: await createSetupLink(embeddedConfig.auth, sql) };
  }
  const owners = await listOwners(sql);
  const [first = email] = owners;
  const named = owners.includes(email) ? email : first;
  return { email: named, ...applied, others: owners.filter((owner) => owner !== named) };
}

/**
 * OWNER_EMAIL is applied only when it has changed: the owner may have changed the address since, or been replaced, and the
 * former account must not get access again at the next start.
 */
async function isChanged(sql: Sql, email: string): Promise<boolean> {
  const [applied] = await sql<{ value: string }[]>`
    select value from auth.applied_settings where name = 'OWNER_EMAIL'`;
  return email !== applied?.value && email !== defaultOwnerEmail;
}

export interface OwnerAccount extends Applied {
  /** The account that OWNER_EMAIL names, or the owner who has changed that address; null while nobody owns the site. */
  email: string | null;
  others: string[];
  /** The token of the link with which somebody becomes the first owner. */
  setupToken?: string | null;
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
  if (!password) {
    const account = await insertAccount(sql, foldAddress(email));
    if (!account) return {};
    await sql`select public.make_owner(${account.id})`;
    return { invitationToken: await createRecoveryLink(sql, account, "24 hours") };
  }
  const generated = randomBytes(12).toString("base64url");
  if (password === generate) {
    await sql`select public.make_owner(${await createUser(email, generated)})`;
    return { generatedPassword: generated };
  }
  const { maxBytes, passwordProblem } = await import(
    "../../supabase/functions/_shared/password.ts"
  );
  const problem = passwordProblem(password, [email]);
  if (problem && (isPublic || Buffer.byteLength(password) > maxBytes)) {
    throw new StartError(`OWNER_PASSWORD cannot be used. ${problem}`);
  }
  const id = await createUser(email, problem ? generated : password);
  await sql`select public.make_owner(${id})`;
  if (!problem) return {};
  await storePassword(sql, id, await hashPassword(password), null);
  return { passwordProblem: problem };
}

async function listOwners(sql: Sql): Promise<string[]> {
  const owners = await sql<{ email: string }[]>`
    select email from public.list_people() where role = 'owner'`;
  return owners.map(({ email }) => foldAddress(email));
}
