// Sends the mails that announce new testimonials (private.testimonial_notices).
// Covers: leases and growing waits, which the database keeps. A mail is sent at least once.
// Does not cover: contact messages (delivery.ts).
import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod/mini";
import type { Addressing } from "./addresses.ts";
import { logError } from "./log.ts";
import { composeNotice } from "./mail.ts";
import type { MailService } from "./mail-service.ts";

export interface NoticeOptions {
  /** A client with the secret key. */
  client: SupabaseClient;
  service: MailService;
  readAddresses: () => Promise<Addressing>;
}

const optional = z.nullable(z.string());
const claimedSchema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    role: optional,
    content: z.string(),
    rating: z.number(),
    relationship: optional,
    compensation: optional,
    compensation_details: optional,
    connection: optional,
    waiting: z.boolean(),
    attempts: z.number(),
  }),
);

const maxAttempts = 8;
const batchSize = 10;
const queryTimeout = 6_000;
/** With this timeout, a batch of ten mails ends before its leases of four minutes. */
const sendTimeout = 20_000;

/** Sends the due mails. Never rejects; a mail that was not sent stays in the queue. */
export async function deliverNotices(options: NoticeOptions): Promise<void> {
  const { client, service, readAddresses } = options;
  try {
    const { data } = await client
      .rpc("claim_testimonial_notices", { max_count: batchSize, max_attempts: maxAttempts })
      .abortSignal(AbortSignal.timeout(queryTimeout))
      .throwOnError();
    const claimed = claimedSchema.parse(data);
    if (claimed.length === 0) return;
    const addresses = await readAddresses();
    for (const { attempts, ...testimonial } of claimed) {
      try {
        const mail = composeNotice(testimonial, addresses);
        await service.send(mail, AbortSignal.timeout(sendTimeout));
        await client
          .rpc("finish_testimonial_notice", { id: testimonial.id })
          .abortSignal(AbortSignal.timeout(queryTimeout))
          .throwOnError();
      } catch (error) {
        const last = attempts >= maxAttempts ? ", given up" : "";
        logError(`notice of ${testimonial.id} not sent, attempt ${attempts}${last}`, error);
      }
    }
  } catch (error) {
    logError("the notices cannot be read", error);
  }
}
