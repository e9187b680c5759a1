// The rate limit of a hosted project; its numbers are rows of private.request_limits. The embedded
// backend counts before it calls the function, and its table is empty.
import type { SupabaseClient } from "@supabase/supabase-js";
import { logError } from "./log.ts";

/** The timeout in milliseconds: a visitor is waiting. */
const timeout = 3_000;

/**
 * Counts a message by the visitor who sent these headers.
 * @param client with the secret key
 * @returns the seconds until the next message is accepted; 0 when this one is, and when the database
 * fails: losing a message is worse than accepting one too many
 */
export async function secondsToWait(client: SupabaseClient, headers: Headers): Promise<number> {
  const { data, error } = await client
    // The database knows which header has the visitor's address.
    .rpc("count_contact_message", {
      request_headers: JSON.stringify(Object.fromEntries(headers)),
    })
    .abortSignal(AbortSignal.timeout(timeout));
  if (error) logError("not counted", error);
  return typeof data === "number" ? data : 0;
}

/** The message for the visitor. @param seconds at least 1 */
export function rateLimitMessage(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const wait =
    minutes === 1
      ? "a minute"
      : minutes < 120
        ? `${minutes} minutes`
        : `${Math.ceil(seconds / 3600)} hours`;
  return `Too many messages came just now. Please try again in ${wait}.`;
}
