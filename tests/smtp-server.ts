// A real SMTP server that accepts and records every mail, or fails in one of the ways that servers fail.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface Mail {
  /** The MAIL FROM and RCPT TO lines. */
  envelope: string[];
  /** Headers and body as they were sent. */
  text: string;
}

export type Fault =
  /** A temporary failure: 451. */
  | "rejects temporarily"
  /** A permanent failure: 554. */
  | "rejects permanently"
  /** Accepts the connection and sends nothing. */
  | "tarpit"
  /** Receives the mail and never sends the 250. */
  | "never confirms the mail"
  /** Closes the connection after half of the mail, which it discards. */
  | "disconnects during the mail"
  /** Closes the connection after the whole mail without accepting it. */
  | "disconnects before accepting the mail"
  /** Accepts the mail and closes the connection before the 250. */
  | "disconnects after accepting the mail";

export type SmtpServer = Awaited<ReturnType<typeof startSmtp>>;

/** @param host another loopback address, on the port of a mail server */
export async function startSmtp(host?: string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => serve(socket));
  await listen(host ? 2525 : 0);
  const { port } = server.address() as AddressInfo;
  const state = {
    mails: [] as Mail[],
    /** Every line of the conversations, without the mails. */
    commands: [] as string[],
    /** Responds 550 to every sender and recipient. */
    rejectsAddresses: false,
    /** The only recipient who gets 550. */
    refuses: null as string | null,
    fault: null as Fault | null,
    /** The only password that it accepts, whatever the user. Without one, it asks for none. */
    password: null as string | null,
    server,
    url: `smtp://${host ?? "localhost"}:${port}`,
    /** The peak number of simultaneous connections. */
    mostConnections: 0,
    /** The number of connections so far. */
    connections: 0,
    /** Stops listening, as if the machine were off. */
    async stopListening(): Promise<void> {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    /** Listens on the same port again. */
    listenAgain: (): Promise<void> => listen(port),
  };
  return state;

  async function listen(on: number): Promise<void> {
    server.listen(on, host ?? "127.0.0.1");
    await once(server, "listening");
  }

  function serve(socket: Socket): void {
    sockets.add(socket);
    state.connections++;
    state.mostConnections = Math.max(state.mostConnections, sockets.size);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    if (state.fault === "tarpit") return;
    let envelope: string[] = [];
    let pending = "";
    let inData = false;
    socket.write("220 test\r\n");
    socket.on("data", (chunk) => {
      pending += chunk;
      if (inData && state.fault === "disconnects during the mail") return socket.destroy();
      for (;;) {
        const end = pending.indexOf(inData ? "\r\n.\r\n" : "\r\n");
        if (end < 0) return;
        const text = pending.slice(0, end);
        pending = pending.slice(end + (inData ? 5 : 2));
        if (inData) {
          inData = false;
          acceptMail(socket, { envelope, text });
          envelope = [];
          continue;
        }
        state.commands.push(text);
        if (/^(MAIL|RCPT)/i.test(text)) {
          envelope.push(text);
          socket.write(replyTo(text));
        } else if (/^DATA/i.test(text)) {
          inData = true;
          socket.write("354 go on\r\n");
        } else if (/^RSET/i.test(text)) {
          envelope = [];
          socket.write("250 ok\r\n");
        } else if (/^STARTTLS/i.test(text)) {
          socket.write("502 no TLS here\r\n");
        } else if (/^EHLO/i.test(text) && state.password !== null) {
          socket.write("250-test\r\n250 AUTH PLAIN\r\n");
        } else if (/^AUTH PLAIN/i.test(text)) {
          const given = Buffer.from(text.split(" ")[2] ?? "", "base64")
            .toString()
            .split("\0")[2];
          const isRight = given === state.password;
          socket.write(isRight ? "235 welcome\r\n" : "535 5.7.8 Authentication failed\r\n");
        } else if (/^QUIT/i.test(text)) {
          socket.end("221 bye\r\n");
        } else {
          socket.write("250 ok\r\n");
        }
      }
    });
  }

  function replyTo(command: string): string {
    const isRefused = state.refuses !== null && command.includes(`TO:<${state.refuses}>`);
    if (state.rejectsAddresses || isRefused) return "550 not here\r\n";
    if (state.fault === "rejects temporarily") return "451 later\r\n";
    if (state.fault === "rejects permanently") return "554 never\r\n";
    return "250 ok\r\n";
  }

  function acceptMail(socket: Socket, mail: Mail): void {
    if (state.fault === "never confirms the mail") return;
    if (state.fault !== "disconnects before accepting the mail") state.mails.push(mail);
    if (state.fault?.startsWith("disconnects")) socket.destroy();
    else socket.write("250 queued\r\n");
  }
}

/** A loopback address of its own, so that servers of several tests have the same port. */
export function loopbackAddress(): string {
  const part = () => 1 + Math.floor(Math.random() * 250);
  return `127.${part()}.${part()}.${part()}`;
}

/** A mail's text, decoded from quoted-printable. */
export function decodeMail({ text }: Mail): string {
  return text
    .replace(/=\r\n/g, "")
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) =>
      Buffer.from(bytes.replaceAll("=", ""), "hex").toString(),
    );
}

/** A header's value, unfolded. */
export function headerOf({ text }: Mail, name: string): string | undefined {
  const head = text.slice(0, text.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
  return head.match(new RegExp(`^${name}: (.*)$`, "im"))?.[1]?.trim();
}
