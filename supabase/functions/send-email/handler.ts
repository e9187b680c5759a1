// What the function answers, once its settings are complete.
import { createClient } from "@supabase/supabase-js";
import { holdsSecretKey } from "../_shared/secret-key.ts";
import { isAllowedOrigin } from "./cors.ts";
import { createDelivery } from "./delivery.ts";
import { reasonOf } from "./log.ts";
import { composeMail } from "./mail.ts";
import { createSmtp } from "./mail-service.ts";
import { type Message, parseMessage } from "./message.ts";
import { createQueue } from "./queue.ts";
import { refusalOf, secondsToWait } from "./rate-limit.ts";
import { createResend } from "./resend.ts";
import { rowIdOf } from "./row-id.ts";
import type { ProjectSettings, Settings } from "./settings.ts";
import { passesTurnstile } from "./turnstile.ts";

/** What a hosted project offers. Elsewhere the process lives on by itself. */
declare const EdgeRuntime: { waitUntil(work: Promise<void>): void } | undefined;

const largestBody = 64 * 1024;
const notHuman =
  "We could not check that you are a person. Please reload the page and try again, or call us.";
const notFromHere = "Please use the form on the website itself.";
export const apology = "We could not take your message just now. Please try again, or call us.";

export function createHandler(
  { url, secretKeys }: ProjectSettings,
  { allowedOrigins, mail, mailHeld, problems, turnstile }: Settings,
): (request: Request) => Promise<Response> {
  const client = createClient(url, secretKeys[0], {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const queue = createQueue(client);
  const service =
    mail &&
    ("smtpUrl" in mail.service
      ? createSmtp(mail.service.smtpUrl)
      : createResend(mail.service.resendApiKey));
  const delivery = mail && service && createDelivery({ queue, ...mail, service });
  return answer;

  async function answer(request: Request): Promise<Response> {
    if (request.method !== "POST") {
      return json(405, { error: "Send the message with POST." }, { Allow: "POST, OPTIONS" });
    }
    if (new URL(request.url).pathname.endsWith("/send-email/deliver")) return deliver(request);
    if (!isAllowedOrigin(request.headers, allowedOrigins)) return json(403, { error: notFromHere });
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
    else noteStoredOnly(id, message);
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

  function noteStoredOnly(id: string, message: Message): void {
    if (mailHeld) {
      console.log(`send-email: ${id} is stored; outgoing mail is held`);
    } else if (problems.length > 0) {
      // Without the text: a site that means to have a mail service has no messages in its log.
      console.error(`send-email: ${id} is stored and not mailed: ${problems.join("; ")}`);
    } else {
      const { subject, text } = composeMail(id, message, "", "");
      console.log(`No mail service is configured. Stored only:\n${subject}\n${text}`);
    }
  }
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

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}
