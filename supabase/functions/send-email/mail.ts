// Ways to send one plain-text mail: SMTP, Resend's HTTP interface, or not at all.
// Covers: one recipient, Reply-To. Does not cover: HTML, attachments, retries.
import { connect } from "node:net";
import type { Message } from "./message.ts";

export interface Mail {
  from: string;
  to: string;
  /** The visitor. Never the sender: the provider would refuse it, or the recipient take it for spam. */
  replyTo: { name: string; address: string };
  subject: string;
  text: string;
}

/** @returns whether the mail left the house; rejects when that failed. */
export type SendMail = (mail: Mail) => Promise<boolean>;

export interface MailSettings {
  smtpUrl?: string;
  resendApiKey?: string;
}

/** For one step of the conversation, and for all of it: the function itself has 30 seconds. */
const patience = 10_000;
const longestDelivery = 20_000;

/** Resend wins over SMTP: it is set where SMTP is blocked. */
export function createSendMail({ smtpUrl, resendApiKey }: MailSettings): SendMail {
  if (resendApiKey) return (mail) => sendByResend(resendApiKey, mail);
  if (smtpUrl) return (mail) => sendBySmtp(new URL(smtpUrl), mail);
  return async (mail) => {
    console.log(`No mail service is configured. Stored only:\n${mail.subject}\n${mail.text}`);
    return false;
  };
}

export function composeMail(message: Message, from: string, to: string): Mail {
  const { name, email, phone, message: text } = message;
  return {
    from,
    to,
    replyTo: { name, address: email },
    subject: `Message from ${name} on your website`,
    text: [`Name: ${name}`, `Email: ${email}`, `Phone: ${phone ?? "not given"}`, "", text, ""].join(
      "\n",
    ),
  };
}

async function sendBySmtp(url: URL, mail: Mail): Promise<boolean> {
  const { createTransport } = await import("nodemailer");
  const secure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port) || (secure ? 465 : 587);
  const transport = createTransport({
    host,
    port,
    secure,
    // A password never travels in the clear, except to a server on this machine.
    requireTLS: url.username !== "" && !["127.0.0.1", "::1", "localhost"].includes(host),
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    disableFileAccess: true,
    disableUrlAccess: true,
    // The library would look the host up itself and connect to a bare address, which the
    // permissions of the function, given by name, do not cover.
    getSocket: (_options, done) => {
      const socket = connect({ host, port });
      socket.setTimeout(patience, () =>
        socket.destroy(new Error("The mail server does not answer")),
      );
      socket.once("error", (error) => done(error, undefined));
      socket.once("connect", () => {
        socket.removeAllListeners("error");
        socket.setTimeout(0);
        done(null, { connection: socket });
      });
    },
  });
  const tooLong = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => tooLong.reject(new Error("The mail server took too long")),
    longestDelivery,
  );
  try {
    await Promise.race([transport.sendMail(mail), tooLong.promise]);
    return true;
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

async function sendByResend(apiKey: string, mail: Mail): Promise<boolean> {
  const { from, to, replyTo, subject, text } = mail;
  const response = await fetch("https://api.resend.com/emails", {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ from, to, reply_to: asMailbox(replyTo), subject, text }),
    signal: AbortSignal.timeout(longestDelivery),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`Resend answered ${response.status}: ${answer.slice(0, 300)}`);
  return true;
}

/** `"Name" <address>`, whatever stands in the name. */
function asMailbox({ name, address }: Mail["replyTo"]): string {
  return `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`;
}
