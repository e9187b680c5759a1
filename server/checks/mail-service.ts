// Checks whether the mail service can be reached and accepts the password.
import { createTransport } from "nodemailer";
import type { MailFacts } from "../../app/config/checks/facts.ts";
import type { Settings } from "../../app/config/settings.ts";

const timeout = 8_000;

/** @param online if false, the service is not contacted */
export async function checkMailService(
  { smtpUrl, resendApiKey }: Settings["mail"],
  isHeld: boolean,
  online: boolean,
): Promise<MailFacts> {
  const isConfigured = Boolean(smtpUrl || resendApiKey);
  if (!isConfigured || isHeld || !online) return { isConfigured, isHeld, problem: null };
  const ask = resendApiKey ? reachResend() : smtpUrl ? reachSmtp(smtpUrl) : Promise.resolve();
  const problem = await ask.then(() => null).catch(reasonOf);
  return { isConfigured, isHeld, problem };
}

async function reachSmtp(smtpUrl: string): Promise<void> {
  const url = new URL(smtpUrl);
  const secure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const transport = createTransport({
    host,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    // Like the function that sends: never sends a password unencrypted, except to this machine.
    requireTLS: url.username !== "" && !["127.0.0.1", "::1", "localhost"].includes(host),
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
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
