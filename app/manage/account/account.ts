import type { UserAttributes } from "@supabase/supabase-js";
import { z } from "zod";
import { roles } from "../../../supabase/functions/_shared/roles.ts";
import { type Result, tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";

const profileSchema = z.object({
  name: z.nullable(z.string()),
  role: z.nullable(z.enum(roles)),
  email: z.string(),
  /** An address that is not confirmed yet. */
  new_email: z.nullable(z.string()),
});

const sessionSchema = z.object({
  id: z.string(),
  last_used_at: z.string(),
  user_agent: z.nullable(z.string()),
  is_current: z.boolean(),
});
export type DeviceSession = z.output<typeof sessionSchema>;

export interface Account {
  profile: z.output<typeof profileSchema>;
  /** The session of this browser comes first. */
  sessions: DeviceSession[];
}

export async function loadAccount(): Promise<Result<Account>> {
  return tryLoading("the account", async () => {
    const client = await getBrowserClient();
    const [profile, sessions] = await Promise.all([
      client.rpc("my_profile").throwOnError(),
      client.rpc("list_my_sessions").throwOnError(),
    ]);
    return {
      profile: profileSchema.parse(profile.data[0]),
      sessions: z.array(sessionSchema).parse(sessions.data),
    };
  });
}

/** @throws the backend's error, or an Error for an account without a role */
export async function saveName(client: Client, name: string): Promise<void> {
  const { data, error } = await client.rpc("set_my_name", { name });
  if (error) throw error;
  if (!data) throw new Error("This account has no role on the site, so it has no name here.");
}

/**
 * Mails a link that confirms the address. A hosted project does not check the password; it mails a second link to the
 * current address, which must confirm, too.
 * @throws WrongPassword or the backend's error
 */
export async function requestEmailChange(
  client: Client,
  current_password: string,
  email: string,
): Promise<void> {
  await updateUser(client, { email, current_password });
}

/** Ends all other sessions, too. @throws WrongPassword or the backend's error */
export async function changePassword(
  client: Client,
  current_password: string,
  password: string,
): Promise<void> {
  await updateUser(client, { password, current_password });
}

async function updateUser(client: Client, attributes: UserAttributes): Promise<void> {
  const { error } = await client.auth.updateUser(attributes);
  if (error?.code?.startsWith("current_password")) throw new WrongPassword();
  if (error) throw error;
}

export class WrongPassword extends Error {
  override message = "This is not your current password.";
}

/** @throws the backend's error. A session that has already ended causes none. */
export async function endSession(client: Client, id: string): Promise<void> {
  const { error } = await client.rpc("end_my_session", { id });
  if (error) throw error;
}

/** @throws the backend's error */
export async function endOtherSessions(client: Client): Promise<void> {
  const { error } = await client.auth.signOut({ scope: "others" });
  if (error) throw error;
}
