// Fetches an image that an import names, for the owner's browser, which checks and uploads it like a chosen file.
//   POST /import-images   {address, hosts, http}, for people who write posts: with the token of a session
// Responds with the bytes of the image, or with {reason}, a sentence why it cannot be fetched.
import { createClient } from "@supabase/supabase-js";
import { z } from "zod";
import { isSessionEnd } from "../_shared/api-errors.ts";
import { isAllowedOrigin, readAllowedOrigins, withCors } from "../_shared/cors.ts";
import { readSecretKeys } from "../_shared/secret-key.ts";
import { waitMessage } from "../_shared/wait-message.ts";
import { withoutSession } from "../_shared/without-session.ts";
import { fetchImage, NotFetched } from "./fetch-image.ts";

const allowedOrigins = readAllowedOrigins(Deno.env.get("ALLOWED_ORIGINS"));
const [publicKey = ""] = readSecretKeys(
  Deno.env.get("SUPABASE_PUBLISHABLE_KEYS"),
  Deno.env.get("SUPABASE_ANON_KEY"),
);
const requestSchema = z.object({
  address: z.string().max(4000),
  hosts: z.array(z.string().max(255)).max(200),
  http: z.boolean(),
});

Deno.serve(withCors(allowedOrigins, (request) => handle(request).catch(respondWithError)));

function respondWithError(error: unknown): Response {
  if (error instanceof NotFetched) return Response.json({ reason: error.message });
  console.error("import-images:", error instanceof Error ? error.message : error);
  return reject(500, "The image could not be fetched. Please try again.");
}

async function handle(request: Request): Promise<Response> {
  if (request.method !== "POST") return reject(405, "Use POST.");
  if (!isAllowedOrigin(request.headers, allowedOrigins)) {
    return reject(403, "Please use the website itself.");
  }
  const wait = await countImage(request.headers.get("authorization"));
  if (wait === null) return reject(403, "This account may not import images.");
  if (wait > 0) return reject(429, waitMessage("Many images were imported", wait));
  const { data: wanted, error } = requestSchema.safeParse(await request.json().catch(() => null));
  if (error) return reject(400, "The request is not valid.");
  const bytes = await fetchImage(wanted.address, wanted);
  // functions-js reads other types as text.
  const headers = { "Content-Type": "application/octet-stream", "Cache-Control": "no-store" };
  return new Response(bytes, { headers });
}

/** @returns the seconds to wait, 0 when the image may be fetched, null for others than those who write posts */
async function countImage(authorization: string | null): Promise<number | null> {
  if (!authorization) return null;
  const client = createClient(Deno.env.get("SUPABASE_URL") ?? "", publicKey, {
    auth: withoutSession,
    global: { headers: { Authorization: authorization } },
  });
  const { data, error } = await client.rpc("count_image_import");
  if (error?.code === "42501" || isSessionEnd(error?.code)) return null;
  if (error) throw error;
  return data;
}

function reject(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
