// Reads a contact message from a request, cleans and checks it, and gives it its id.
import { createHash, randomUUID } from "node:crypto";
import { z } from "zod/mini";
import {
  type ContactFieldName,
  type ContactMessage,
  contactFieldNames,
  contactFields,
  isTyped,
  mapContactFields,
} from "../_shared/contact-fields.ts";
import { findProblem } from "../_shared/contact-message.ts";
import { toOneLine, trimAddress, trimUnseen } from "../_shared/one-line.ts";

interface Issue {
  /** Empty when the input is not a message at all. */
  field: ContactFieldName | "";
  message: string;
}

type ParsedMessage =
  | { message: ContactMessage; issues?: undefined }
  | { message?: undefined; issues: Issue[] };

/**
 * @param input the parsed body of a request. A missing field counts as empty.
 * @returns the message, trimmed, or one issue per invalid field in the order of the form
 */
export function parseMessage(input: unknown): ParsedMessage {
  const fields = z.looseObject({}).safeParse(input);
  if (!fields.success)
    return { issues: [{ field: "", message: "The message could not be read." }] };
  const issues: Issue[] = [];
  const message = mapContactFields((name) => {
    const value = fields.data[name] ?? "";
    const text = typeof value === "string" ? clean(name, value) : "";
    const problem =
      typeof value === "string"
        ? findProblem(name, text, "send-email")
        : `${contactFields[name].shortLabel} must be text.`;
    if (problem && isTyped(name)) issues.push({ field: name, message: problem });
    return problem ? "" : text;
  });
  if (issues.length > 0) return { issues };
  // Without a number there is nothing to call.
  if (!message.phone) message.call_consent = "";
  return { message };
}

/**
 * Trims a text and removes control characters: a line break in a name could start another mail header. A text with
 * several lines never gets into a header and loses NUL alone, which PostgreSQL rejects. Its line breaks
 * are the same as with scripts: a posted form has CRLF.
 */
function clean(name: ContactFieldName, value: string): string {
  const { rows, type } = contactFields[name];
  const text = value.toWellFormed();
  if (type === "email") return trimAddress(toOneLine(text));
  const hasLines = rows !== undefined || type === "checkbox";
  return trimUnseen(
    hasLines ? text.replaceAll("\0", "").replaceAll("\r\n", "\n") : toOneLine(text),
  );
}

/**
 * The id of a message's row and of its mail: the same for the same submission.
 * @param key the browser's idempotency key, one per filled-in form. The text counts too: a corrected
 * form is a new message, and no client can choose an id. Without a key every submission is new.
 */
export function rowIdOf(message: ContactMessage, key: string | null): string {
  const values = contactFieldNames.map((name) => message[name] || null);
  return key ? hashedId(JSON.stringify([key, ...values])) : randomUUID();
}

/** A UUID (version 8 of RFC 9562), the same for the same text. */
export function hashedId(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}
