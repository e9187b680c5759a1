// The checks of a contact message. /contact applies the bounds of its form, with and without scripts. The function
// send-email, which receives the messages of both forms, accepts what the browser's own checks of the home page's form let
// through, without blank fields, up to the maximum lengths.
import {
  type ContactFieldName,
  type ContactMessage,
  contactFieldNames,
  contactFields,
  isTyped,
} from "./contact-fields.ts";

/** A practical email address, with letters of any script: jörg@müller.de. */
export const emailAddress =
  /^(?:[\p{L}\p{M}\p{N}_'+-]+\.)*[\p{L}\p{M}\p{N}_'+-]*[\p{L}\p{M}\p{N}_+-]@(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*\.)+(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu;

const hostLabel = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`;

/** What browsers accept in an email field (HTML, "valid email address"), with letters of any script. */
export const nativeAddress = new RegExp(
  String.raw`^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_\x60{|}~-]+@${hostLabel}(?:\.${hostLabel})*$`,
  "u",
);

/** Why /contact, or the function, rejects a field with this text, which is trimmed. */
export function findProblem(
  name: ContactFieldName,
  text: string,
  by: "/contact" | "send-email",
): string | undefined {
  const { shortLabel, type, optional, min = 0, max } = contactFields[name];
  // As PostgreSQL's char_length counts.
  const { length } = [...text];
  // Before the pattern, which is slow on a long text.
  if (length > max)
    return `${shortLabel} must be at most ${max.toLocaleString("en-US")} characters.`;
  if (type === "email") {
    const isAddress = (by === "/contact" ? emailAddress : nativeAddress).test(text);
    return isAddress ? undefined : "Please enter a valid email address.";
  }
  if (type === "hidden" && !/^(\/[!-~]*)?$/.test(text)) return `${shortLabel} must be a path.`;
  if (by === "/contact" && length < min) return `${shortLabel} must be at least ${min} characters.`;
  return text || optional ? undefined : `Please enter your ${shortLabel.toLowerCase()}.`;
}

/** The error of each field that /contact rejects. */
export function findContactErrors(message: ContactMessage): Partial<Record<string, string>> {
  const problems = contactFieldNames
    .filter(isTyped)
    .map((name) => [name, findProblem(name, message[name], "/contact")] as const);
  return Object.fromEntries(problems.filter(([, problem]) => problem));
}
