import fc from "fast-check";
import { createTransport } from "nodemailer";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { headerOf, type SmtpServer, startSmtp } from "../../../tests/smtp-server.ts";
import { mapContactFields } from "../_shared/contact-fields.ts";
import { brandOf } from "./addresses.ts";
import { composeMail } from "./delivery.ts";
import { createResend, createSmtp, envelopeOf, type Mail } from "./mail-service.ts";
import { parseMessage } from "./message.ts";

const visitor = {
  ...mapContactFields(() => ""),
  name: "Ada Lovelace",
  email: "ada@example.com",
  message: "Please call me.",
};
const mail = compose(visitor);

function compose(data: typeof visitor): Mail {
  const created_at = "2026-11-25T17:30:00Z";
  const addressing = {
    ...{ from: "site@example.com", hasSender: true, publicAddress: "", to: [] },
    brand: brandOf({ firm: { name: 'Ash "&" Oak' } }, "https://www.example.com"),
  };
  const composed = composeMail({ id: "7", kind: "message", created_at, data }, addressing);
  return { ...composed, to: "adviser@example.com" };
}

/** For responses that never come. */
const short = { greeting: 150, silence: 150 };

let smtp: SmtpServer;

beforeAll(async () => {
  smtp = await startSmtp();
});

beforeEach(() => {
  smtp.fault = null;
  smtp.mails.length = 0;
  smtp.commands.length = 0;
});

afterEach(() => vi.restoreAllMocks());
afterAll(() => smtp.stopListening());

const send = (url = smtp.url, signal = new AbortController().signal, timeouts?: typeof short) =>
  createSmtp({ smtpUrl: new URL(url) }, timeouts).send(mail, signal);

test("a mail's Message-ID consists of the message's id and the sender's domain, its date is the message's", async () => {
  await send();
  expect(smtp.mails).toHaveLength(1);
  const [arrived] = smtp.mails;
  expect(arrived && headerOf(arrived, "Message-ID")).toBe("<7@example.com>");
  expect(arrived && headerOf(arrived, "Date")).toBe("Wed, 25 Nov 2026 17:30:00 +0000");
});

test.each([
  ["rejects temporarily", "451 later"],
  ["rejects permanently", "554 never"],
  ["disconnects during the mail", "Connection closed unexpectedly"],
  ["disconnects before accepting the mail", "Connection closed unexpectedly"],
  ["disconnects after accepting the mail", "Connection closed unexpectedly"],
] as const)("a failing server (%s) is reported as: %s", async (fault, reason) => {
  smtp.fault = fault;
  await expect(send()).rejects.toThrow(reason);
});

test.each([
  ["tarpit", { ...short, silence: 60_000 }, "Greeting never received"],
  ["never confirms the mail", { ...short, greeting: 60_000 }, "Timeout"],
] as const)("a silent server (%s) times out", async (fault, timeouts, reason) => {
  smtp.fault = fault;
  await expect(send(smtp.url, undefined, timeouts)).rejects.toThrow(reason);
});

test("a pooled connection that was closed is replaced", async () => {
  const service = createSmtp({ smtpUrl: new URL(smtp.url) });
  const { signal } = new AbortController();
  await service.send(mail, signal);
  await smtp.stopListening();
  await smtp.listenAgain();
  await service.send(mail, signal);
  expect(smtp.mails).toHaveLength(2);
});

test("sending is aborted by its signal", async () => {
  smtp.fault = "never confirms the mail";
  await expect(send(smtp.url, AbortSignal.timeout(50))).rejects.toThrow();
});

test("a password is not sent to another machine without TLS", async () => {
  const url = new URL(smtp.url);
  // This machine, by an address that is not recognized as such.
  const elsewhere = `smtp://user:hunter2@[::ffff:127.0.0.1]:${url.port}`;
  await expect(send(elsewhere)).rejects.toThrow(/STARTTLS/i);
  expect(smtp.commands).toContain("STARTTLS");
  expect(smtp.commands.join("\n")).not.toMatch(/AUTH|hunter2|MAIL FROM/);
});

const headerNames = [
  ...["from", "reply-to", "to", "subject", "message-id"],
  ...["date", "mime-version", "content-type"],
];

/** Line breaks, separators and whole headers in any order. */
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
        "\r\n.",
        "Bcc: eve@example.com",
      ),
      fc.constantFrom(",", ";", "<", ">", '"', "\\", "=?utf-8?Q?=0D=0ABcc:x?=", " ", "%0d%0a"),
      fc.string({ unit: "binary", maxLength: 12 }),
    ),
    { minLength: 2, maxLength: 12 },
  )
  .map((parts) => parts.join(""));

test("no visitor's text adds a header, a sender, a recipient or a reply address", async () => {
  const builder = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, async (name, phone, words) => {
      const result = parseMessage({ ...visitor, name, phone, message: `Ten letters ${words}` });
      if ("issues" in result) return;
      const composed = compose(result.message);
      const { message, envelope } = await builder.sendMail(envelopeOf(composed));
      const text = String(message);
      const head = text.slice(0, text.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
      const lines = head.split(/\r\n|\r|\n/);
      expect(lines.map((line) => line.split(":")[0]?.toLowerCase()).sort()).toEqual(
        [...headerNames].sort(),
      );
      expect(envelope).toEqual({ from: "site@example.com", to: ["adviser@example.com"] });
      expect(lines).toContain('From: "Ash \\"&\\" Oak" <site@example.com>');
      expect(lines).toContain("To: adviser@example.com");
      const replyTo = lines.find((line) => line.startsWith("Reply-To:")) ?? "";
      expect(replyTo).toMatch(/<ada@example\.com>$/);
      // Outside the quoted name there is one address.
      expect(replyTo.replace(/"(\\.|[^"\\])*"/g, "").match(/@/g)).toHaveLength(1);
    }),
    { numRuns: 200 },
  );
});

const quoted = { ...visitor, name: 'Ada "The Countess" <eve@example.com>' };
const resendMail = compose(quoted);
const resend = createResend("re_key");
const { signal } = new AbortController();

function respondWith(...responses: Response[]) {
  const fetched = vi.spyOn(globalThis, "fetch");
  for (const response of responses) fetched.mockResolvedValueOnce(response);
  return fetched;
}

test("Resend receives the mail as JSON with a quoted Reply-To and the same key for every attempt", async () => {
  const fetched = respondWith(Response.json({ id: "1" }));
  await resend.send(resendMail, signal);
  const [address, options] = fetched.mock.calls[0] ?? [];
  expect(address).toBe("https://api.resend.com/emails");
  const headers = new Headers(options?.headers);
  expect(headers.get("authorization")).toBe("Bearer re_key");
  expect(headers.get("idempotency-key")).toBe("message/7/adviser@example.com");
  expect(JSON.parse(String(options?.body))).toEqual({
    from: '"Ash \\"&\\" Oak" <site@example.com>',
    to: ["adviser@example.com"],
    reply_to: '"Ada \\"The Countess\\" <eve@example.com>" <ada@example.com>',
    subject: resendMail.subject,
    text: resendMail.text,
    html: resendMail.html,
    headers: { Date: "Wed, 25 Nov 2026 17:30:00 GMT" },
  });
});

test("a rejection by Resend is an error with its reason", async () => {
  respondWith(new Response("domain not verified", { status: 403 }));
  await expect(resend.send(resendMail, signal)).rejects.toThrow(
    "Resend responded with 403: domain not verified",
  );
});

test("a mail that Resend rate-limits is retried after the requested wait", async () => {
  const rateLimited = () => new Response("", { status: 429, headers: { "retry-after": "0.01" } });
  const fetched = respondWith(rateLimited(), rateLimited(), Response.json({ id: "1" }));
  await resend.send(resendMail, signal);
  expect(fetched).toHaveBeenCalledTimes(3);

  respondWith(rateLimited(), rateLimited(), rateLimited(), rateLimited());
  await expect(resend.send(resendMail, signal)).rejects.toThrow("Resend responded with 429");
});
