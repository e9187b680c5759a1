// Works the queue off: claims due messages, sends them, notes how it went.
// Covers: a bounded number at a time, retries with growing pauses, one run per process however often
// it is asked. Two processes share the work by their claims. A mail is sent at least once: when a
// server takes it and the word of that is lost, it goes again with the same Message-ID.
import { composeConfirmation } from "./confirmation.ts";
import { reasonOf } from "./log.ts";
import { composeMail, type MailService } from "./mail.ts";
import type { Message } from "./message.ts";
import type { ClaimedMessage, Queue } from "./queue.ts";

export interface DeliveryOptions {
  queue: Queue;
  service: MailService;
  from: string;
  to: string;
  /** Seconds after each failed attempt; one more attempt than pauses. */
  pauses: readonly number[];
  /** Whether the visitor is told that a message has arrived. */
  confirms?: boolean;
  /** Milliseconds between tries to note that a mail was sent. */
  notePauses?: readonly number[];
}

export interface Delivery {
  /** Sends what is due. Never rejects; what could not be sent or noted stays in the queue. */
  deliverDue(): Promise<void>;
  /** Sends a message that could not be stored, while the visitor waits. Rejects when that fails. */
  sendUnstored(id: string, message: Message): Promise<void>;
}

const longestSending = 90_000;
const longestSendingWhileWaiting = 15_000;
/** Beyond the longest sending and the noting: nobody takes a message that is still being sent. */
const leaseSeconds = 180;
/** A hosted function has 150 seconds in all. What remains is for the next call. */
const longestRun = 50_000;

export function createDelivery(options: DeliveryOptions): Delivery {
  const { queue, service, from, to, pauses, confirms = false } = options;
  const { notePauses = [0, 500, 2_000, 5_000, 10_000] } = options;
  let running: Promise<void> | null = null;
  let askedAgain = false;

  return {
    deliverDue() {
      askedAgain = true;
      running ??= run();
      return running;
    },
    async sendUnstored(id, message) {
      const signal = AbortSignal.timeout(longestSendingWhileWaiting);
      await service.send(composeMail(id, message, from, to), signal);
      await note(id, () => queue.keepSent(id, message), [0]);
    },
  };

  async function run(): Promise<void> {
    const end = performance.now() + longestRun;
    try {
      while (askedAgain && performance.now() < end) {
        askedAgain = false;
        // When not one of them got through, the others would not either: they wait for the next call.
        while (performance.now() < end && (await deliverSome()) > 0);
      }
    } catch (error) {
      console.error("send-email: the queue cannot be read:", reasonOf(error));
    } finally {
      // Before anything else runs: whoever asks from now on starts a run of his own.
      running = null;
    }
  }

  /** @returns how many were sent. */
  async function deliverSome(): Promise<number> {
    const claimed = await queue.claim(service.concurrency, leaseSeconds, pauses.length + 1);
    const results = await Promise.all(claimed.map(deliver));
    return results.filter(Boolean).length;
  }

  async function deliver(claimed: ClaimedMessage): Promise<boolean> {
    const { id, attempts } = claimed;
    try {
      const mail = composeMail(id, claimed, from, to);
      await service.send(mail, AbortSignal.timeout(longestSending));
    } catch (error) {
      const last = attempts > pauses.length ? ", given up" : "";
      console.error(`send-email: ${id} not sent, attempt ${attempts}${last}:`, reasonOf(error));
      await note(id, () => queue.noteFailure(claimed, outcomeOf(attempts, error)), [0]);
      return false;
    }
    await note(id, () => queue.noteSent(id), notePauses);
    if (confirms) await confirm(claimed);
    return true;
  }

  /** A courtesy: tried once. */
  async function confirm({ id, email }: ClaimedMessage): Promise<void> {
    try {
      const mail = composeConfirmation(id, email, from, to);
      await service.send(mail, AbortSignal.timeout(longestSending));
    } catch (error) {
      console.error(`send-email: ${id} not confirmed to the visitor:`, reasonOf(error));
    }
  }

  function outcomeOf(attempts: number, error: unknown) {
    const last_error = String((error as { message?: unknown } | null)?.message ?? error);
    const pause = pauses[attempts - 1];
    return {
      last_error: last_error.slice(0, 1000),
      ...(pause === undefined
        ? { status: "failed" as const }
        : {
            status: "stored" as const,
            next_attempt_at: new Date(Date.now() + pause * 1000).toISOString(),
          }),
    };
  }

  /** What is not noted is tried again when the claim ends, so it is worth some patience. */
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
        console.error(`send-email: ${id}: outcome not noted:`, reasonOf(error));
      }
    }
  }
}
