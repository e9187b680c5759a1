import { z } from "zod";
import type { Client } from "../supabase/client-context.ts";

/**
 * Asks a route of the site that answers owners alone: it passes the token of the session on to the database.
 * @param body of a POST; undefined for a GET
 * @throws an Error with a sentence for the owner
 */
export async function askServer(client: Client, path: string, body?: object | null) {
  const { data, error } = await client.auth.getSession();
  if (error) throw error;
  const token = data.session?.access_token;
  if (!token) throw new Error("Please sign in.");
  // The browser's own error says 'Failed to fetch', in its language.
  const response = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  }).catch(() => {
    throw new Error("The server did not respond. Check your connection and try again.");
  });
  const answer: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (response.ok) return answer;
  const { data: said } = z.object({ error: z.string() }).safeParse(answer);
  throw new Error(said?.error ?? "The server did not answer. Please try again.");
}
