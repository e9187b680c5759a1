// The accounts of a hosted project, with its secret key.
import { createClient } from "@supabase/supabase-js";
import type { Database } from "../app/supabase/database.ts";
import type { openAccounts, Person } from "../server/embedded/accounts.ts";
import { withoutSession } from "../supabase/functions/_shared/without-session.ts";

/** The operations on accounts, which are the same for the embedded backend and a hosted project. */
export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

export function openHostedAccounts(url: string, secretKey: string): Accounts {
  const client = createClient<Database>(url, secretKey, { auth: withoutSession });
  return {
    async list() {
      const { data, error } = await client.rpc("list_people");
      if (error) throw new AccountsError("The people could not be read", error);
      return data.map(({ id, email, name, role, is_invited }): Person => {
        if (!id || !email || !role) throw new Error("The list of people is not complete");
        return { id, email, name, role, is_invited: is_invited === true };
      });
    },

    async add(email, role, name) {
      const { data, error } = await client.rpc("add_person", { email, role, name });
      if (error) throw new AccountsError(`${email} could not be added`, error);
      return data;
    },

    async create(email, password) {
      const { error } = await client.auth.admin.createUser({
        email,
        password,
        email_confirm: true,
      });
      if (error) throw new AccountsError("The account could not be created", error);
    },

    async remove(id) {
      const { error } = await client.rpc("remove_person", { id });
      if (error) throw new AccountsError("The account could not be removed", error);
    },

    async setPassword(id, password) {
      // Otherwise Auth rejects the password of someone who has not used an invitation.
      const attributes = { password, email_confirm: true };
      const { error } = await client.auth.admin.updateUserById(id, attributes);
      if (error) throw new AccountsError("The password could not be set", error);
      const ended = await client.rpc("end_sessions", { id });
      if (ended.error) throw new AccountsError("The sessions could not be ended", ended.error);
    },

    async removeSecondStep(id) {
      const { data, error } = await client.rpc("remove_second_step", { id });
      if (error) throw new AccountsError("The two-step sign-in could not be turned off", error);
      return data;
    },

    /** A project has no setup link: its secret key creates accounts. */
    setupToken: async () => null,

    async close() {},
  };
}

/** An error that is printed without a stack. */
export class AccountsError extends Error {
  constructor(what: string, { message }: { message: string }) {
    super(`${what}: ${message}. Are the migrations applied, and is the key the secret one?`);
  }
}
