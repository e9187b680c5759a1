// The messages in the database: stored once, handed to one sender at a time.
// Covers: what the function asks of contact_messages. Does not cover: sending (delivery.ts).
import type { SupabaseClient } from "@supabase/supabase-js";
import type { Message } from "./message.ts";

export interface ClaimedMessage extends Message {
  id: string;
  /** Counts from 1; names the claim, too: who held an earlier one has no say any more. */
  attempts: number;
}

export interface Outcome {
  status: "stored" | "failed";
  last_error: string;
  next_attempt_at?: string;
}

export interface Queue {
  /** Rejects when the database does not take it. A message that is there already is taken. */
  store(id: string, message: Message): Promise<void>;
  /** Due messages, at most `count`, that nobody else gets for `leaseSeconds`. */
  claim(count: number, leaseSeconds: number, maxAttempts: number): Promise<ClaimedMessage[]>;
  noteSent(id: string): Promise<void>;
  noteFailure(claimed: ClaimedMessage, outcome: Outcome): Promise<void>;
  /** Keeps a message that was sent without having been stored, or so it seemed. */
  keepSent(id: string, message: Message): Promise<void>;
}

/** Milliseconds for one question to the database: a visitor may be waiting. */
const patience = 6_000;
const uniqueViolation = "23505";

/** @param client with the secret key. */
export function createQueue(client: SupabaseClient): Queue {
  const messages = () => client.from("contact_messages");
  const soon = () => AbortSignal.timeout(patience);
  const sent = () => ({ status: "sent", sent_at: new Date().toISOString() });

  return {
    async store(id, { name, email, phone, message }) {
      const row = { id, name, email, phone, message };
      const { error } = await messages().insert(row).abortSignal(soon());
      if (error && error.code !== uniqueViolation) throw error;
    },
    async claim(count, leaseSeconds, maxAttempts) {
      const { data, error } = await client
        .rpc("claim_contact_messages", {
          max_count: count,
          lease_seconds: leaseSeconds,
          max_attempts: maxAttempts,
        })
        .abortSignal(soon());
      if (error) throw error;
      return data;
    },
    async noteSent(id) {
      const { error } = await messages().update(sent()).eq("id", id).abortSignal(soon());
      if (error) throw error;
    },
    async noteFailure({ id, attempts }, outcome) {
      const { error } = await messages()
        .update(outcome)
        .match({ id, attempts, status: "stored" })
        .abortSignal(soon());
      if (error) throw error;
    },
    async keepSent(id, { name, email, phone, message }) {
      const row = { id, name, email, phone, message, attempts: 1, ...sent() };
      const { error } = await messages()
        .upsert({ ...row, last_attempt_at: row.sent_at })
        .abortSignal(soon());
      if (error) throw error;
    },
  };
}
