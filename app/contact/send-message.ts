import type { Client } from "../supabase/client-context.ts";
import type { ContactMessage } from "./contact-message.ts";

/** What every failed sending says unless the server knows better (section 8). */
export const sendingFailed = "There was a problem sending your message. Please try again.";

/** A message that the server did not take. */
export class SendError extends Error {
  /** The server's own words; null when it gave none or was not reached. */
  readonly serverMessage: string | null;

  constructor(serverMessage: string | null, options: ErrorOptions) {
    super(serverMessage ?? sendingFailed, options);
    this.serverMessage = serverMessage;
  }
}

/** Hands a message to the send-email function (section 7). @throws SendError */
export async function sendMessage(client: Client, message: ContactMessage): Promise<void> {
  const { error } = await client.functions.invoke("send-email", { body: JSON.stringify(message) });
  if (error) throw new SendError(await readServerMessage(error), { cause: error });
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
