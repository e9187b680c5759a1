// Emails about an account: a forgotten password, an invitation, a new address.
// Covers: SMTP, Resend, printing when neither is configured. Does not cover: contact messages, which a function sends.
import {
  ConsoleEmailDriver,
  type EmailDriver,
  ResendEmailDriver,
  SmtpEmailDriver,
} from "@supabase/lite";

/** The mail services to use. Without one, mails are printed. */
export interface MailOptions {
  smtpUrl: string | undefined;
  resendApiKey: string | undefined;
  from: () => Promise<string>;
  /** Whether mails are dropped although there is a mail service. */
  held?: boolean;
}

export type AccountMail = ReturnType<typeof createAccountMail>;

/** Short, because the owner who invites somebody waits for the outcome. */
const INVITATION_TIMEOUT_MS = 10_000;

export function createAccountMail(options: MailOptions) {
  // The sender can change while the site runs.
  const driver: EmailDriver = {
    send: async (mail) => createEmailDriver(options, await options.from()).send(mail),
  };
  return {
    /** Whether mails leave this machine. Otherwise they are printed or, in a restored copy, dropped. */
    isSent: !options.held && Boolean(options.smtpUrl || options.resendApiKey),
    recovery: (to: string, link: URL) =>
      driver.send({
        to,
        subject: "Reset Your Password",
        text: `To choose a new password, please follow this link. It works once and for one hour:

${link}

If you did not ask for this, ignore this message: nothing changes.
`,
      }),
    /** @throws when the mail was not sent within ten seconds */
    async invitation(to: string, link: URL): Promise<void> {
      const late = AbortSignal.timeout(INVITATION_TIMEOUT_MS);
      const sending = driver.send({
        to,
        subject: "Your Invitation",
        text: `You are invited to help manage the website ${link.origin}.

To accept, follow this link and choose a password. It works once and for 24 hours:

${link}

If you do not expect this, ignore this message: nothing changes.
`,
      });
      await Promise.race([
        sending,
        new Promise((_, reject) => late.addEventListener("abort", () => reject(late.reason))),
      ]);
    },
    emailChange: (to: string, link: URL) =>
      driver.send({
        to,
        subject: "Confirm Your New Address",
        text: `Someone wants to use this address to sign in to the website ${link.origin}.

If it was you, follow this link and confirm the address. It works once and for one hour:

${link}

If it was not, ignore this message: nothing changes.
`,
      }),
    /** Tells the current address that the account's address is about to change. */
    emailChangeNotice: (to: string, newEmail: string) =>
      driver.send({
        to,
        subject: "Your Address Is About to Change",
        text: `Your account got a request to sign in with ${newEmail} from now on. It changes when the link in the
mail to that address is confirmed.

If it was not you, sign in and set a new password now: that stops the change and ends all other sessions.
`,
      }),
  };
}

function createEmailDriver(
  { smtpUrl, resendApiKey, held }: MailOptions,
  from: string,
): EmailDriver {
  if (held) {
    return {
      send: async () => console.warn("A mail about an account was not sent: outgoing mail is held"),
    };
  }
  if (resendApiKey) return new ResendEmailDriver({ apiKey: resendApiKey, from });
  if (!smtpUrl) return new ConsoleEmailDriver();
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === "smtps:";
  return new SmtpEmailDriver({
    host: hostname,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    from,
  });
}
