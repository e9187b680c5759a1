// Lets someone who has forgotten the password in with a recovery code.
//   POST /recover-account   {email, code}, for anyone
// Responds with the token that a mailed link would have, for a new password: so Auth checks the new password, and asks for the
// second step where it is on. An unknown address gets the response of a wrong code, after the same work.
import { createClient } from "@supabase/supabase-js";
import { z } from "zod";
import { isAllowedOrigin, readAllowedOrigins, withCors } from "../_shared/cors.ts";
import { recoverySchema } from "../_shared/recovery.ts";
import { readSecretKeys } from "../_shared/secret-key.ts";
import { waitMessage } from "../_shared/wait-message.ts";
import { withoutSession } from "../_shared/without-session.ts";

const allowedOrigins = readAllowedOrigins(Deno.env.get("ALLOWED_ORIGINS"));
const [secretKey = ""] = readSecretKeys(
  Deno.env.get("SUPABASE_SECRET_KEYS"),
  Deno.env.get("SUPABASE_SERVICE_ROLE_KEY"),
);
const outcomeSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("right") }),
  z.object({ outcome: z.literal("wrong") }),
  z.object({ outcome: z.literal("wait"), seconds: z.number() }),
]);

Deno.serve(
  withCors(allowedOrigins, async (request) => {
    const response = await recover(request).catch((error) => {
      // Logged without the request, which names a person.
      console.error("recover-account:", error instanceof Error ? error.message : error);
      return fail(500, "The code could not be checked. Please try again.");
    });
    response.headers.set("Cache-Control", "no-store");
    return response;
  }),
);

async function recover(request: Request): Promise<Response> {
  if (request.method !== "POST") return fail(405, "Use POST.");
  if (!isAllowedOrigin(request.headers, allowedOrigins)) {
    return fail(403, "Please use the website itself.");
  }
  const { data: given, error } = recoverySchema.safeParse(await request.json().catch(() => null));
  if (error)
    return fail(400, error.issues[0]?.message ?? "Please enter one of your recovery codes.");
  const client = createClient(Deno.env.get("SUPABASE_URL") ?? "", secretKey, {
    auth: withoutSession,
  });
  const request_headers = JSON.stringify(Object.fromEntries(request.headers));
  const claimed = await client.rpc("claim_recovery_code", { ...given, request_headers });
  if (claimed.error) throw claimed.error;
  const outcome = outcomeSchema.parse(claimed.data);
  if (outcome.outcome === "wait") {
    return fail(429, waitMessage("Too many codes were entered", outcome.seconds));
  }
  if (outcome.outcome === "wrong") {
    return fail(403, "The email address or the code is wrong, or the code was used already.");
  }
  const link = await client.auth.admin.generateLink({ type: "recovery", email: given.email });
  if (link.error) throw link.error;
  return Response.json({ token: link.data.properties.hashed_token });
}

function fail(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
