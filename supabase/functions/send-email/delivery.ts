// Works through the queue: claims due messages, sends them and stores the outcome.
// Covers: a limited number of mails at a time, retries with growing waits, one run per process at a
// time. Leases divide the work between processes. A mail is sent at least once: when the confirmation
// of the mail server is lost, the mail is sent again with the same Message-ID.
import type { ContactMessage } from "../_shared/contact-fields.ts";
import type { Addressing } from "./addresses.ts";
import { logError } from "./log.ts";
import { composeConfirmation, composeMail } from "./mail.ts";
import type { MailService } from "./mail-service.ts";
import type { ClaimedMessage, Outcome, Queue } from "./queue.ts";

export interface DeliveryOptions {
  queue: Queue;
  service: MailService;
  readAddresses: () => Promise<Addressing>;
  /** Seconds to wait after each failed attempt; there is one attempt more than waits. */
  pauses: readonly number[];
  /** Whether the visitor gets a confirmation. */
  confirms?: boolean;
  /** Milliseconds before each try to store that a mail was sent. */
  notePauses?: readonly number[];
}

const sendTimeout = 90_000;
const sendTimeoutWhileVisitorWaits = 15_000;
/** The lease must last longer than sending and storing the outcome, so that no other process claims the message. */
const leaseSeconds = 180;
/** The time limit of a run: a hosted function has 150 seconds in all. The next call sends what remains. */
const runTimeout = 50_000;

export function createDelivery(options: DeliveryOptions) {
  const { queue, service, readAddresses, pauses, confirms = false } = options;
  const { notePauses = [0, 500, 2_000, 5_000, 10_000] } = options;
  let running: Promise<void> | null = null;
  let requestedAgain = false;

  return {
    /** Sends what is due. Never rejects; a mail that was not sent, or not noted, stays in the queue. */
    deliverDue(): Promise<void> {
      requestedAgain = true;
      running ??= run();
      return running;
    },
    /**
     * Sends a message that could not be stored, while the visitor waits. Rejects when that fails. Without the consent to
     * calls: only the database knows whether the site showed its sentence.
     */
    async sendUnstored(id: string, message: ContactMessage): Promise<void> {
      const signal = AbortSignal.timeout(sendTimeoutWhileVisitorWaits);
      const mail = composeMail(id, { ...message, call_consent: "" }, await readAddresses());
      await service.send(mail, signal);
      await note(id, () => queue.storeSent(id, message), [0]);
    },
  };

  async function run(): Promise<void> {
    const end = performance.now() + runTimeout;
    try {
      while (requestedAgain && performance.now() < end) {
        requestedAgain = false;
        // A batch of which none was sent ends the run: the mail service is down.
        while (performance.now() < end && (await deliverBatch()) > 0);
      }
    } catch (error) {
      logError("the queue cannot be read", error);
    } finally {
      // Runs in the same tick as the last check of requestedAgain, so that no request is missed.
      running = null;
    }
  }

  /** @returns how many mails were sent */
  async function deliverBatch(): Promise<number> {
    const addresses = await readAddresses();
    const claimed = await queue.claim(service.concurrency, leaseSeconds, pauses.length + 1);
    const results = await Promise.all(claimed.map((message) => deliver(message, addresses)));
    return results.filter(Boolean).length;
  }

  async function deliver(claimed: ClaimedMessage, addresses: Addressing): Promise<boolean> {
    const { id, attempts } = claimed;
    try {
      const mail = composeMail(id, claimed, addresses);
      await service.send(mail, AbortSignal.timeout(sendTimeout));
    } catch (error) {
      const last = attempts > pauses.length ? ", given up" : "";
      logError(`${id} not sent, attempt ${attempts}${last}`, error);
      await note(id, () => queue.noteFailure(claimed, outcomeOf(attempts, error)), [0]);
      return false;
    }
    await note(id, () => queue.noteSent(id), notePauses);
    if (confirms) await confirm(claimed, addresses);
    return true;
  }

  /** The confirmation is tried once, because the message itself has arrived. */
  async function confirm({ id, email }: ClaimedMessage, addresses: Addressing): Promise<void> {
    try {
      const mail = composeConfirmation(id, email, addresses);
      await service.send(mail, AbortSignal.timeout(sendTimeout));
    } catch (error) {
      logError(`${id} not confirmed to the visitor`, error);
    }
  }

  function outcomeOf(attempts: number, error: unknown): Outcome {
    const last_error = (error instanceof Error ? error.message : String(error)).slice(0, 1000);
    const pause = pauses[attempts - 1];
    if (pause === undefined) return { status: "failed", last_error };
    const next_attempt_at = new Date(Date.now() + pause * 1000).toISOString();
    return { status: "stored", last_error, next_attempt_at };
  }

  /** Stores an outcome. One that could not be stored is sent again when its lease expires. */
  async function note(
    id: string,
    write: () => Promise<void>,
    waits: readonly number[],
  ): Promise<void> {
    for (const [index, wait] of waits.entries()) {
      try {
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
        return await write();
      } catch (error) {
        if (index < waits.length - 1) continue;
        logError(`${id}: outcome not noted`, error);
      }
    }
  }
}
