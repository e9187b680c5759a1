// Sends the mails that announce new testimonials (private.testimonial_notices).
// Covers: leases and growing waits, which the database keeps. A mail is sent at least once.
// Does not cover: contact messages (delivery.ts).
import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod/mini";
import { logError } from "./log.ts";
import { composeNotice } from "./mail.ts";
import type { MailService } from "./mail-service.ts";
import { chooseAddresses } from "./recipients.ts";

export interface NoticeOptions {
  /** With the secret key. */
  client: SupabaseClient;
  service: MailService;
  /** Used when the settings of the site name no other addresses. */
  from: string;
  to: string;
}

const claimedSchema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    role: z.nullable(z.string()),
    content: z.string(),
    rating: z.number(),
    waiting: z.boolean(),
    attempts: z.number(),
    recipients: z.array(z.string()),
    sender: z.string(),
  }),
);

const maxAttempts = 8;
const batchSize = 10;
const queryTimeout = 6_000;
/** A batch of ten ends before its leases of four minutes do. */
const sendTimeout = 20_000;

/** Sends what is due. Never rejects; a mail that was not sent stays in the queue. */
export async function deliverNotices(options: NoticeOptions): Promise<void> {
  const { client, service } = options;
  try {
    const { data, error } = await client
      .rpc("claim_testimonial_notices", { max_count: batchSize, max_attempts: maxAttempts })
      .abortSignal(AbortSignal.timeout(queryTimeout));
    if (error) throw error;
    for (const { attempts, recipients, sender, ...testimonial } of claimedSchema.parse(data)) {
      const { from, to } = chooseAddresses({ recipients, sender }, options);
      try {
        const mail = composeNotice(testimonial, from, to);
        await service.send(mail, AbortSignal.timeout(sendTimeout));
        await finish(client, testimonial.id);
      } catch (error) {
        const last = attempts >= maxAttempts ? ", given up" : "";
        logError(`notice of ${testimonial.id} not sent, attempt ${attempts}${last}`, error);
      }
    }
  } catch (error) {
    logError("the notices cannot be read", error);
  }
}

async function finish(client: SupabaseClient, id: string): Promise<void> {
  const { error } = await client
    .rpc("finish_testimonial_notice", { id })
    .abortSignal(AbortSignal.timeout(queryTimeout));
  if (error) throw error;
}
