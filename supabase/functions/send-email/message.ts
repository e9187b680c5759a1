// What a visitor may send. The limits are the CHECKs of contact_messages.
import { z } from "zod";
import { emailAddress } from "../_shared/contact-message.ts";

// C0 and C1 controls, and the two line breaks of Unicode: none of them belongs in a single line.
const controls = /[\p{Cc}\u2028\u2029]+/gu;

/** One line of text: a line break could start another mail header. */
function line(complaint: string) {
  return z.string(complaint).transform((text) => text.toWellFormed().replace(controls, " ").trim());
}

/** Keeps line breaks (never a header); strips NUL, which PostgreSQL rejects. */
function paragraphs(complaint: string) {
  return z.string(complaint).transform((text) => text.toWellFormed().replaceAll("\0", "").trim());
}

function atLeast(limit: number, complaint: string) {
  return z.string().refine((text) => characters(text) >= limit, complaint);
}

function atMost(limit: number, complaint: string) {
  return z.string().refine((text) => characters(text) <= limit, complaint);
}

const complaints = {
  name: "Name must be at least 2 characters.",
  email: "Please enter a valid email address.",
  phone: "Phone number must be at most 60 characters.",
  message: "Message must be at least 10 characters.",
};

export const messageSchema = z.object(
  {
    name: line(complaints.name)
      .pipe(atLeast(2, complaints.name))
      .pipe(atMost(200, "Name must be at most 200 characters.")),
    email: line(complaints.email)
      .pipe(z.email({ pattern: emailAddress, error: complaints.email }))
      .pipe(atMost(320, "Email address must be at most 320 characters.")),
    phone: line("Please enter the phone number as text.")
      .pipe(atMost(60, complaints.phone))
      .nullish()
      .transform((phone) => phone || null),
    message: paragraphs(complaints.message)
      .pipe(atLeast(10, complaints.message))
      .pipe(atMost(10_000, "Message must be at most 10,000 characters.")),
  },
  "The message could not be read.",
);
export type Message = z.output<typeof messageSchema>;

export interface Issue {
  field: string;
  message: string;
}

/** The message, or what is wrong with it: one issue per field, in the order of the form. */
export function parseMessage(input: unknown): { message: Message } | { issues: Issue[] } {
  const result = messageSchema.safeParse(input);
  if (result.success) return { message: result.data };
  const issues = new Map<string, Issue>();
  for (const { path, message } of result.error.issues) {
    const field = String(path[0] ?? "");
    if (!issues.has(field)) issues.set(field, { field, message });
  }
  return { issues: [...issues.values()] };
}

/** As PostgreSQL's char_length counts. */
function characters(text: string): number {
  return [...text].length;
}
