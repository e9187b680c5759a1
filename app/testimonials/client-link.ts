// A client's link to the form, /testimonials#review=TOKEN. Loaded only for such a link.
import type { VisitorClient } from "../supabase/client-context.ts";

const linkProblems: Record<string, string> = {
  used: "Your link was used before.",
  expired: "Your link has expired.",
};

/** @returns the client's name while the link is open, else why it cannot be used */
export async function readLink(
  client: VisitorClient,
  token: string,
): Promise<{ name?: string; problem?: string }> {
  const isToken = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(token);
  const { data } = isToken
    ? await client.rpc("get_testimonial_request", { request_token: token }).throwOnError()
    : { data: null };
  // The function's result (testimonials.sql).
  const link = data as { state: string; name: string } | null;
  if (link?.state === "open") return { name: link.name };
  const problem = linkProblems[link?.state ?? ""] ?? "Your link is incomplete, or was revoked.";
  return { problem: `${problem} You can leave a review without it.` };
}
