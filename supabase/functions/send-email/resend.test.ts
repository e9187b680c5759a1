import { afterEach, expect, test, vi } from "vitest";
import { composeMail } from "./mail.ts";
import { createResend } from "./resend.ts";

const message = {
  name: 'Ada "The Countess" <eve@example.com>',
  email: "ada@example.com",
  phone: null,
  message: "First line.\nSecond line.",
};
const mail = composeMail("7", message, "site@example.com", "adviser@example.com");
const resend = createResend("re_key");
const { signal } = new AbortController();

afterEach(() => vi.restoreAllMocks());

function answerWith(...responses: Response[]) {
  const fetched = vi.spyOn(globalThis, "fetch");
  for (const response of responses) fetched.mockResolvedValueOnce(response);
  return fetched;
}

test("Resend gets the mail as JSON with a quoted Reply-To and a key that a repetition has too", async () => {
  const fetched = answerWith(Response.json({ id: "1" }));
  await resend.send(mail, signal);
  const [address, options] = fetched.mock.calls[0] ?? [];
  expect(address).toBe("https://api.resend.com/emails");
  const headers = new Headers(options?.headers);
  expect(headers.get("authorization")).toBe("Bearer re_key");
  expect(headers.get("idempotency-key")).toBe("contact-message/7");
  expect(JSON.parse(String(options?.body))).toEqual({
    from: "site@example.com",
    to: "adviser@example.com",
    reply_to: '"Ada \\"The Countess\\" <eve@example.com>" <ada@example.com>',
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
  });
});

test("what Resend refuses is an error with its reason", async () => {
  answerWith(new Response("domain not verified", { status: 403 }));
  await expect(resend.send(mail, signal)).rejects.toThrow(
    "Resend answered 403: domain not verified",
  );
});

test("what comes too fast for Resend is sent again after the pause it asks for", async () => {
  const tooFast = () => new Response("", { status: 429, headers: { "retry-after": "0.01" } });
  const fetched = answerWith(tooFast(), tooFast(), Response.json({ id: "1" }));
  await resend.send(mail, signal);
  expect(fetched).toHaveBeenCalledTimes(3);

  answerWith(tooFast(), tooFast(), tooFast(), tooFast());
  await expect(resend.send(mail, signal)).rejects.toThrow("Resend answered 429");
});
