// Works through the queue: claims due mails of every kind, sends them and stores the outcome.
// Covers: a limited number of mails at a time, retries with growing waits, one run per process at a
// time. Leases divide the work between processes. A mail is sent at least once: when the confirmation
// of the mail server is lost, the mail is sent again with the same Message-ID.
import type { ContactMessage } from "../_shared/contact-fields.ts";
import type { Addressing } from "./addresses.ts";
import { renderLetter } from "./layout.ts";
import { composeLetter, type QueuedMail } from "./letters.ts";
import { logError } from "./log.ts";
import { describeMailProblem } from "./mail-problem.ts";
import type { Mail, MailService } from "./mail-service.ts";
import type { ClaimedMail, Outcome, Queue } from "./queue.ts";

interface DeliveryOptions {
  queue: Queue;
  service: MailService;
  readAddresses: () => Promise<Addressing>;
  /** The wait after each failed attempt; there is one attempt more than waits. */
  retrySeconds: readonly number[];
  /** Whether the visitor gets a confirmation. */
  confirms?: boolean;
  /** The wait before each try to store that a mail was sent. */
  noteSeconds?: number[];
}

const sendTimeout = 90_000;
const sendTimeoutWhileVisitorWaits = 15_000;
/** What visitors get. It names nobody, so the archive keeps its words. */
const visitorMails: readonly string[] = ["confirmation", "testimonial_answer"];
/** The lease must last longer than sending and storing the outcome, so that no other process claims the message. */
const leaseSeconds = 180;
/** The shortest pause before a mail that expires, in seconds. */
const shortestPause = 60;
/** The time limit of a run: a hosted function has 150 seconds in all. The next call sends what remains. */
const runTimeout = 50_000;

export function createDelivery(options: DeliveryOptions) {
  const { queue, service, readAddresses, retrySeconds, confirms = false } = options;
  const { noteSeconds = [0, 0.5, 2, 5, 10] } = options;
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
     * Sends a message that could not be stored, while the visitor waits. Rejects when nobody got it. Without the consent to
     * calls: only the database knows whether the site showed its sentence.
     */
    async sendUnstored(id: string, message: ContactMessage): Promise<void> {
      const signal = AbortSignal.timeout(sendTimeoutWhileVisitorWaits);
      const addresses = await readAddresses();
      const data = { ...message, call_consent: "" };
      const created_at = new Date().toISOString();
      const mail = composeMail({ id, kind: "message", created_at, data }, addresses);
      const results = await Promise.allSettled(
        addresses.to.map((to) => service.send({ ...mail, to }, signal)),
      );
      const reached = addresses.to.filter((_, index) => results[index]?.status === "fulfilled");
      const failed = results.find((result) => result.status === "rejected");
      if (reached.length === 0) throw failed?.reason ?? new Error("Nobody receives the messages");
      await note(id, () => queue.storeSent(id, message, reached));
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
    if (!addresses.from) throw new Error("There is no address to send mails from");
    const limits = { max_count: service.concurrency, max_attempts: retrySeconds.length + 1 };
    const claimed = await queue.claim({ ...limits, lease_seconds: leaseSeconds }, addresses.to);
    const results = await Promise.all(claimed.map((mail) => deliver(mail, addresses)));
    return results.filter(Boolean).length;
  }

  async function deliver(claimed: ClaimedMail, addresses: Addressing): Promise<boolean> {
    const { id, kind, subject_id, attempts, expires_at, data } = claimed;
    let mail: Omit<Mail, "to">;
    try {
      // Copies of a message have the same id, by which a mailbox with both addresses shows one.
      const messageId = kind === "message" ? subject_id : null;
      mail = composeMail({ ...claimed, id: messageId ?? id }, addresses);
      await service.send({ ...mail, to: claimed.recipient }, AbortSignal.timeout(sendTimeout));
    } catch (error) {
      const last = attempts > retrySeconds.length && !expires_at ? ", given up" : "";
      logError(`${kind} ${id} not sent, attempt ${attempts}${last}`, error);
      await note(id, () => queue.noteFailure(claimed, outcomeOf(claimed, error)));
      return false;
    }
    await note(id, () => queue.noteSent(claimed), noteSeconds);
    if (visitorMails.includes(kind)) {
      const name = [kind, data.decision].filter(Boolean).join("/");
      await note(id, () => queue.keepWords(name, mail));
    }
    if (confirms && addresses.hasSender && kind === "message" && subject_id) {
      await note(id, () => queue.confirm(subject_id));
    }
    return true;
  }

  function outcomeOf({ attempts, expires_at }: ClaimedMail, error: unknown): Outcome {
    const last_error = describeMailProblem(error).slice(0, 1000);
    const pause = retrySeconds[attempts - 1] ?? Number.POSITIVE_INFINITY;
    // A mail that expires is tried until then, the more often, the less time is left.
    const left = expires_at ? (Date.parse(expires_at) - Date.now()) / 4000 : pause;
    const wait = Math.min(pause, Math.max(left, shortestPause));
    if (!Number.isFinite(wait)) return { status: "failed", last_error };
    const next_attempt_at = new Date(Date.now() + wait * 1000).toISOString();
    return { status: "waiting", last_error, next_attempt_at };
  }

  /** Stores an outcome. One that could not be stored is sent again when its lease expires. */
  async function note(id: string, write: () => Promise<void>, seconds = [0]): Promise<void> {
    for (const [index, wait] of seconds.entries()) {
      try {
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait * 1000));
        return await write();
      } catch (error) {
        if (index < seconds.length - 1) continue;
        logError(`${id}: outcome not noted`, error);
      }
    }
  }
}

/** A mail without a recipient. */
export function composeMail(
  queued: QueuedMail & { id: string },
  { from, publicAddress, brand }: Addressing,
): Omit<Mail, "to"> {
  const letter = composeLetter(queued, brand);
  const publicReply = publicAddress ? { name: brand.name, address: publicAddress } : undefined;
  return {
    ...{ id: queued.id, kind: queued.kind, date: new Date(queued.created_at) },
    ...{ from: { name: brand.name, address: from }, replyTo: letter.replyTo ?? publicReply },
    ...{ subject: letter.subject, automatic: letter.automatic },
    ...renderLetter(letter, brand),
  };
}
