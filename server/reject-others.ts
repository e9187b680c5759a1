// Keeps routes for owners from everyone else. The database decides who is one, by the token of the session.
import type { Context } from "hono";

export interface OwnersRouteOptions {
  /** The backend's address, whose REST endpoint is asked. */
  backendUrl: string;
  anonKey: string;
  fetchBackend: typeof fetch;
  /** Counts a request that would ask the database. @returns the seconds to wait; 0 when it is allowed */
  secondsToWait: () => number;
}

/** Functions of the API that answer true or false, and what the caller is told for false. */
const refusals = {
  is_owner: "Only an owner may do this.",
  has_just_signed_in: "Please enter your password again.",
};

/** @returns the response for a caller to whom one of the questions does not apply, or who has to wait; null for all others */
export async function rejectOthers(
  context: Context,
  options: OwnersRouteOptions,
  ...questions: (keyof typeof refusals)[]
): Promise<Response | null> {
  const authorization = context.req.header("authorization");
  if (!authorization) return context.json({ error: "Please sign in." }, 401);
  const seconds = options.secondsToWait();
  if (seconds > 0) {
    const headers = { "retry-after": String(seconds) };
    return context.json({ error: "Please try again in a minute." }, 429, headers);
  }
  for (const question of questions) {
    if (await ask(options, question, authorization)) continue;
    return context.json({ error: refusals[question] }, 403);
  }
  return null;
}

/** @returns false also when the database does not answer */
async function ask(
  { backendUrl, anonKey, fetchBackend }: OwnersRouteOptions,
  question: string,
  authorization: string,
): Promise<boolean> {
  try {
    const response = await fetchBackend(`${backendUrl}/rest/v1/rpc/${question}`, {
      method: "POST",
      headers: { apikey: anonKey, authorization, "content-type": "application/json" },
      body: "{}",
    });
    return response.ok && (await response.json()) === true;
  } catch {
    return false;
  }
}
