// Checks whether the mail service can be reached and accepts the password, and whether the sender's domain allows it.
import { createTransport } from "nodemailer";
import type { MailFacts } from "../../app/config/checks/facts.ts";
import type { ServerSettings } from "../../app/config/server-settings.ts";
import { checkSender, type Sender } from "../../supabase/functions/_shared/sender-domain.ts";
import {
  type Service,
  smtpOptions,
  socketOpener,
} from "../../supabase/functions/_shared/smtp-options.ts";

const timeout = 8_000;

/** The mail service that an owner entered. */
export interface EnteredMail {
  /** Null when its secret cannot be read, as after a restore on another machine. */
  service: Service | null;
}

/** @param online if false, neither the service nor DNS is asked */
export async function checkMailService(
  { smtpUrl, resendApiKey, dkimSelector }: ServerSettings["mail"],
  entered: EnteredMail | null,
  { isHeld, from, site }: { isHeld: boolean } & Pick<Sender, "from" | "site">,
  online: boolean,
): Promise<MailFacts> {
  const set = resendApiKey ? { resendApiKey } : smtpUrl && { smtpUrl: new URL(smtpUrl) };
  const service = set || entered?.service;
  const facts = {
    ...{ isConfigured: Boolean(service), isEntered: !set, isHeld, takesAccountMails: true },
    isUnreadable: !set && entered !== null && entered.service === null,
  };
  if (!service || isHeld || !online) return { ...facts, problem: null, sender: null };
  const reached = "resendApiKey" in service ? reachResend() : reachSmtp(service);
  const [problem, sender] = await Promise.all([
    reached.then(() => null, reasonOf),
    checkSender({ from, service, dkimSelector, site }),
  ]);
  return { ...facts, problem, sender };
}

async function reachSmtp({ smtpUrl, reach }: Extract<Service, { smtpUrl: URL }>): Promise<void> {
  const transport = createTransport({
    ...smtpOptions(smtpUrl),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    getSocket: socketOpener(smtpUrl, reach, timeout),
  });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** Accepts any response, because a key that may only send cannot read anything. */
async function reachResend(): Promise<void> {
  const response = await fetch("https://api.resend.com", { signal: AbortSignal.timeout(timeout) });
  await response.body?.cancel();
}

/** Reports codes only: a message of the server could quote the password. */
function reasonOf(error: unknown): string {
  const { code, responseCode } = Object(error);
  return [code, responseCode].filter(Boolean).join(" ") || "no response";
}
