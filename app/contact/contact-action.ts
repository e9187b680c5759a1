import { data, redirect } from "react-router";
import { isTrapped } from "../forms/honeypot-field.tsx";
import type { Client } from "../supabase/client-context.ts";
import { readPostedForm } from "../ui/posted-form.ts";
import type { ContactErrors, ContactMessage } from "./contact-message.ts";
import { readMessage } from "./read-message.ts";
import { SendError, sendingFailed, sendMessage } from "./send-message.ts";

/** What the page says of a message that it did not send. */
export interface ContactAnswer {
  message: ContactMessage;
  errors: ContactErrors;
  failure: string | null;
}

interface PostedForm {
  client: Client;
  /** The page of the form, to go back to once the message is sent. */
  page: string;
  validate?: (message: ContactMessage) => ContactErrors;
  /** Whether a failure is told in the server's words, where it has any. */
  quoteServer?: boolean;
}

/**
 * Takes the message of a visitor without JavaScript, by the same rules and the same function as the
 * form itself. @returns what was wrong, with what was typed. @throws the way to the page that thanks
 */
export async function answerContactForm(
  request: Request,
  { client, page, validate, quoteServer = false }: PostedForm,
) {
  const form = await readPostedForm(request);
  const message = readMessage(form);
  const errors = validate?.(message) ?? {};
  if (Object.keys(errors).length > 0) return refuse(400, { message, errors, failure: null });
  try {
    const options = { submissionKey: keyOfToday(), turnstileToken: null };
    if (!isTrapped(form)) await sendMessage(client, message, options);
  } catch (error) {
    const { serverMessage = null, status = 500 } = error instanceof SendError ? error : {};
    // A refusal is the visitor's to mend, not ours.
    if (status >= 500) console.error("Sending the message failed", error);
    const failure = (quoteServer && serverMessage) || sendingFailed;
    return refuse(status, { message, errors, failure });
  }
  throw redirect(`${page}?sent#${contactFormId}`, 303);
}

/** Where the browser lands in the page that answers. */
export const contactFormId = "contact-form";

function refuse(status: number, answer: ContactAnswer) {
  return data(answer, { status });
}

/** Sent twice on one day, by a second press or a reload, the same words are one message. */
function keyOfToday(): string {
  return `posted ${new Date().toISOString().slice(0, 10)}`;
}
