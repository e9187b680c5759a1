// Loaded on demand, because visitors do not need it.

import { type Role, roleInfo } from "../../supabase/functions/_shared/roles.ts";
import { browserStorage } from "../browser/site-data.ts";
import type { Client } from "../supabase/client-context.ts";
import { type Profile, profileKey, type ReadProfile } from "./stored-account.ts";

/** Reads the profile of the signed-in account and stores it for the next page. @throws the backend's error */
export async function readProfile(client: Client): Promise<Profile> {
  const { data } = await client.rpc("my_profile").throwOnError();
  const [row] = data;
  // A CHECK of the database allows only these roles. An unknown role would grant nothing here.
  const role = (row?.role ?? null) as Role | null;
  const tasks = (role && roleInfo[role]?.tasks) ?? [];
  const profile = { name: row?.name ?? null, role, tasks };
  const { session } = (await client.auth.getSession()).data;
  if (session) {
    const read: ReadProfile = { userId: session.user.id, profile };
    browserStorage.setItem(profileKey, JSON.stringify(read));
  }
  return profile;
}
