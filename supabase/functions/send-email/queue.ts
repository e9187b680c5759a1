// The queue of messages: the rows of contact_messages, each leased to one sender at a time.
// Covers: every query of the function to that table. Does not cover: sending (delivery.ts).
import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod/mini";
import { type ContactMessage, contactFields, mapContactFields } from "../_shared/contact-fields.ts";

export type ClaimedMessage = z.infer<typeof claimedSchema>;

export interface Outcome {
  status: "stored" | "failed";
  last_error: string;
  next_attempt_at?: string;
}

const emptyIfNull = z.pipe(
  z.nullable(z.string()),
  z.transform((value) => value ?? ""),
);
const claimedSchema = z.object({
  id: z.string(),
  /** Counts from 1 and identifies the lease: an outcome of an earlier attempt is ignored. */
  attempts: z.number(),
  ...mapContactFields(() => emptyIfNull),
});

/** The timeout of a query in milliseconds: a visitor may be waiting. */
const timeout = 6_000;
const uniqueViolation = "23505";
/** The database's message when the visitor agreed to a sentence that pages no longer show (private.look_up_wording). */
export const pageChanged = "The page has changed. Please reload it.";

export type Queue = ReturnType<typeof createQueue>;

/** @param client with the secret key */
export function createQueue(client: SupabaseClient) {
  const messages = () => client.from("contact_messages");
  const timeoutSignal = () => AbortSignal.timeout(timeout);
  const sent = () => ({ status: "sent", sent_at: new Date().toISOString() });

  return {
    /**
     * Succeeds for a message that is stored already.
     * @returns false when the page of the visitor has changed
     * @throws when the database fails
     */
    async store(id: string, message: ContactMessage): Promise<boolean> {
      const { error } = await messages()
        .insert({ id, ...columnsOf(message) })
        .abortSignal(timeoutSignal());
      if (error?.message === pageChanged) return false;
      if (error && error.code !== uniqueViolation) throw error;
      return true;
    },
    /** Leases at most `count` due messages for `leaseSeconds`. */
    async claim(
      count: number,
      leaseSeconds: number,
      maxAttempts: number,
    ): Promise<ClaimedMessage[]> {
      const { data } = await client
        .rpc("claim_contact_messages", {
          max_count: count,
          lease_seconds: leaseSeconds,
          max_attempts: maxAttempts,
        })
        .abortSignal(timeoutSignal())
        .throwOnError();
      return z.array(claimedSchema).parse(data);
    },
    async noteSent(id: string): Promise<void> {
      const noted = messages().update(sent()).eq("id", id);
      await noted.abortSignal(timeoutSignal()).throwOnError();
    },
    async noteFailure({ id, attempts }: ClaimedMessage, outcome: Outcome): Promise<void> {
      const noted = messages().update(outcome).match({ id, attempts, status: "stored" });
      await noted.abortSignal(timeoutSignal()).throwOnError();
    },
    /** Stores a message that was sent although storing it had failed, or seemed to. */
    async storeSent(id: string, message: ContactMessage): Promise<void> {
      const row = { id, ...columnsOf(message), attempts: 1, ...sent() };
      const stored = messages().upsert({ ...row, last_attempt_at: row.sent_at });
      await stored.abortSignal(timeoutSignal()).throwOnError();
    },
  };
}

/** The columns that the visitor filled in; an empty optional field is null. */
function columnsOf(message: ContactMessage) {
  return mapContactFields((name) =>
    contactFields[name].optional ? message[name] || null : message[name],
  );
}
