import { data, redirect } from "react-router";
import type { ContactMessage } from "../../supabase/functions/_shared/contact-fields.ts";
import { isHoneypotFilled } from "../forms/honeypot-field.tsx";
import type { FormErrors } from "../forms/use-form-submit.ts";
import type { Client } from "../supabase/client-context.ts";
import { readPostedForm } from "../ui/posted-form.ts";
import { failureText, readMessage, SendError, sendMessage } from "./send-message.ts";

/** A message that was posted without JavaScript and could not be sent. */
export interface ContactActionData {
  message: ContactMessage;
  errors: FormErrors;
  failure: string | null;
}

interface ContactActionOptions {
  client: Client;
  /** The page of the form, to which a sent message redirects. */
  page: string;
  validate?: (message: ContactMessage) => FormErrors;
  /** Whether a failure shows the server's message, where it has one. */
  quoteServer?: boolean;
}

/**
 * Sends the message of a visitor without JavaScript, with the same rules and the same function as the form in the browser.
 * @returns the errors with the typed values
 * @throws the redirect to the thanks
 */
export async function contactAction(
  request: Request,
  { client, page, validate, quoteServer = false }: ContactActionOptions,
) {
  const form = await readPostedForm(request);
  const message = readMessage(form);
  if (form.has(prefill)) return respond(200, { message, errors: {}, failure: null });
  const errors = validate?.(message) ?? {};
  if (Object.keys(errors).length > 0) return respond(400, { message, errors, failure: null });
  try {
    await sendMessage(client, message, {
      ...{ submissionKey: todaysKey(), turnstileToken: null },
      isSpam: isHoneypotFilled(form),
    });
  } catch (error) {
    const { status = 500 } = error instanceof SendError ? error : {};
    // The visitor can correct failures with a lower status.
    if (status >= 500) console.error("Sending the message failed", error);
    return respond(status, { message, errors, failure: failureText(error, quoteServer) });
  }
  throw redirect(`${page}?sent#${contactFormId}`, 303);
}

/** A field of a form that only fills in the contact form, such as that of a calculator's result. Nothing is sent. */
export const prefill = "prefill";

/** The fragment to which the response of a posted form scrolls. */
export const contactFormId = "contact-form";

function respond(status: number, actionData: ContactActionData) {
  return data(actionData, { status });
}

/** A text that is posted twice on one day, by a double click or a reload, counts as one message. */
function todaysKey(): string {
  return `posted ${new Date().toISOString().slice(0, 10)}`;
}
