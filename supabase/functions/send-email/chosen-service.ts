// Decides how mails are sent: as the environment says, else as an owner entered, else not at all. The only reader of the entered
// secret. Also what owners see of it, and how they replace it; the database checks who they are.
import type { Buffer } from "node:buffer";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod/mini";
import { isMissing } from "../_shared/api-errors.ts";
import { decryptWith, encryptWith } from "../_shared/encrypted-secret.ts";
import {
  enteredMailSchema,
  enteredServiceSchema,
  openService,
  storedServiceSchema,
} from "../_shared/mail-service.ts";
import type { Service } from "../_shared/smtp-options.ts";
import { withoutSession } from "../_shared/without-session.ts";

interface ChoiceOptions {
  /** What the environment sets. */
  fromEnvironment: Service | null;
  /** Whether outgoing mail is held, so that none is sent. */
  isHeld: boolean;
  /** The key of secrets in the database; null where its Vault has them. */
  secretsKey: Buffer | null;
  /** With the secret key. */
  client: SupabaseClient;
}

/** What an owner sees. */
export interface EnteredMailService {
  /** Of the owner. */
  email: string;
  stored: { service: z.infer<typeof enteredServiceSchema>; at: string; by: string } | null;
}

const enteredSchema: z.ZodMiniType<EnteredMailService> = z.object({
  email: z.string(),
  stored: z.nullable(z.object({ service: enteredServiceSchema, at: z.string(), by: z.string() })),
});
/** Null removes what is stored. */
const changeSchema = z.nullable(enteredMailSchema);

const queryTimeout = 6_000;

export type ServiceChoice = ReturnType<typeof createServiceChoice>;

export function createServiceChoice(options: ChoiceOptions) {
  const { fromEnvironment, isHeld, secretsKey, client } = options;
  let entered: { service: Service | null } | null = null;

  return {
    /** Null when mails are not sent. @throws while the database does not answer and was never asked */
    async choose(): Promise<Service | null> {
      if (isHeld) return null;
      return fromEnvironment ?? (await readEntered())?.service ?? null;
    },

    /** Whether a service is stored whose secret cannot be read, as after a restore on another machine. */
    async isUnreadable(): Promise<boolean> {
      return (await readEntered())?.service === null;
    },

    /** @returns null when the caller is not an owner */
    async readFor(caller: SupabaseClient): Promise<EnteredMailService | null> {
      const reading = caller.rpc("mail_service");
      const { data, error, status } = await reading.abortSignal(AbortSignal.timeout(queryTimeout));
      if ([401, 403, 404].includes(status)) return null;
      if (error) throw error;
      return enteredSchema.parse(data);
    },

    /** @returns the problem as a sentence, with its status; null when the change is stored */
    async change(caller: SupabaseClient, body: unknown) {
      const { data, error: invalid } = changeSchema.safeParse(body);
      if (invalid)
        return { status: 400, error: invalid.issues[0]?.message ?? "This is not valid." };
      const values = {
        service: data && JSON.stringify(data.service),
        secret: data?.secret
          ? secretsKey
            ? encryptWith(secretsKey, data.secret)
            : data.secret
          : null,
      };
      const { error } = await caller.rpc("store_mail_service", values);
      if (!error) return null;
      // The database says that the sign-in is not new.
      if (error.code === "42501") return { status: 403, error: error.message };
      throw error;
    },
  };

  /** Keeps what was read last, for the time when the database is down: a message may be waiting to be sent. */
  async function readEntered(): Promise<typeof entered> {
    const { data, error } = await client.rpc("read_mail_service");
    // The migrations are older than this function.
    if (isMissing(error?.code)) return null;
    if (error && !entered) throw error;
    if (error) return entered;
    const stored = z.nullable(storedServiceSchema).parse(data);
    // The embedded backend, which gives the key, is a machine of the firm, whose mail server may be beside it.
    const reach = secretsKey ? "anywhere" : "internet";
    const open = (secret: string) => (secretsKey ? decryptWith(secretsKey, secret) : secret);
    entered = stored && { service: openService(stored, open, reach) };
    return entered;
  }
}

/** A client with the session of the caller; null without one. */
export function asCaller(projectUrl: string, headers: Headers): SupabaseClient | null {
  const authorization = headers.get("authorization");
  const apikey = headers.get("apikey");
  if (!authorization || !apikey) return null;
  const options = { auth: withoutSession, global: { headers: { authorization } } };
  return createClient(projectUrl, apikey, options);
}
