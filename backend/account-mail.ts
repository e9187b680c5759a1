// E-mails about the account: what the Auth library wants to send, in words of ours.
// Covers: mails that carry one link, by SMTP or Resend, printed without either; none of them while mail is held.
// Does not cover: codes to type.
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

/** @param landing where the link of the mail that is being sent leads, on the site itself. */
export function createAccountMail(
  mail: MailOptions | undefined,
  landing: () => string,
): EmailDriver {
  const service = createService(mail);
  return {
    async send({ to, subject, text = "" }) {
      const link = new URL(text.match(/https?:\/\/\S+/)?.[0] ?? "");
      // The library forgets the page that the client named and writes the site's address.
      link.searchParams.set("redirect_to", landing());
      await service.send({
        to,
        subject,
        text: `Please follow this link. It works once and for one hour:

${link}

If you did not ask for this, ignore this message: nothing changes.
`,
      });
    },
  };
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
