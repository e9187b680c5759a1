// Sends a test mail for a signed-in owner and reports whether the mail service accepted it, and what DNS says of the sender.
// Covers: permission and rate limit, which the database checks with the caller's own session.
import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { z } from "zod/mini";
import { messageOf } from "../_shared/message-of.ts";
import type { SenderFinding } from "../_shared/sender-domain.ts";
import { waitMessage } from "../_shared/wait-message.ts";
import { withoutSession } from "../_shared/without-session.ts";
import type { Addressing } from "./addresses.ts";
import { composeMail } from "./delivery.ts";
import type { MailService } from "./mail-service.ts";

interface TestMailOptions {
  projectUrl: string;
  /** The mail service; null when none is configured. */
  mail: {
    service: MailService;
    readAddresses: () => Promise<Addressing>;
    checkSender: (addresses: Addressing) => Promise<SenderFinding[] | null>;
  } | null;
  mailHeld: boolean;
}

/** The response has status 200 whenever the caller may send test mails; its text reports the outcome. */
export interface TestMailResult {
  accepted: boolean;
  text: string;
  /** Null when DNS could not be asked; missing when no mail was sent. */
  sender?: readonly SenderFinding[] | null;
}

/** The timeout in milliseconds: an owner is waiting. */
const sendTimeout = 20_000;
const queryTimeout = 6_000;

/** @returns null when the caller is not an owner */
export async function sendTestMail(
  headers: Headers,
  { projectUrl, mail, mailHeld }: TestMailOptions,
): Promise<TestMailResult | null> {
  const seconds = await countTestMail(projectUrl, headers);
  if (seconds === null) return null;
  if (seconds > 0) {
    return failure(waitMessage("Too many test mails were sent", seconds));
  }
  if (mailHeld) return failure("Outgoing mail is held: this site was restored from a backup.");
  if (!mail) {
    return failure(
      "There is no mail service yet. The person who runs the server sets SMTP_URL or RESEND_API_KEY.",
    );
  }
  const addresses = await mail.readAddresses();
  const queued = { id: randomUUID(), kind: "test", created_at: new Date().toISOString(), data: {} };
  const letter = composeMail(queued, addresses);
  const sent = addresses.to.map(async (to) => {
    try {
      await mail.service.send({ ...letter, to }, AbortSignal.timeout(sendTimeout));
      return { accepted: true, text: `The mail service accepted the test mail to ${to}.` };
    } catch (error) {
      const reason = messageOf(error).slice(0, 300);
      return failure(`It did not accept the test mail to ${to}: ${reason}`);
    }
  });
  const sender = mail.checkSender(addresses);
  const results = await Promise.all(sent);
  return {
    sender: await sender,
    accepted: results.length > 0 && results.every(({ accepted }) => accepted),
    text: results.map(({ text }) => text).join("\n") || "Nobody receives the messages yet.",
  };
}

/** Calls the database with the owner's session. @returns the seconds to wait @throws when the database fails */
async function countTestMail(projectUrl: string, headers: Headers): Promise<number | null> {
  const authorization = headers.get("authorization");
  const apikey = headers.get("apikey");
  if (!authorization || !apikey) return null;
  const options = { auth: withoutSession, global: { headers: { authorization } } };
  const counting = createClient(projectUrl, apikey, options).rpc("count_test_mail");
  const { data, error, status } = await counting.abortSignal(AbortSignal.timeout(queryTimeout));
  if ([401, 403, 404].includes(status)) return null;
  if (error) throw error;
  return z.number().parse(data);
}

function failure(text: string): TestMailResult {
  return { accepted: false, text };
}
