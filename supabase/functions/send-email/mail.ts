// A mail, and the one that brings a message to the adviser, as plain text and as HTML.
import type { Message } from "./message.ts";

export interface Mail {
  /** The id of the message's row: a mail that is sent again is recognised by it. */
  id: string;
  from: string;
  to: string;
  /**
   * Who gets the answer, in ASCII. A visitor is never the sender: the provider would refuse it, or the
   * recipient take it for spam. Absent when the address can't be written in ASCII.
   */
  replyTo?: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** Nobody's answering machine should answer it. */
  isAutomatic?: boolean;
}

export interface MailService {
  /** How many mails it takes at a time. */
  readonly concurrency: number;
  /** Resolves when the service has taken the mail; rejects when it has not, or nobody knows. */
  send(mail: Mail, signal: AbortSignal): Promise<void>;
}

/** Headers beyond those that every mail has. */
export function extraHeaders({ isAutomatic }: Mail): Record<string, string> | undefined {
  return isAutomatic ? { "Auto-Submitted": "auto-replied" } : undefined;
}

export function composeMail(id: string, message: Message, from: string, to: string): Mail {
  const { name, email, phone, message: words } = message;
  const address = asciiAddress(email);
  return {
    id,
    from,
    to,
    ...(address && { replyTo: { name, address } }),
    subject: `Message from ${name} on your website`,
    text: [
      ...[`Name: ${name}`, `Email: ${email}`, `Phone: ${phone ?? "not given"}`],
      ...(address ? [] : ["", howToAnswer]),
      ...["", words, ""],
    ].join("\n"),
    html: composeHtml(message, address ? "" : howToAnswer),
  };
}

const howToAnswer =
  "To answer, copy the address above into a new mail. Its letters are not accepted by every mail server, so it is not set as the reply address.";

/**
 * An address as every mail server takes it in a header: with its domain in Punycode. Null when letters
 * before the @ are not ASCII. Only servers with SMTPUTF8 take those; others would refuse the whole mail.
 */
function asciiAddress(email: string): string | null {
  const at = email.lastIndexOf("@");
  const local = email.slice(0, at);
  const url = `http://${email.slice(at + 1)}`;
  return /^[\x21-\x7e]+$/.test(local) && URL.canParse(url)
    ? `${local}@${new URL(url).hostname}`
    : null;
}

/** No links, pictures or styles from outside: what a visitor wrote stays text. */
function composeHtml({ name, email, phone, message }: Message, note: string): string {
  const rows = [
    ["Name", name],
    ["Email", email],
    ["Phone", phone ?? "not given"],
  ].map(
    ([label, value = ""]) =>
      `<tr><th align="left" style="padding:0 16px 4px 0;color:#5b5b5b;font-weight:normal">${label}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const paragraphs = escapeHtml(message).replace(/\r\n|\r|\n/g, "<br>\n");
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Message from your website</title></head>
<body style="margin:0;padding:24px;font-family:Georgia,serif;font-size:16px;line-height:1.5;color:#222">
<table role="presentation" cellpadding="0" cellspacing="0">
${rows.join("\n")}
</table>
${note && `<p style="margin:24px 0 0;max-width:640px;color:#5b5b5b">${note}</p>\n`}<p style="margin:24px 0 0;max-width:640px;overflow-wrap:anywhere">${paragraphs}</p>
</body>
</html>
`;
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
