// The schema of a contact message: the contact page checks with it in the browser and without
// JavaScript, the function send-email checks every message with it.
import { z } from "zod/mini";
import { type ContactFieldName, contactFields, mapContactFields } from "./contact-fields.ts";

/** A practical email address, with letters of any script: jörg@müller.de. */
export const emailAddress =
  /^(?:[\p{L}\p{M}\p{N}_'+-]+\.)*[\p{L}\p{M}\p{N}_'+-]*[\p{L}\p{M}\p{N}_+-]@(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*\.)+(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu;

function fieldSchema(name: ContactFieldName) {
  const { shortLabel, min = 0, max, type } = contactFields[name];
  const tooLong = `${shortLabel} must be at most ${max.toLocaleString("en-US")} characters.`;
  const invalid =
    type === "email"
      ? "Please enter a valid email address."
      : min > 0
        ? `${shortLabel} must be at least ${min} characters.`
        : `${shortLabel} must be text.`;
  const schema = z.string(invalid).check(
    z.trim(),
    // Checked before the pattern, which is slow on a long text.
    z.refine((text) => characters(text) <= max, { error: tooLong, abort: true }),
    type === "email"
      ? z.regex(emailAddress, invalid)
      : z.refine((text) => characters(text) >= min, invalid),
  );
  // An invalid consent is no consent, an invalid page none. Neither rejects the message.
  if (type === "hidden") return z.catch(schema.check(z.regex(/^(\/[!-~]*)?$/)), "");
  return type === "checkbox" ? z.catch(schema, "") : schema;
}

/** Counts characters as PostgreSQL's char_length does. */
function characters(text: string): number {
  return [...text].length;
}

const contactMessageSchema = z.object(
  mapContactFields(fieldSchema),
  "The message could not be read.",
);

interface ContactIssue {
  /** Empty when the input is not a message at all. */
  field: string;
  message: string;
}

/** @returns the message, trimmed, or one issue per invalid field in the order of the form */
export function parseContactMessage(input: unknown) {
  const result = contactMessageSchema.safeParse(input);
  if (result.success) return { message: result.data };
  const issues = result.error.issues.map(
    ({ path, message }): ContactIssue => ({ field: String(path[0] ?? ""), message }),
  );
  return { issues };
}
