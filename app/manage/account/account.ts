import { z } from "zod";
import { roles } from "../../../supabase/functions/_shared/roles.ts";
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
  /** The ids of the account's authenticator apps. */
  apps: string[];
  /** How many recovery codes still work. */
  codes: number;
}

export async function readAccount(client: Client): Promise<Account> {
  const [profile, sessions, factors, codes] = await Promise.all([
    client.rpc("my_profile").throwOnError(),
    client.rpc("list_my_sessions").throwOnError(),
    client.auth.mfa.listFactors(),
    countRecoveryCodes(client),
  ]);
  if (factors.error) throw factors.error;
  return {
    profile: profileSchema.parse(profile.data[0]),
    sessions: z.array(sessionSchema).parse(sessions.data),
    apps: factors.data.totp.map(({ id }) => id),
    codes,
  };
}

/** An app that is not confirmed yet. */
export interface NewApp {
  id: string;
  /** A data URL. */
  image: string;
  /** For apps that cannot scan the image. */
  secret: string;
}

/** Begins to turn on the two-step sign-in. @throws the backend's error */
export async function enrollApp({ auth }: Client, issuer: string): Promise<NewApp> {
  const { data, error } = await auth.mfa.listFactors();
  if (error) throw error;
  // Of an earlier attempt, whose name would collide.
  for (const { id, status } of data.all) {
    if (status === "unverified") await auth.mfa.unenroll({ factorId: id });
  }
  const enrolled = await auth.mfa.enroll({
    factorType: "totp",
    friendlyName: "Authenticator app",
    issuer,
  });
  if (enrolled.error) throw enrolled.error;
  const { qr_code, secret } = enrolled.data.totp;
  return { id: enrolled.data.id, image: qr_code, secret };
}

/** Turns off the two-step sign-in. @throws the backend's error */
export async function removeApps({ auth }: Client, ids: string[]): Promise<void> {
  for (const factorId of ids) {
    const { error } = await auth.mfa.unenroll({ factorId });
    if (error) throw error;
  }
  // The token still has the level of the app.
  await auth.refreshSession();
}

export async function countRecoveryCodes(client: Client): Promise<number> {
  return (await client.rpc("count_recovery_codes").throwOnError()).data;
}

/** @param client with a session that has just begun. @throws the backend's error */
export async function createRecoveryCodes(client: Client): Promise<string[]> {
  return (await client.rpc("create_recovery_codes").throwOnError()).data;
}

const codeUseSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.nullable(z.string()),
  /** What the code replaced. */
  replaced: z.enum(["password", "app"]),
  used_at: z.string(),
});
export type CodeUse = z.output<typeof codeUseSchema>;

/** Uses of recovery codes by any account, the newest first, which this owner has not dismissed. */
export async function readCodeUses(client: Client): Promise<CodeUse[]> {
  return z.array(codeUseSchema).parse((await client.rpc("list_code_uses").throwOnError()).data);
}

/** @param latest the time of the newest use that was shown */
export async function dismissCodeUses(client: Client, latest: string): Promise<void> {
  await client.rpc("dismiss_code_uses", { latest }).throwOnError();
}

export class WrongPassword extends Error {
  override message = "This is not your current password.";
}

const linkSchema = z.object({ email_change_link: z.url() });

/**
 * Changes the address or the password. A new address is mailed a link that confirms it; a hosted project does not check
 * the password, and mails a second link to the current address. A new password ends all other sessions.
 * @returns the link that confirms a new address, as a path, where no mail can be sent and an owner asks
 * @throws WrongPassword or the backend's error
 */
export async function changeCredential(
  client: Client,
  attributes: { current_password: string } & ({ email: string } | { password: string }),
): Promise<string | null> {
  const { data, error } = await client.auth.updateUser(attributes);
  if (error?.code?.startsWith("current_password")) throw new WrongPassword();
  if (error) throw error;
  const link = linkSchema.safeParse(data.user).data?.email_change_link;
  return link ? link.slice(new URL(link).origin.length) : null;
}
