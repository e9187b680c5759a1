// Takes a visitor's contact message, stores it, and mails it to the adviser in the background.
//   POST /send-email           a message, from anyone
//   POST /send-email/deliver   sends what is due, for callers with the secret key
// A message that is stored counts as received. It is sent as often as it takes (retry-pauses.ts).
import { createClient } from "@supabase/supabase-js";
import { holdsSecretKey, readSecretKeys } from "../_shared/secret-key.ts";
import { refusalOf, secondsToWait } from "./allowance.ts";
import { corsHeaders } from "./cors.ts";
import { createDelivery } from "./delivery.ts";
import { reasonOf } from "./error-reason.ts";
import { composeMail } from "./mail.ts";
import { createMailService } from "./mail-service.ts";
import { type Message, parseMessage } from "./message.ts";
import { createQueue } from "./queue.ts";
import { readRetryPauses } from "./retry-pauses.ts";
import { rowIdOf } from "./row-id.ts";
import { passesTurnstile } from "./turnstile.ts";

/** What a hosted project offers. Elsewhere the process lives on by itself. */
declare const EdgeRuntime: { waitUntil(work: Promise<void>): void } | undefined;

const largestBody = 64 * 1024;
const notHuman =
  "We could not check that you are a person. Please reload the page and try again, or call us.";
const apology = "We could not take your message just now. Please try again, or call us.";

const secretKeys = readSecretKeys(
  setting("SUPABASE_SECRET_KEYS"),
  setting("SUPABASE_SERVICE_ROLE_KEY"),
);
const client = createClient(setting("SUPABASE_URL") ?? "", secretKeys[0] ?? "", {
  auth: { persistSession: false, autoRefreshToken: false },
});
const queue = createQueue(client);
const service = createMailService({
  smtpUrl: setting("SMTP_URL"),
  resendApiKey: setting("RESEND_API_KEY"),
});
const to = setting("CONTACT_TO") ?? "";
const from = setting("CONTACT_FROM") ?? to;
const turnstile = {
  secretKey: setting("TURNSTILE_SECRET_KEY"),
  siteverifyUrl: setting("TURNSTILE_SITEVERIFY_URL"),
};
const pauses = readRetryPauses(setting("CONTACT_RETRY_PAUSES"));
const confirms = setting("CONTACT_CONFIRMATION") === "on";
const delivery = service && createDelivery({ queue, service, from, to, pauses, confirms });

Deno.serve(async (request) => {
  try {
    return await answer(request);
  } catch (error) {
    console.error("send-email:", reasonOf(error));
    return json(500, { error: apology });
  }
});

async function answer(request: Request): Promise<Response> {
  if (request.method === "OPTIONS") return new Response("ok", { headers: corsHeaders });
  if (request.method !== "POST") {
    return json(405, { error: "Send the message with POST." }, { Allow: "POST, OPTIONS" });
  }
  if (new URL(request.url).pathname.endsWith("/send-email/deliver")) return deliver(request);
  const text = await readText(request);
  if (text === null) return json(413, { error: "The message is too long." });
  const result = parseMessage(parseJson(text));
  if ("issues" in result) {
    return json(400, { error: result.issues[0]?.message, issues: result.issues });
  }
  if (!(await passesTurnstile(request.headers, turnstile))) return json(403, { error: notHuman });
  const seconds = await secondsToWait(client, request.headers);
  if (seconds > 0) {
    return json(429, { error: refusalOf(seconds) }, { "Retry-After": String(seconds) });
  }
  const id = rowIdOf(result.message, request.headers.get("idempotency-key"));
  return receive(id, result.message);
}

/** Answers at once: whoever calls by schedule need not wait, and no gateway loses its patience. */
function deliver(request: Request): Response {
  if (!holdsSecretKey(request.headers, secretKeys)) {
    return json(401, { error: "This needs the secret key." });
  }
  if (delivery) inBackground(delivery.deliverDue());
  return json(202, { mailService: Boolean(delivery) });
}

async function receive(id: string, message: Message): Promise<Response> {
  try {
    await queue.store(id, message);
  } catch (error) {
    console.error("send-email: not stored:", reasonOf(error));
    return sendUnstored(id, message);
  }
  if (delivery) inBackground(delivery.deliverDue());
  else print(id, message);
  return json(200, { id });
}

/** The database is away: the mail is the message's only chance, so the visitor waits for it. */
async function sendUnstored(id: string, message: Message): Promise<Response> {
  if (!delivery) return json(500, { error: apology });
  try {
    await delivery.sendUnstored(id, message);
    return json(200, { id: null });
  } catch (error) {
    console.error("send-email: neither stored nor sent:", reasonOf(error));
    return json(500, { error: apology });
  }
}

function print(id: string, message: Message): void {
  const { subject, text } = composeMail(id, message, from, to);
  console.log(`No mail service is configured. Stored only:\n${subject}\n${text}`);
}

function inBackground(work: Promise<void>): void {
  if (typeof EdgeRuntime !== "undefined") EdgeRuntime.waitUntil(work);
}

/** Whatever the content type: functions-js sends a string as text/plain. Null when it is too long. */
async function readText(request: Request): Promise<string | null> {
  if (Number(request.headers.get("content-length")) > largestBody) return null;
  const bytes = await request.arrayBuffer();
  return bytes.byteLength > largestBody ? null : new TextDecoder().decode(bytes);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function setting(name: string): string | undefined {
  return Deno.env.get(name) || undefined;
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...corsHeaders, ...headers } });
}
