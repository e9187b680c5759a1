// Reads a contact message from a request, cleans it and gives it its id.
import { createHash, randomUUID } from "node:crypto";
import { z } from "zod/mini";
import {
  type ContactMessage,
  contactFieldNames,
  mapContactFields,
} from "../_shared/contact-fields.ts";
import { parseContactMessage } from "../_shared/contact-message.ts";
import { toOneLine } from "../_shared/one-line.ts";

/** @param input the parsed body of a request. A missing field counts as empty. */
export function parseMessage(input: unknown) {
  const fields = z.looseObject({}).safeParse(input);
  if (!fields.success) return parseContactMessage(input);
  const result = parseContactMessage(
    mapContactFields((name, { rows, type }) =>
      clean(fields.data[name] ?? "", rows !== undefined || type === "checkbox"),
    ),
  );
  // Without a number there is nothing to call.
  if (result.message && !result.message.phone) result.message.call_consent = "";
  return result;
}

/**
 * Removes control characters: a line break in a name could start another mail header. A text with
 * several lines never gets into a header and loses NUL alone, which PostgreSQL rejects. Its line breaks
 * are the same as with scripts: a posted form has CRLF.
 */
function clean(value: unknown, severalLines: boolean): unknown {
  if (typeof value !== "string") return value;
  const text = value.toWellFormed();
  return severalLines ? text.replaceAll("\0", "").replaceAll("\r\n", "\n") : toOneLine(text);
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
