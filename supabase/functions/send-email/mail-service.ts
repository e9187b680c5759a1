// Sends a mail over SMTP, or over Resend's HTTP interface where SMTP is blocked.
// Covers: STARTTLS and implicit TLS, a password, a small pool of connections, timeouts; with Resend one
// mail per id within 24 hours. Does not cover: OAuth, DKIM, batches, webhooks.
import { createTransport, type Transporter } from "nodemailer";
import { type Service, smtpOptions, socketOpener } from "../_shared/smtp-options.ts";

export interface Mail {
  /** Receivers recognize by it a mail that was sent twice. */
  id: string;
  kind: string;
  from: Mailbox;
  to: string;
  replyTo?: Mailbox;
  /** When its occasion was, which may be days before the delivery. */
  date: Date;
  automatic?: "auto-generated" | "auto-replied" | undefined;
  subject: string;
  text: string;
  html: string;
}

interface Mailbox {
  name: string;
  address: string;
}

export interface MailService {
  /** The maximum number of mails in parallel. */
  readonly concurrency: number;
  /** Resolves when the service has accepted the mail; rejects when it has not, or did not say. */
  send(mail: Mail, signal: AbortSignal): Promise<void>;
}

export function createMailService(service: Service): MailService {
  return "smtpUrl" in service ? createSmtp(service) : createResend(service.resendApiKey);
}

/** The timeouts in milliseconds. */
interface SmtpTimeouts {
  /** The timeout for connecting, the greeting and the start of TLS. */
  greeting: number;
  /** The timeout for each later response: servers scan a mail before they accept it. */
  silence: number;
}

const usualTimeouts: SmtpTimeouts = { greeting: 10_000, silence: 60_000 };
const smtpConnections = 5;

export function createSmtp(
  service: Extract<Service, { smtpUrl: URL }>,
  timeouts = usualTimeouts,
): MailService {
  let pool: Transporter | undefined;
  return {
    concurrency: smtpConnections,
    async send(mail, signal) {
      pool ??= createPool(service, timeouts);
      await pool.sendMail({ ...envelopeOf(mail), signal });
    },
  };
}

/** The mail for nodemailer, which encodes and folds the headers and lets no text add one. */
export function envelopeOf(mail: Mail) {
  const { id, kind: _, automatic: __, ...rest } = mail;
  const domain = mail.from.address.split("@").at(-1) || "localhost";
  return { ...rest, messageId: `<${id}@${domain}>`, headers: extraHeaders(mail) };
}

function createPool(
  { smtpUrl, reach }: Extract<Service, { smtpUrl: URL }>,
  { greeting, silence }: SmtpTimeouts,
): Transporter {
  return createTransport({
    ...smtpOptions(smtpUrl),
    pool: true,
    maxConnections: smtpConnections,
    idleTimeout: 10_000,
    // nodemailer repeats only a mail that it has not begun to send. The queue retries the others.
    maxRequeues: 1,
    connectionTimeout: greeting,
    greetingTimeout: greeting,
    socketTimeout: silence,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: socketOpener(smtpUrl, reach, greeting),
  });
}

/** Resend accepts a few requests per second and returns 429 for more. */
const resendAttempts = 4;
const longestResendWait = 10;

export function createResend(apiKey: string): MailService {
  return {
    concurrency: 2,
    async send(mail, signal) {
      for (let left = resendAttempts - 1; ; left--) {
        const response = await postToResend(apiKey, mail, signal);
        const body = await response.text();
        if (response.ok) return;
        if (response.status !== 429 || left === 0) {
          throw Object.assign(
            new Error(`Resend responded with ${response.status}: ${body.slice(0, 300)}`),
            { responseCode: response.status, service: "Resend" },
          );
        }
        const seconds = Number(response.headers.get("retry-after")) || 1;
        const wait = Math.min(seconds, longestResendWait) * 1000;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    },
  };
}

function postToResend(apiKey: string, mail: Mail, signal: AbortSignal): Promise<Response> {
  const { id, kind, from, to, replyTo, subject, text, html } = mail;
  return fetch("https://api.resend.com/emails", {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "idempotency-key": `${kind}/${id}/${to}`.slice(0, 256),
    },
    body: JSON.stringify({
      ...{ from: mailboxOf(from), to: [to], reply_to: replyTo && mailboxOf(replyTo) },
      ...{ subject, text, html, headers: { ...extraHeaders(mail), Date: mail.date.toUTCString() } },
    }),
    signal,
  });
}

/** `"Name" <address>` with the name quoted. */
function mailboxOf({ name, address }: Mailbox): string {
  if (name === "") return address;
  return `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`;
}

function extraHeaders({ automatic }: Mail): Record<string, string> | undefined {
  return automatic && { "Auto-Submitted": automatic };
}
