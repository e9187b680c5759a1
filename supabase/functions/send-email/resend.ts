// Mail over Resend's HTTP interface, for places where SMTP is blocked.
// Covers: one mail, sent once per id within Resend's 24 hours. Does not cover: batches, webhooks.
import { extraHeaders, type Mail, type MailService } from "./mail.ts";

/** Resend takes a few requests per second: what comes too fast waits a little and tries again. */
const tries = 4;
const longestWait = 10;

export function createResend(apiKey: string): MailService {
  return {
    concurrency: 2,
    async send(mail, signal) {
      for (let left = tries - 1; ; left--) {
        const response = await post(apiKey, mail, signal);
        const answer = await response.text();
        if (response.ok) return;
        if (response.status !== 429 || left === 0) {
          throw Object.assign(
            new Error(`Resend answered ${response.status}: ${answer.slice(0, 300)}`),
            { responseCode: response.status },
          );
        }
        const seconds = Number(response.headers.get("retry-after")) || 1;
        await new Promise((resolve) => setTimeout(resolve, Math.min(seconds, longestWait) * 1000));
      }
    },
  };
}

function post(apiKey: string, mail: Mail, signal: AbortSignal): Promise<Response> {
  const { id, from, to, replyTo, subject, text, html } = mail;
  return fetch("https://api.resend.com/emails", {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "idempotency-key": `contact-message/${id}`,
    },
    body: JSON.stringify({
      ...{ from, to, reply_to: replyTo && asMailbox(replyTo), subject, text, html },
      headers: extraHeaders(mail),
    }),
    signal,
  });
}

/** `"Name" <address>`, whatever stands in the name. */
function asMailbox({ name, address }: NonNullable<Mail["replyTo"]>): string {
  if (name === "") return address;
  return `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`;
}
