import fc from "fast-check";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { headerOf, type SmtpServer, startSmtp } from "../../../tests/smtp-server.ts";
import { composeMail } from "./mail.ts";
import { createSmtp, envelopeOf } from "./mail-service.ts";
import { parseMessage } from "./message.ts";

const visitor = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  phone: null,
  message: "Please call me.",
};
const mail = composeMail("7", visitor, "Site <site@example.com>", "adviser@example.com");
/** For what never comes. */
const hasty = { greeting: 150, silence: 150 };

let smtp: SmtpServer;

beforeAll(async () => {
  smtp = await startSmtp();
});

beforeEach(() => {
  smtp.fault = null;
  smtp.mails.length = 0;
  smtp.commands.length = 0;
});

afterAll(() => smtp.goDown());

const send = (url = smtp.url, signal = new AbortController().signal, patience?: typeof hasty) =>
  createSmtp(new URL(url), patience).send(mail, signal);

test("a mail arrives with a Message-ID made of the message's id and the sender's domain", async () => {
  await send();
  expect(smtp.mails).toHaveLength(1);
  const [arrived] = smtp.mails;
  expect(arrived && headerOf(arrived, "Message-ID")).toBe("<7@example.com>");
});

test.each([
  ["refuses for now", "451 later"],
  ["refuses for good", "554 never"],
  ["cuts before it has the mail", "Connection closed unexpectedly"],
  ["cuts before it takes the mail", "Connection closed unexpectedly"],
  ["cuts after it took the mail", "Connection closed unexpectedly"],
] as const)("a server in trouble (%s) is told as: %s", async (fault, reason) => {
  smtp.fault = fault;
  await expect(send()).rejects.toThrow(reason);
});

test.each([
  ["tarpit", { ...hasty, silence: 60_000 }, "Greeting never received"],
  ["silent after the mail", { ...hasty, greeting: 60_000 }, "Timeout"],
] as const)("a server that says nothing (%s) is given up", async (fault, patience, reason) => {
  smtp.fault = fault;
  await expect(send(smtp.url, undefined, patience)).rejects.toThrow(reason);
});

test("a connection that is used again and found cut is replaced", async () => {
  const service = createSmtp(new URL(smtp.url));
  const { signal } = new AbortController();
  await service.send(mail, signal);
  await smtp.goDown();
  await smtp.comeBack();
  await service.send(mail, signal);
  expect(smtp.mails).toHaveLength(2);
});

test("a sending that takes too long altogether is given up", async () => {
  smtp.fault = "silent after the mail";
  await expect(send(smtp.url, AbortSignal.timeout(50))).rejects.toThrow();
});

test("a password is not sent to another machine that offers no TLS", async () => {
  const url = new URL(smtp.url);
  // This machine by a name that is not known as such.
  const elsewhere = `smtp://user:hunter2@[::ffff:127.0.0.1]:${url.port}`;
  await expect(send(elsewhere)).rejects.toThrow(/STARTTLS/i);
  expect(smtp.commands).toContain("STARTTLS");
  expect(smtp.commands.join("\n")).not.toMatch(/AUTH|hunter2|MAIL FROM/);
});

const headerNames = [
  ...["from", "reply-to", "to", "subject", "message-id"],
  ...["date", "mime-version", "content-type"],
];

/** Line breaks, separators and whole headers, wherever they fit. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\r\n",
        "\n",
        "\r",
        "\0",
        "\u2028",
        "\u0085",
        "Bcc: eve@example.com",
        "\r\n.",
      ),
      fc.constantFrom(",", ";", "<", ">", '"', "\\", "=?utf-8?Q?=0D=0ABcc:x?=", " ", "%0d%0a"),
      fc.string({ unit: "binary", maxLength: 12 }),
    ),
    { minLength: 2, maxLength: 12 },
  )
  .map((parts) => parts.join(""));

test("whatever visitors write, a mail has the same headers and one sender, recipient and answer", async () => {
  const builder = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, async (name, phone, words) => {
      const result = parseMessage({ ...visitor, name, phone, message: `Ten letters ${words}` });
      if ("issues" in result) return;
      const composed = composeMail("7", result.message, mail.from, mail.to);
      const { message, envelope } = await builder.sendMail(envelopeOf(composed));
      const text = String(message);
      const head = text.slice(0, text.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
      const lines = head.split(/\r\n|\r|\n/);
      expect(lines.map((line) => line.split(":")[0]?.toLowerCase()).sort()).toEqual(
        [...headerNames].sort(),
      );
      expect(envelope).toEqual({ from: "site@example.com", to: ["adviser@example.com"] });
      expect(lines).toContain("From: Site <site@example.com>");
      expect(lines).toContain("To: adviser@example.com");
      const replyTo = lines.find((line) => line.startsWith("Reply-To:")) ?? "";
      expect(replyTo).toMatch(/<ada@example\.com>$/);
      // What is quoted is a name: outside of it stands one address.
      expect(replyTo.replace(/"(\\.|[^"\\])*"/g, "").match(/@/g)).toHaveLength(1);
    }),
    { numRuns: 500 },
  );
});
