// The e-mail that carries a link for a new password.
// Covers: sending by SMTP or Resend, printing without either; nothing is sent while mail is held. Does not cover: codes
// to type.
import {
  ConsoleEmailDriver,
  type EmailDriver,
  ResendEmailDriver,
  SmtpEmailDriver,
} from "@supabase/lite";

/** How e-mails about the account are sent; printed when neither service is named. */
export interface MailOptions {
  smtpUrl: string | undefined;
  resendApiKey: string | undefined;
  from: string;
  /** Nothing is sent, although there is a service. */
  held?: boolean;
}

export type SendRecoveryLink = (to: string, link: URL) => Promise<void>;

export function createAccountMail(mail: MailOptions | undefined): SendRecoveryLink {
  const service = createService(mail);
  return (to, link) =>
    service.send({
      to,
      subject: "Reset Your Password",
      text: `Please follow this link. It works once and for one hour:

${link}

If you did not ask for this, ignore this message: nothing changes.
`,
    });
}

function createService(mail: MailOptions | undefined): EmailDriver {
  if (mail?.held) {
    return {
      send: async () => console.warn("A mail about an account was not sent: outgoing mail is held"),
    };
  }
  if (mail?.resendApiKey)
    return new ResendEmailDriver({ apiKey: mail.resendApiKey, from: mail.from });
  if (!mail?.smtpUrl) return new ConsoleEmailDriver();
  const { protocol, hostname, port, username, password } = new URL(mail.smtpUrl);
  const secure = protocol === "smtps:";
  return new SmtpEmailDriver({
    host: hostname,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    from: mail.from,
  });
}
