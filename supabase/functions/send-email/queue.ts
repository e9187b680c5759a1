// The queue of all mails: the rows of public.mails, each leased to one sender at a time, and the messages that are stored.
// Covers: every query of the function to these tables. Does not cover: sending (delivery.ts).
import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod/mini";
import { isDuplicate, isPageChange } from "../_shared/api-errors.ts";
import { type ContactMessage, contactFields, mapContactFields } from "../_shared/contact-fields.ts";
import type { Mail } from "./mail-service.ts";

export type ClaimedMail = z.infer<typeof claimedSchema>;

/** A mail for the queue. The caller chooses the id, so that the same mail is queued once. */
export interface NewMail {
  id: string;
  kind: string;
  recipient: string;
  data: Record<string, unknown>;
  expires_at: string;
}

type ClaimLimits = Record<"max_count" | "lease_seconds" | "max_attempts", number>;

export interface Outcome {
  status: "waiting" | "failed";
  last_error: string;
  next_attempt_at?: string;
}

const claimedSchema = z.object({
  id: z.string(),
  kind: z.string(),
  /** The message or testimonial that the mail is about. */
  subject_id: z.nullable(z.string()),
  recipient: z.string(),
  data: z.record(z.string(), z.unknown()),
  created_at: z.string(),
  expires_at: z.nullable(z.string()),
  /** Counts from 1 and identifies the lease: an outcome of an earlier attempt is ignored. */
  attempts: z.number(),
});

/** For a visitor who agreed to a sentence that pages no longer show. */
export const pageChanged = "The page has changed. Please reload it.";

export type Queue = ReturnType<typeof createQueue>;

/** @param client with the secret key */
export function createQueue(client: SupabaseClient) {
  const mails = () => client.from("mails");
  const sent = () => ({ status: "sent", sent_at: new Date().toISOString(), data: {} });

  return {
    /**
     * Succeeds for a message that is stored already. The database queues its mail, but not that of spam.
     * @returns false when the page of the visitor has changed
     * @throws when the database fails
     */
    async store(id: string, message: ContactMessage, { isSpam = false } = {}): Promise<boolean> {
      const spam_at = isSpam ? new Date().toISOString() : null;
      const row = { id, ...columnsOf(message), spam_at };
      const { error } = await client.from("contact_messages").insert(row);
      if (isPageChange(error?.code)) return false;
      if (error && !isDuplicate(error.code)) throw error;
      return true;
    },
    async add(added: NewMail[]): Promise<void> {
      await mails().upsert(added, { ignoreDuplicates: true }).throwOnError();
    },
    /** Leases due mails. @param team who receives messages */
    async claim(limits: ClaimLimits, team: readonly string[]): Promise<ClaimedMail[]> {
      const claim = client.rpc("claim_mails", { ...limits, team: JSON.stringify(team) });
      return z.array(claimedSchema).parse((await claim.throwOnError()).data);
    },
    async noteSent({ id }: Pick<ClaimedMail, "id">): Promise<void> {
      await mails().update(sent()).eq("id", id).throwOnError();
    },
    async noteFailure({ id, attempts }: ClaimedMail, outcome: Outcome): Promise<void> {
      const noted = mails().update(outcome).match({ id, attempts, status: "waiting" });
      await noted.throwOnError();
    },
    /** Queues the confirmation of a message, unless its address got one within the last hour. */
    async confirm(messageId: string): Promise<void> {
      await client.rpc("queue_confirmation", { message_id: messageId }).throwOnError();
    },
    /** Adds the words of a mail to the archive, unless it has them. */
    async keepWords(
      name: string,
      { subject, text }: Pick<Mail, "subject" | "text">,
    ): Promise<void> {
      await client.rpc("keep_mail", { name, subject, words: text }).throwOnError();
    },
    /** Stores a message that was sent to some of its recipients although storing it had failed, or seemed to. */
    async storeSent(id: string, message: ContactMessage, to: readonly string[]): Promise<void> {
      const rows = to.map((recipient) => ({
        ...{ kind: "message", subject_id: id, for_team: true, recipient, attempts: 1, ...sent() },
      }));
      // Before the message, whose other recipients are then queued.
      const options = { onConflict: "kind,subject_id,recipient", ignoreDuplicates: true };
      await mails().upsert(rows, options).throwOnError();
      await this.store(id, message);
    },
  };
}

/** The columns that the visitor filled in; an empty optional field is null. */
function columnsOf(message: ContactMessage) {
  return mapContactFields((name) =>
    contactFields[name].optional ? message[name] || null : message[name],
  );
}
