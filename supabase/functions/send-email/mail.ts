// Composes the mail that brings a message to the adviser, and the confirmation to the visitor, each as
// plain text and as HTML.
import {
  type ContactMessage,
  contactFieldNames,
  contactFields,
} from "../_shared/contact-fields.ts";
import { describeAnswers, type ReviewAnswers } from "../_shared/review-questions.ts";
import type { Addressing } from "./addresses.ts";

export interface Mail {
  /** The id of the message's row. Receivers recognise by it a mail that was sent twice. */
  id: string;
  from: string;
  to: readonly string[];
  /**
   * In ASCII; absent when the address can't be written in ASCII. A visitor's address is never the
   * sender: the provider would reject the mail, or the recipient's server take it for spam.
   */
  replyTo?: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** Whether automatic replies to the mail must be suppressed. */
  isAutomatic?: boolean;
}

export function composeMail(
  id: string,
  message: ContactMessage,
  { from, to }: Pick<Mail, "from" | "to">,
): Mail {
  const { name, email } = message;
  const address = asciiAddress(email);
  const rows = contactFieldNames
    .filter((field) => field !== "message" && (message[field] || !/consent|page/.test(field)))
    .map((field) => [contactFields[field].shortLabel, message[field] || "not given"] as const);
  return {
    id,
    from,
    to,
    ...(address && { replyTo: { name, address } }),
    subject: `Message from ${name} on your website`,
    text: [
      ...rows.map(([label, value]) => `${label}: ${value}`),
      ...(address ? [] : ["", howToReply]),
      ...["", message.message, ""],
    ].join("\n"),
    html: composeHtml(
      "Message from your website",
      rows,
      address ? "" : howToReply,
      message.message,
    ),
  };
}

const howToReply =
  "To answer, copy the address above into a new mail. Its letters are not accepted by every mail server, so it is not set as the reply address.";

/**
 * An address that every mail server accepts in a header, with its domain in Punycode. Null when the
 * part before the @ is not ASCII: only servers with SMTPUTF8 accept that, others reject the mail.
 */
function asciiAddress(email: string): string | null {
  const at = email.lastIndexOf("@");
  const local = email.slice(0, at);
  const url = `http://${email.slice(at + 1)}`;
  return /^[\x21-\x7e]+$/.test(local) && URL.canParse(url)
    ? `${local}@${new URL(url).hostname}`
    : null;
}

function composeHtml(
  title: string,
  rows: readonly (readonly [label: string, value: string])[],
  note: string,
  message: string,
): string {
  const cells = rows.map(
    ([label, value]) =>
      `<tr><th align="left" style="padding:0 16px 4px 0;color:#5b5b5b;font-weight:normal">${label}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return htmlPage(
    title,
    `<table role="presentation" cellpadding="0" cellspacing="0">
${cells.join("\n")}
</table>
${note && `<p style="margin:24px 0 0;max-width:640px;color:#5b5b5b">${note}</p>\n`}<p style="margin:24px 0 0;max-width:640px;overflow-wrap:anywhere">${linesToHtml(message)}</p>`,
  );
}

const confirmation = {
  subject: "We have received your message",
  paragraphs: [
    "Thank you for writing to us. Your message has arrived.",
    "If you did not write to us, someone else typed your address into the form on our website. There is nothing you need to do.",
  ],
};

/**
 * Tells a visitor that the message has arrived. Anyone can type a stranger's address into the form:
 * this is off unless CONTACT_CONFIRMATION is on, and it quotes nothing of the message.
 */
export function composeConfirmation(
  id: string,
  visitor: string,
  { from, to: [replyTo], ending }: Addressing,
): Mail {
  const { subject, paragraphs } = confirmation;
  return {
    ...{ id: `${id}.confirmation`, from, to: [visitor] },
    replyTo: { name: "", address: replyTo },
    ...composeLetter(subject, [...paragraphs, ...(ending ? [ending] : [])]),
  };
}

/** An automatic mail that consists of paragraphs. */
function composeLetter(subject: string, paragraphs: string[]) {
  return {
    subject,
    text: `${paragraphs.join("\n\n")}\n`,
    html: htmlPage(
      subject,
      paragraphs.map((text) => `<p style="max-width:640px">${linesToHtml(text)}</p>`).join("\n"),
    ),
    isAutomatic: true,
  };
}

export interface NewTestimonial extends ReviewAnswers {
  id: string;
  name: string;
  role: string | null;
  content: string;
  rating: number;
  /** Whether the testimonial is still hidden from visitors. */
  waiting: boolean;
}

/** Announces a new testimonial to the people who answer messages. */
export function composeNotice(
  testimonial: NewTestimonial,
  { from, to }: Pick<Mail, "from" | "to">,
): Mail {
  const { id, name, role, content, rating, waiting } = testimonial;
  const rows = [
    ["Name", name],
    ["Role", role || "not given"],
    ["Rating", `${rating} of 5`],
    ["Answers", describeAnswers(testimonial) || "not asked"],
  ] as const;
  const note = waiting
    ? "Visitors do not see it until you approve it on the page /manage/testimonials of your website."
    : "It is on your website. You can answer, refuse or delete it on the page /manage/testimonials.";
  return {
    id: `${id}.notice`,
    from,
    to,
    subject: `New review by ${name} on your website`,
    text: [...rows.map(([label, value]) => `${label}: ${value}`), "", content, "", note, ""].join(
      "\n",
    ),
    html: composeHtml("New review on your website", rows, note, content),
    isAutomatic: true,
  };
}

export function composeTestMail(id: string, { from, to }: Pick<Mail, "from" | "to">): Mail {
  const letter = composeLetter("Test mail from your website", [
    "This is the test mail that you asked for. Mails of your website arrive here.",
    "If it is in the spam folder, mark it as wanted and check the sender's SPF and DKIM records.",
  ]);
  return { id: `${id}.test`, from, to, ...letter };
}

function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body style="margin:0;padding:24px;font-family:Georgia,serif;font-size:16px;line-height:1.5;color:#222">
${body}
</body>
</html>
`;
}

function linesToHtml(text: string): string {
  return escapeHtml(text).replace(/\r\n|\r|\n/g, "<br>\n");
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
