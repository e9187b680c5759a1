// Who carries mail: SMTP or Resend's HTTP interface.
import type { MailService } from "./mail.ts";
import { createResend } from "./resend.ts";
import type { MailDeliverySettings } from "./settings.ts";
import { createSmtp } from "./smtp.ts";

export function createMailService(service: MailDeliverySettings["service"]): MailService {
  return "smtpUrl" in service ? createSmtp(service.smtpUrl) : createResend(service.resendApiKey);
}
