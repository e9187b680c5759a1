// Manages the accounts of an installation for scripts on the same machine, while the site runs or not.
// Covers: listing, adding and removing people, new passwords, turning off the two-step sign-in, the link that
// sets up a new site. Does not cover: a folder without a site.
import { createUser } from "embedded-supabase/auth/new-accounts.ts";
import { hashPassword, storePassword } from "embedded-supabase/auth/passwords.ts";
import { createSetupLink } from "embedded-supabase/auth/setup-links.ts";
import { DataDirInUse } from "embedded-supabase/data-dir.ts";
import { connect } from "embedded-supabase/database.ts";
import { runningDatabase } from "embedded-supabase/postgres/server.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { startDatabase } from "embedded-supabase/start-database.ts";
import { embeddedConfig } from "../../embedded.config.ts";

export interface Person {
  id: string;
  email: string;
  name: string | null;
  role: string;
  is_invited: boolean;
}

/** @throws {StartError} also when there is no site in the folder */
export async function openAccounts(dataDir: string, siteUrl: string) {
  const { sql, close } = await openDatabase(dataDir, siteUrl);
  return {
    close,

    async list(): Promise<Person[]> {
      return sql<Person[]>`select id, email, name, role, is_invited from public.list_people()`;
    },

    /** @returns `added`, `changed` or `unchanged`; `unknown` when no account has the address */
    async add(email: string, role: string, name: string): Promise<string> {
      const [row] = await sql<{ outcome: string }[]>`
        select public.add_person(${email}, ${role}, ${name}) as outcome`;
      return row?.outcome ?? "unknown";
    },

    async create(email: string, password: string): Promise<void> {
      await createUser(embeddedConfig.auth, sql, email, password);
    },

    async remove(id: string): Promise<void> {
      await sql`select public.remove_person(${id})`;
    },

    /** Turns off the two-step sign-in and ends all sessions of the account. @returns whether it was on */
    async removeSecondStep(id: string): Promise<boolean> {
      const [row] = await sql<{ was_on: boolean }[]>`
        select public.remove_second_step(${id}) as was_on`;
      return row?.was_on === true;
    },

    /** @returns the token of a setup link; null once an owner has signed in */
    setupToken: () => createSetupLink(embeddedConfig.auth, sql),

    /** Ends all sessions of the account. */
    async setPassword(id: string, password: string): Promise<void> {
      await storePassword(sql, id, await hashPassword(password), null);
    },
  };
}

async function openDatabase(dataDir: string, siteUrl: string) {
  const { databasePassword } = loadSecrets(dataDir, { create: false });
  try {
    const { sql, stop } = await startDatabase({
      config: embeddedConfig,
      dataDir,
      siteUrl,
      onStep: () => {},
    });
    return { sql, close: stop };
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error;
  }
  const sql = connect(await runningDatabase(dataDir, databasePassword), 1);
  return { sql, close: () => sql.end({ timeout: 1 }) };
}
