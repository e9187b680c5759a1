// A real SMTP server that takes every mail and remembers it.
import { createServer, type Server } from "node:net";

export interface Mail {
  /** The MAIL FROM and RCPT TO lines. */
  envelope: string[];
  /** Headers and body as they were sent. */
  text: string;
}

export async function startSmtp() {
  const mails: Mail[] = [];
  const state = { mails, refuse: false, server: null as unknown as Server, url: "" };
  state.server = createServer((socket) => {
    let envelope: string[] = [];
    let pending = "";
    let inData = false;
    socket.on("error", () => {});
    socket.write("220 test\r\n");
    socket.on("data", (chunk) => {
      pending += chunk;
      for (;;) {
        const end = pending.indexOf(inData ? "\r\n.\r\n" : "\r\n");
        if (end < 0) return;
        const text = pending.slice(0, end);
        pending = pending.slice(end + (inData ? 5 : 2));
        if (inData) {
          mails.push({ envelope, text });
          envelope = [];
          inData = false;
          socket.write("250 queued\r\n");
        } else if (/^(MAIL|RCPT)/i.test(text)) {
          envelope.push(text);
          socket.write(state.refuse ? "550 not here\r\n" : "250 ok\r\n");
        } else if (/^DATA/i.test(text)) {
          inData = true;
          socket.write("354 go on\r\n");
        } else if (/^QUIT/i.test(text)) {
          socket.end("221 bye\r\n");
        } else {
          socket.write("250 ok\r\n");
        }
      }
    });
  });
  await new Promise<void>((resolve) => state.server.listen(0, "127.0.0.1", resolve));
  const address = state.server.address();
  state.url = `smtp://localhost:${typeof address === "object" && address ? address.port : 0}`;
  return state;
}

/** A mail's text without the soft line ends and =XX of quoted-printable. */
export function decodeMail({ text }: Mail): string {
  return text
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
