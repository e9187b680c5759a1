// Who carries mail: SMTP, Resend's HTTP interface, or nobody.
import type { MailService } from "./mail.ts";
import { createResend } from "./resend.ts";
import { createSmtp } from "./smtp.ts";

export interface MailSettings {
  smtpUrl?: string;
  resendApiKey?: string;
}

/** Resend wins over SMTP: it is set where SMTP is blocked. @returns null when neither is set. */
export function createMailService({ smtpUrl, resendApiKey }: MailSettings): MailService | null {
  if (resendApiKey) return createResend(resendApiKey);
  if (smtpUrl) return createSmtp(new URL(smtpUrl));
  return null;
}
