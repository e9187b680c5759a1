// A client's link to the review form, /testimonials#review=TOKEN. Loaded only for such a link.
import { getBrowserClient } from "../supabase/browser-client.ts";
import type { Client } from "../supabase/client-context.ts";

const linkProblems: Record<string, string> = {
  used: "Your link was used before.",
  expired: "Your link has expired.",
};

/**
 * Reads what a client's link is good for.
 * @returns the client's name while the link is open, else why it is not
 * @throws the backend's error
 */
export async function readLink(
  client: Client,
  token: string,
): Promise<{ name: string } | { problem: string }> {
  const isToken = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(token);
  const { data } = isToken
    ? await client.rpc("get_testimonial_request", { request_token: token }).throwOnError()
    : { data: null };
  // The function's result (testimonials.sql).
  const link = data as { state: string; name: string } | null;
  if (link?.state === "open") return link;
  const problem = linkProblems[link?.state ?? ""] ?? "Your link is incomplete or unknown.";
  return { problem: `${problem} You can leave a review without it.` };
}

/**
 * Fills in the name of the client whose token the form has, or drops a token that cannot be used.
 * @returns why it cannot be used
 */
export async function checkLink(
  name: HTMLInputElement,
  request: HTMLInputElement,
): Promise<string | undefined> {
  const link = await readLink(await getBrowserClient(), request.value);
  if ("name" in link) name.value ||= link.name;
  else request.value = "";
  return "problem" in link ? link.problem : undefined;
}
