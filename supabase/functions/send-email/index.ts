// Sends every mail of the site. Receives a visitor's contact message, stores it, and mails it in the background.
//   POST /send-email           a message, from anyone
//   POST /send-email/spam      a message whose form had text in its honeypot: stored apart, and not mailed
//   POST /send-email/account   a mail about an account, for Auth: its Send Email hook
//   POST /send-email/deliver   sends what is due, for callers with the secret key
//   POST /send-email/test      sends a test mail, for a signed-in owner
//   GET  /send-email/service   how mails are sent, without secrets, for a signed-in owner
//   POST /send-email/service   {service, secret} or null: replaces how they are sent, for an owner who has just signed in
//   GET  /send-email           whether it can send mail, and as whom, for callers with the secret key
// A message that is stored counts as received; a mail that fails is retried (delivery.ts).
import { createClient } from "@supabase/supabase-js";
import type { ContactMessage } from "../_shared/contact-fields.ts";
import { isAllowedOrigin, withCors } from "../_shared/cors.ts";
import { holdsSecretKey } from "../_shared/secret-key.ts";
import { checkSender } from "../_shared/sender-domain.ts";
import type { Service } from "../_shared/smtp-options.ts";
import { waitMessage } from "../_shared/wait-message.ts";
import { withoutSession } from "../_shared/without-session.ts";
import { readAccountMails } from "./account-mail.ts";
import { type Addressing, createAddressBook } from "./addresses.ts";
import { asCaller, createServiceChoice } from "./chosen-service.ts";
import { createDelivery } from "./delivery.ts";
import {
  type FunctionSettings,
  type ProjectSettings,
  readFunctionSettings,
} from "./function-settings.ts";
import { logError } from "./log.ts";
import { createMailService } from "./mail-service.ts";
import { parseMessage, rowIdOf } from "./message.ts";
import { createQueue, pageChanged } from "./queue.ts";
import { secondsToWait } from "./rate-limit.ts";
import { sendTestMail } from "./test-mail.ts";
import { passesTurnstile } from "./turnstile.ts";
import { isSignedWebhook } from "./webhook.ts";

/** Defined on a hosted project. The process of the embedded backend keeps running without it. */
declare const EdgeRuntime: { waitUntil(work: Promise<void>): void } | undefined;

const maxBodyBytes = 64 * 1024;
/** The timeout of a request to the database in milliseconds: a visitor may be waiting. */
const databaseTimeout = 5_000;
const notHuman = "We could not check that you are a person. Please reload the page and try again.";
const wrongOrigin = "Please use the form on the website itself.";
const onlyOwners = "Only an owner may do this.";
const apology = "We could not take your message just now. Please try again later.";

const settings = readFunctionSettings((name) => Deno.env.get(name));
reportProblems();
const handle = settings.project ? createHandler(settings.project, settings) : handleUnconfigured;

Deno.serve(withCors(settings.allowedOrigins, (request) => handle(request).catch(handleError)));

/** Logs the problems at each request, because the log of the start may be lost. */
async function handleUnconfigured(): Promise<Response> {
  reportProblems();
  return json(503, { error: apology });
}

function handleError(error: unknown): Response {
  logError("request failed", error);
  return json(500, { error: apology });
}

function reportProblems(): void {
  for (const problem of settings.problems) console.error(`send-email: ${problem}`);
}

function createHandler(
  { url, secretKeys }: ProjectSettings,
  options: FunctionSettings,
): (request: Request) => Promise<Response> {
  const { allowedOrigins, hookSecrets, mail, mailHeld, problems, site, turnstile } = options;
  const client = createClient(url, secretKeys[0], {
    auth: withoutSession,
    global: {
      fetch: (input, init) =>
        fetch(input, { ...init, signal: AbortSignal.timeout(databaseTimeout) }),
    },
  });
  const queue = createQueue(client);
  const readAddresses = createAddressBook(client, mail.environment, site);
  const choice = createServiceChoice({
    ...{ fromEnvironment: mail.service, isHeld: mailHeld, client },
    secretsKey: options.secretsKey,
  });
  let current: ReturnType<typeof createMailing> | null = null;

  return async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET" && holdsSecretKey(request.headers, secretKeys)) {
      return json(200, await describeMailing());
    }
    if (request.method === "GET" && pathname.endsWith("/send-email/service")) {
      return describeService(request);
    }
    if (request.method !== "POST") {
      return json(405, { error: "Send the message with POST." }, { Allow: "POST, OPTIONS" });
    }
    if (pathname.endsWith("/send-email/deliver")) return deliver(request);
    if (pathname.endsWith("/send-email/account")) return mailAccount(request);
    if (!isAllowedOrigin(request.headers, allowedOrigins)) return json(403, { error: wrongOrigin });
    if (pathname.endsWith("/send-email/test")) return test(request);
    if (pathname.endsWith("/send-email/service")) return changeService(request);
    const isSpam = pathname.endsWith("/send-email/spam");
    const text = await readText(request);
    if (text === null) return json(413, { error: "The message is too long." });
    const { message, issues } = parseMessage(parseJson(text));
    if (issues) return json(400, { error: issues[0]?.message, issues });
    if (!(await passesTurnstile(request.headers, turnstile))) return json(403, { error: notHuman });
    const seconds = await secondsToWait(client, request.headers, isSpam);
    if (seconds > 0) {
      const error = waitMessage("Too many messages came", seconds);
      return json(429, { error }, { "Retry-After": String(seconds) });
    }
    const key = request.headers.get("idempotency-key");
    return isSpam
      ? receiveSpam(rowIdOf(message, key && `spam ${key}`), message)
      : receive(rowIdOf(message, key), message);
  };

  /** What sends mails now; null when they are only stored. @throws while the database does not answer and was never asked */
  async function findMailing(): Promise<typeof current> {
    const service = await choice.choose();
    if (!service) return null;
    const key = "smtpUrl" in service ? service.smtpUrl.href : service.resendApiKey;
    if (current?.key !== key) current = createMailing(service, key);
    return current;
  }

  function createMailing(chosen: Service, key: string) {
    const { retrySeconds, confirms, dkimSelector } = mail;
    const service = createMailService(chosen);
    return {
      key,
      service,
      delivery: createDelivery({ queue, service, readAddresses, retrySeconds, confirms }),
      checkSender: ({ from, brand }: Addressing) =>
        checkSender({ service: chosen, dkimSelector, from, site: brand.site }),
    };
  }

  async function deliverDue(): Promise<void> {
    try {
      await (await findMailing())?.delivery.deliverDue();
    } catch (error) {
      logError("the mail service cannot be read", error);
    }
  }

  async function describeMailing() {
    const mailing = await findMailing();
    return {
      ...{ isConfigured: mailing !== null || mailHeld, isHeld: mailHeld },
      isEntered: mail.service === null,
      isUnreadable: mail.service === null && (await choice.isUnreadable()),
      problem: problems.join("; ") || null,
      sender: mailing && (await mailing.checkSender(await readAddresses())),
      takesAccountMails: hookSecrets !== null,
    };
  }

  async function describeService({ headers }: Request): Promise<Response> {
    const caller = asCaller(url, headers);
    const entered = caller && (await choice.readFor(caller));
    if (!entered) return json(403, { error: onlyOwners });
    return json(200, {
      ...entered,
      setBy: mail.service && ("smtpUrl" in mail.service ? "SMTP_URL" : "RESEND_API_KEY"),
      isHeld: mailHeld,
      isUnreadable: await choice.isUnreadable(),
      takesAccountMails: hookSecrets !== null,
    });
  }

  async function changeService(request: Request): Promise<Response> {
    const caller = asCaller(url, request.headers);
    if (!caller || !(await choice.readFor(caller))) return json(403, { error: onlyOwners });
    const problem = await choice.change(caller, parseJson((await readText(request)) ?? ""));
    if (problem) return json(problem.status, { error: problem.error });
    // What waited until now is sent.
    inBackground(deliverDue());
    return json(200, {});
  }

  /** Responds before anything is sent: the caller is a schedule with a short timeout. */
  function deliver(request: Request): Response {
    if (!holdsSecretKey(request.headers, secretKeys)) {
      return json(401, { error: "This needs the secret key." });
    }
    inBackground(deliverDue());
    return json(202, {});
  }

  /** Auth fails the request that needs the mail unless the response is 200, and repeats the call after 503 with Retry-After. */
  async function mailAccount(request: Request): Promise<Response> {
    const text = (await readText(request)) ?? "";
    if (!hookSecrets || !isSignedWebhook(request.headers, text, hookSecrets, new Date())) {
      return json(401, { error: "This needs the signature of Auth." });
    }
    const mails = readAccountMails(text, new Date());
    if (!mails) return json(400, { error: "The site has no such mail." });
    try {
      if (!(await findMailing())) return json(503, { error: "There is no mail service." });
      await queue.add(mails);
    } catch (error) {
      logError("account mail not queued", error);
      return json(503, { error: apology }, { "Retry-After": "1" });
    }
    inBackground(deliverDue());
    return json(200, {});
  }

  async function test({ headers }: Request): Promise<Response> {
    const caller = asCaller(url, headers);
    const result =
      caller && (await sendTestMail(caller, { choice, findMailing, readAddresses, mailHeld }));
    return result ? json(200, result) : json(403, { error: onlyOwners });
  }

  async function receive(id: string, message: ContactMessage): Promise<Response> {
    try {
      if (!(await queue.store(id, message))) return json(409, { error: pageChanged });
    } catch (error) {
      logError("not stored", error);
      return sendUnstored(id, message);
    }
    inBackground(mailStored(id));
    return json(200, { id });
  }

  /** The database is the only place for it. */
  async function receiveSpam(id: string, message: ContactMessage): Promise<Response> {
    const isStored = await queue.store(id, message, { isSpam: true });
    return isStored ? json(200, { id }) : json(409, { error: pageChanged });
  }

  /** Without the database the mail is the message's only copy, so the visitor waits until it is sent. */
  async function sendUnstored(id: string, message: ContactMessage): Promise<Response> {
    try {
      const mailing = await findMailing();
      if (!mailing) return json(500, { error: apology });
      await mailing.delivery.sendUnstored(id, message);
      return json(200, { id: null });
    } catch (error) {
      logError("neither stored nor sent", error);
      return json(500, { error: apology });
    }
  }

  async function mailStored(id: string): Promise<void> {
    if ((await findMailing().catch(() => null)) === null) logStoredOnly(id);
    else await deliverDue();
  }

  /** Logs no text of the visitor: the inbox shows the message. */
  function logStoredOnly(id: string): void {
    const reason = mailHeld ? "outgoing mail is held" : problems.join("; ");
    const line = `send-email: ${id} is stored and not mailed: ${reason || "no mail service is configured"}`;
    if (!mailHeld && problems.length > 0) console.error(line);
    else console.log(line);
  }
}

function inBackground(work: Promise<void>): void {
  if (typeof EdgeRuntime !== "undefined") EdgeRuntime.waitUntil(work);
}

/** Ignores the content type: functions-js sends a string as text/plain. Null when it is too long. */
async function readText(request: Request): Promise<string | null> {
  if (Number(request.headers.get("content-length")) > maxBodyBytes) return null;
  const bytes = await request.arrayBuffer();
  return bytes.byteLength > maxBodyBytes ? null : new TextDecoder().decode(bytes);
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
