import type { Client } from "../supabase/client-context.ts";
import type { ContactMessage } from "./contact-message.ts";

/** What every failed sending says unless the server knows better (section 8). */
export const sendingFailed = "There was a problem sending your message. Please try again.";

/** A message that the server did not take. */
export class SendError extends Error {
  /** The server's own words; null when it gave none or was not reached. */
  readonly serverMessage: string | null;
  /** The status of its answer, 503 when there was none. */
  readonly status: number;

  constructor(serverMessage: string | null, status: number, options: ErrorOptions) {
    super(serverMessage ?? sendingFailed, options);
    this.serverMessage = serverMessage;
    this.status = status;
  }
}

/**
 * A key for one filled-in form: sending that again, after an answer was lost, makes no second message.
 * Not `crypto.randomUUID`, which a page without TLS does not have.
 */
export function newSubmissionKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

interface SendOptions {
  submissionKey: string;
  /** Null where Turnstile is not configured, or had no token to give. */
  turnstileToken: string | null;
}

/** Hands a message to the send-email function (section 7). @throws SendError */
export async function sendMessage(
  client: Client,
  message: ContactMessage,
  { submissionKey, turnstileToken }: SendOptions,
): Promise<void> {
  const { error } = await client.functions.invoke("send-email", {
    body: JSON.stringify(message),
    headers: {
      "idempotency-key": submissionKey,
      ...(turnstileToken ? { "x-turnstile-token": turnstileToken } : {}),
    },
  });
  if (!error) return;
  const { context }: { context?: unknown } = error;
  const status = context instanceof Response ? context.status : 503;
  throw new SendError(await readServerMessage(error), status, { cause: error });
}

/** supabase-js hides the function's answer behind a generic sentence; it lies in `context`. */
async function readServerMessage(error: { context?: unknown }): Promise<string | null> {
  if (!(error.context instanceof Response)) return null;
  try {
    const body: unknown = await error.context.json();
    const text = body && typeof body === "object" && "error" in body ? body.error : null;
    return typeof text === "string" && text ? text : null;
  } catch {
    return null;
  }
}
