// The rate limit of a hosted project; its numbers are rows of private.request_limits. The embedded
// backend counts before it calls the function, and its table is empty.
import type { SupabaseClient } from "@supabase/supabase-js";
import { logError } from "./log.ts";

/**
 * Counts a message by the visitor who sent these headers.
 * @param client with the secret key
 * @returns the seconds until the next message is accepted; 0 when this one is, and when the database
 * fails: losing a message is worse than accepting one too many
 */
export async function secondsToWait(
  client: SupabaseClient,
  headers: Headers,
  isSpam: boolean,
): Promise<number> {
  // The database knows which header has the visitor's address.
  const request_headers = JSON.stringify(Object.fromEntries(headers));
  const request = { request_headers, is_spam: isSpam };
  const { data, error } = await client.rpc("count_contact_message", request);
  if (error) logError("not counted", error);
  return typeof data === "number" ? data : 0;
}
