// A mail, and the one that brings a message to the adviser, as plain text and as HTML.
import type { Message } from "./message.ts";

export interface Mail {
  /** The id of the message's row: a mail that is sent again is recognised by it. */
  id: string;
  from: string;
  to: string;
  /**
   * Who gets the answer. A visitor is never the sender: the provider would refuse it, or the recipient
   * take it for spam.
   */
  replyTo: { name: string; address: string };
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
  return {
    id,
    from,
    to,
    replyTo: { name, address: email },
    subject: `Message from ${name} on your website`,
    text: [
      ...[`Name: ${name}`, `Email: ${email}`, `Phone: ${phone ?? "not given"}`],
      ...["", words, ""],
    ].join("\n"),
    html: composeHtml(message),
  };
}

/** No links, pictures or styles from outside: what a visitor wrote stays text. */
function composeHtml({ name, email, phone, message }: Message): string {
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
<p style="margin:24px 0 0;max-width:640px;overflow-wrap:anywhere">${paragraphs}</p>
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
