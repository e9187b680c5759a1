// Takes a visitor's contact message: checks it, stores it, mails it to the adviser.
// The message counts as received once it is stored; sending may fail and is noted on the row.
import { createClient } from "@supabase/supabase-js";
import { corsHeaders } from "./cors.ts";
import { composeMail, createSendMail } from "./mail.ts";
import { type Message, parseMessage } from "./message.ts";

const largestBody = 64 * 1024;
const apology = "We could not take your message just now. Please try again, or call us.";

const messages = () =>
  createClient(setting("SUPABASE_URL") ?? "", secretKey(), {
    auth: { persistSession: false, autoRefreshToken: false },
  }).from("contact_messages");

const sendMail = createSendMail({
  smtpUrl: setting("SMTP_URL"),
  resendApiKey: setting("RESEND_API_KEY"),
});

Deno.serve(async (request) => {
  try {
    return await answer(request);
  } catch (error) {
    console.error("send-email:", error);
    return json(500, { error: apology });
  }
});

async function answer(request: Request): Promise<Response> {
  if (request.method === "OPTIONS") return new Response("ok", { headers: corsHeaders });
  if (request.method !== "POST") {
    return json(405, { error: "Send the message with POST." }, { Allow: "POST, OPTIONS" });
  }
  const text = await readText(request);
  if (text === null) return json(413, { error: "The message is too long." });
  const result = parseMessage(parseJson(text));
  if ("issues" in result) {
    return json(400, { error: result.issues[0]?.message, issues: result.issues });
  }
  return receive(result.message);
}

async function receive(message: Message): Promise<Response> {
  const id = await store(message);
  const delivery = await deliver(message);
  if (id) await note(id, delivery);
  if (id || delivery.status === "sent") return json(200, { id });
  return json(500, { error: apology });
}

/** @returns null when the database does not take it. The mail may still get through. */
async function store(message: Message): Promise<string | null> {
  try {
    const { data, error } = await messages().insert(message).select("id").single();
    if (error) throw error;
    return data.id;
  } catch (error) {
    console.error("send-email: not stored:", reason(error));
    return null;
  }
}

interface Delivery {
  status: "stored" | "sent" | "failed";
  sent_at?: string;
  last_error?: string;
}

async function deliver(message: Message): Promise<Delivery> {
  try {
    const to = setting("CONTACT_TO") ?? "";
    const sent = await sendMail(composeMail(message, setting("CONTACT_FROM") ?? to, to));
    return sent ? { status: "sent", sent_at: new Date().toISOString() } : { status: "stored" };
  } catch (error) {
    console.error("send-email: not sent:", reason(error));
    return { status: "failed", last_error: reason(error).slice(0, 1000) };
  }
}

/** The message is safe by now: a failure here is only logged. */
async function note(id: string, delivery: Delivery): Promise<void> {
  if (delivery.status === "stored") return;
  try {
    const { error } = await messages().update(delivery).eq("id", id);
    if (error) throw error;
  } catch (error) {
    console.error("send-email: status not noted:", reason(error));
  }
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

/** The newer secret keys come as a JSON object of names; older projects have the one variable. */
function secretKey(): string {
  const named = parseJson(setting("SUPABASE_SECRET_KEYS") ?? "");
  const newer = (named as { default?: unknown } | null)?.default;
  return typeof newer === "string" ? newer : (setting("SUPABASE_SERVICE_ROLE_KEY") ?? "");
}

function setting(name: string): string | undefined {
  return Deno.env.get(name) || undefined;
}

function reason(error: unknown): string {
  return String((error as { message?: unknown } | null)?.message ?? error);
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...corsHeaders, ...headers } });
}
