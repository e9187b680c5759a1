import { afterEach, expect, test, vi } from "vitest";
import { composeMail, createSendMail } from "./mail.ts";

const message = {
  name: 'Ada "The Countess" <eve@example.com>',
  email: "ada@example.com",
  phone: null,
  message: "First line.\nSecond line.",
};
const mail = composeMail(message, "site@example.com", "adviser@example.com");

afterEach(() => vi.restoreAllMocks());

test("the visitor stands in Reply-To and in the text, never in From", () => {
  expect(mail).toEqual({
    from: "site@example.com",
    to: "adviser@example.com",
    replyTo: { name: message.name, address: message.email },
    subject: `Message from ${message.name} on your website`,
    text: `Name: ${message.name}\nEmail: ada@example.com\nPhone: not given\n\n${message.message}\n`,
  });
});

test("Resend gets the mail as JSON with a quoted Reply-To", async () => {
  const fetched = vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({ id: "1" }));
  expect(await createSendMail({ resendApiKey: "re_key" })(mail)).toBe(true);
  const [address, options] = fetched.mock.calls[0] ?? [];
  expect(address).toBe("https://api.resend.com/emails");
  expect(new Headers(options?.headers).get("authorization")).toBe("Bearer re_key");
  expect(JSON.parse(String(options?.body))).toMatchObject({
    from: "site@example.com",
    reply_to: '"Ada \\"The Countess\\" <eve@example.com>" <ada@example.com>',
  });
});

test("what Resend refuses is an error with its reason", async () => {
  vi.spyOn(globalThis, "fetch").mockResolvedValue(
    new Response("domain not verified", { status: 403 }),
  );
  await expect(createSendMail({ resendApiKey: "re_key" })(mail)).rejects.toThrow(
    "Resend answered 403: domain not verified",
  );
});

test("without a mail service the message is printed and counts as not sent", async () => {
  const printed = vi.spyOn(console, "log").mockImplementation(() => {});
  expect(await createSendMail({})(mail)).toBe(false);
  expect(printed.mock.calls[0]?.[0]).toContain("Second line.");
});
