import {
  type ContactMessage,
  mapContactFields,
} from "../../supabase/functions/_shared/contact-fields.ts";
import { trimAddress } from "../../supabase/functions/_shared/one-line.ts";
import { fieldText } from "../forms/field-text.ts";
import type { VisitorClient } from "../supabase/client-context.ts";

/** Reads and trims the fields of a contact form. */
export function readMessage(form: FormData): ContactMessage {
  return mapContactFields((name, { type }) => {
    const text = fieldText(form, name);
    return type === "email" ? trimAddress(text) : text;
  });
}

/** The message of every failure without one from the server. */
const sendingFailed = "There was a problem sending your message. Please try again.";

/** The send-email function rejected the message, or could not be reached. */
export class SendError extends Error {
  /** The function's own message; null if there was none. */
  readonly serverMessage: string | null;
  /** The status of the response; 503 if there was none. */
  readonly status: number;

  constructor(serverMessage: string | null, status: number, options: ErrorOptions) {
    super(serverMessage ?? sendingFailed, options);
    this.serverMessage = serverMessage;
    this.status = status;
  }
}

/**
 * An idempotency key for one filled-in form: when a response is lost and the form is sent again, the
 * message is stored once. Not `crypto.randomUUID`, which a page without TLS does not have.
 */
export function newSubmissionKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

interface SendOptions {
  submissionKey: string;
  /** The Turnstile token; null without Turnstile, or when it failed. */
  turnstileToken: string | null;
  /** Whether the honeypot was filled in: the message goes to the spam of the inbox. */
  isSpam: boolean;
}

/** Sends a message to the send-email function. @throws SendError */
export async function sendMessage(
  client: VisitorClient,
  message: ContactMessage,
  { submissionKey, turnstileToken, isSpam }: SendOptions,
): Promise<void> {
  const { error } = await client.functions.invoke(isSpam ? "send-email/spam" : "send-email", {
    body: JSON.stringify({ ...message, call_consent: message.call_consent || undefined }),
    headers: {
      "idempotency-key": submissionKey,
      ...(turnstileToken ? { "x-turnstile-token": turnstileToken } : {}),
    },
  });
  if (!error) return;
  const { context }: { context?: unknown } = error;
  const response = context instanceof Response ? context : null;
  const serverMessage = response && (await readServerMessage(response));
  throw new SendError(serverMessage, response?.status ?? 503, { cause: error });
}

/** Reads the function's message from the response, because supabase-js replaces it by a generic one. */
async function readServerMessage(response: Response): Promise<string | null> {
  try {
    const body: unknown = await response.json();
    const text = body && typeof body === "object" && "error" in body ? body.error : null;
    return typeof text === "string" && text ? text : null;
  } catch {
    return null;
  }
}

/**
 * What the visitor reads about a failure.
 * @param quoteServer whether it is the server's message, where there is one
 */
export function failureText(error: unknown, quoteServer: boolean): string {
  if (!(error instanceof SendError)) return sendingFailed;
  // The page is out of date, so the same message would fail again.
  const isOutdated = error.status === 409;
  return ((quoteServer || isOutdated) && error.serverMessage) || sendingFailed;
}
