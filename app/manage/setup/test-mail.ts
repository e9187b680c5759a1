import type { Client } from "../../supabase/client-context.ts";

/** Whether e-mails are sent: a mail service is configured on the server. Null when that is unknown. */
export async function readMailService(_client: Client): Promise<{ configured: boolean } | null> {
  return null;
}

/** Sends a test mail to the published recipients. @throws the backend's error */
export async function sendTestMail(_client: Client): Promise<void> {
  throw new Error("A test mail cannot be sent from here yet.");
}
