// Mail over SMTP through nodemailer.
// Covers: STARTTLS and implicit TLS, a password, a small pool of connections, a limit on every wait.
// Does not cover: OAuth, DKIM, several recipients.
import { connect, type Socket } from "node:net";
import { createTransport, type Transporter } from "nodemailer";
import { extraHeaders, type Mail, type MailService } from "./mail.ts";

export interface Patience {
  /** Milliseconds to connect, to be greeted and to start TLS. */
  greeting: number;
  /** Milliseconds of silence afterwards: servers look a mail over before they take it. */
  silence: number;
}

const usualPatience: Patience = { greeting: 10_000, silence: 60_000 };
const connections = 5;

export function createSmtp(url: URL, patience = usualPatience): MailService {
  let pool: Transporter | undefined;
  return {
    concurrency: connections,
    async send(mail, signal) {
      pool ??= createPool(url, patience);
      await pool.sendMail({ ...envelopeOf(mail), signal });
    },
  };
}

/** Everything of the mail as nodemailer takes it. It encodes and folds headers; none can be added. */
export function envelopeOf(mail: Mail) {
  const { id, from, to, replyTo, subject, text, html } = mail;
  const domain = from.match(/@([^\s<>@]+)>?\s*$/)?.[1] ?? "localhost";
  return {
    messageId: `<${id}@${domain}>`,
    ...{ from, to, replyTo, subject, text, html },
    headers: extraHeaders(mail),
  };
}

function createPool(url: URL, { greeting, silence }: Patience): Transporter {
  const secure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port) || (secure ? 465 : 587);
  return createTransport({
    pool: true,
    maxConnections: connections,
    idleTimeout: 10_000,
    // The library repeats only what it has not begun to send. Everything else is the queue's.
    maxRequeues: 1,
    host,
    port,
    secure,
    // A password never travels in the clear, except to a server on this machine.
    requireTLS: url.username !== "" && !["127.0.0.1", "::1", "localhost"].includes(host),
    ...(url.username && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: greeting,
    greetingTimeout: greeting,
    socketTimeout: silence,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options: unknown, done: SocketCallback) => openSocket(host, port, greeting, done),
  });
}

type SocketCallback = (error: Error | null, options?: { connection: Socket }) => void;

/**
 * The library would look the host up itself and connect to a bare address, which the permissions of
 * the function, given by name, do not cover.
 */
function openSocket(host: string, port: number, patience: number, done: SocketCallback): void {
  const socket = connect({ host, port });
  socket.setTimeout(patience, () => socket.destroy(new Error("The mail server does not answer")));
  socket.once("error", (error) => done(error));
  socket.once("connect", () => {
    socket.removeAllListeners("error");
    socket.setTimeout(0);
    done(null, { connection: socket });
  });
}
