// Whether another message is welcome yet. The numbers are rows of private.request_limits.
// Covers: a hosted project. The embedded backend counts before the function is called, and holds no rows.
import type { SupabaseClient } from "@supabase/supabase-js";
import { reasonOf } from "./log.ts";

/** Milliseconds for one question to the database: a visitor is waiting. */
const patience = 3_000;

/**
 * Counts a message of the visitor who sent these headers.
 * @param client with the secret key.
 * @returns after how many seconds to come back; 0 when the message is welcome, and when the database
 * can't say: a message is worth more than a limit.
 */
export async function secondsToWait(client: SupabaseClient, headers: Headers): Promise<number> {
  const { data, error } = await client
    // Cloudflare sets the header itself. X-Forwarded-For begins with whatever the visitor wrote.
    .rpc("count_contact_message", { visitor_address: headers.get("cf-connecting-ip") })
    .abortSignal(AbortSignal.timeout(patience));
  if (error) console.error("send-email: not counted:", reasonOf(error));
  return typeof data === "number" ? data : 0;
}

/** What the visitor reads. @param seconds at least 1. */
export function refusalOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const pause =
    minutes === 1
      ? "a minute"
      : minutes < 120
        ? `${minutes} minutes`
        : `${Math.ceil(seconds / 3600)} hours`;
  return `Too many messages came just now. Please try again in ${pause}, or call us.`;
}
