// Sends a test mail to a signed-in owner and reports what the mail service answered, and what DNS says of the sender.
// Covers: permission and rate limit, which the database checks with the caller's own session.
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod/mini";
import type { SenderFinding } from "../_shared/sender-domain.ts";
import { waitMessage } from "../_shared/wait-message.ts";
import type { Addressing } from "./addresses.ts";
import type { ServiceChoice } from "./chosen-service.ts";
import { composeMail } from "./delivery.ts";
import { explainMailProblem } from "./mail-problem.ts";
import type { MailService } from "./mail-service.ts";

interface TestMailOptions {
  choice: Pick<ServiceChoice, "readFor" | "isUnreadable">;
  /** Null when mails are not sent. */
  findMailing: () => Promise<{
    service: MailService;
    checkSender: (addresses: Addressing) => Promise<SenderFinding[] | null>;
  } | null>;
  readAddresses: () => Promise<Addressing>;
  mailHeld: boolean;
}

/** The response has status 200 whenever the caller may send test mails; its text reports the outcome. */
export interface TestMailResult {
  accepted: boolean;
  text: string;
  /** What the server said, for whoever helps. */
  answer?: string | null;
  /** Null when DNS could not be asked; missing when no mail was sent. */
  sender?: readonly SenderFinding[] | null;
}

/** The timeout in milliseconds: an owner is waiting. */
const sendTimeout = 20_000;
const queryTimeout = 6_000;

/** @returns null when the caller is not an owner */
export async function sendTestMail(
  caller: SupabaseClient,
  { choice, findMailing, readAddresses, mailHeld }: TestMailOptions,
): Promise<TestMailResult | null> {
  const seconds = await countTestMail(caller);
  if (seconds === null) return null;
  if (seconds > 0) return failure(waitMessage("Too many test mails were sent", seconds));
  if (mailHeld) return failure("Outgoing mail is held: this site was restored from a backup.");
  const mailing = await findMailing();
  if (!mailing) {
    return failure(
      (await choice.isUnreadable())
        ? "The stored password cannot be read on this machine. Enter it again."
        : "Emails are not set up yet.",
    );
  }
  const [addresses, owner] = await Promise.all([readAddresses(), choice.readFor(caller)]);
  if (!owner) return null;
  if (!addresses.from) return failure("The site has no sender yet. Enter one under Sender.");
  const queued = { id: randomUUID(), kind: "test", created_at: new Date().toISOString(), data: {} };
  const mail = { ...composeMail(queued, addresses), to: owner.email };
  const [result, sender] = await Promise.all([
    mailing.service.send(mail, AbortSignal.timeout(sendTimeout)).then(
      () => ({
        accepted: true,
        text: `The mail service accepted the test mail to ${owner.email}. If it does not arrive in a few minutes, look in the spam folder.`,
      }),
      (error) => ({ accepted: false, ...explainMailProblem(error) }),
    ),
    mailing.checkSender(addresses),
  ]);
  return { ...result, sender };
}

/** Calls the database with the owner's session. @returns the seconds to wait @throws when the database fails */
async function countTestMail(caller: SupabaseClient): Promise<number | null> {
  const counting = caller.rpc("count_test_mail");
  const { data, error, status } = await counting.abortSignal(AbortSignal.timeout(queryTimeout));
  if ([401, 403, 404].includes(status)) return null;
  if (error) throw error;
  return z.number().parse(data);
}

function failure(text: string): TestMailResult {
  return { accepted: false, text };
}
