import { expect, test } from "vitest";
import { contactFieldNames, mapContactFields } from "../_shared/contact-fields.ts";
import { composeConfirmation, composeMail } from "./mail.ts";

const addresses = { from: "site@example.com", to: ["adviser@example.com"] };

const message = {
  ...mapContactFields(() => ""),
  name: 'Ada "The Countess" <eve@example.com>',
  email: "ada@example.com",
  message: "First line.\nSecond line.",
};

test("the visitor's address is in Reply-To and in the text, never in From", () => {
  expect(composeMail("7", message, addresses)).toEqual({
    id: "7",
    from: "site@example.com",
    to: ["adviser@example.com"],
    replyTo: { name: message.name, address: message.email },
    subject: `Message from ${message.name} on your website`,
    text: expect.stringMatching(
      /^Name: Ada .*\nEmail: ada@example.com\nPhone: not given\n(.+\n)*\nFirst line\.\nSecond line\.\n$/,
    ),
    html: expect.stringContaining("First line.<br>\nSecond line."),
  });
});

test("a mail has every field of the form, as text and as HTML", () => {
  const { text, html } = composeMail(
    "7",
    mapContactFields((name) => `the ${name}`),
    addresses,
  );
  for (const name of contactFieldNames) {
    expect(text).toContain(`the ${name}`);
    expect(html).toContain(`the ${name}`);
  }
});

test("a mail names the consent to calls only if it was given", () => {
  const textOf = (call_consent: string) =>
    composeMail("7", { ...message, call_consent }, addresses).text;
  expect(textOf("I agree to calls.")).toContain("Agreed to calls and texts: I agree to calls.");
  expect(textOf("")).not.toContain("Agreed");
});

test("the ending of a confirmation keeps its line breaks", () => {
  const mail = composeConfirmation("7", "ada@example.com", {
    ...{ ...addresses, ending: "Line one\nLine <two>" },
  });
  expect(mail.text).toContain("Line one\nLine <two>");
  expect(mail.html).toContain("Line one<br>\nLine &lt;two&gt;");
});

test("a domain in another script is in Reply-To in Punycode", () => {
  const mail = composeMail("7", { ...message, email: "ada@müller.de" }, addresses);
  expect(mail.replyTo?.address).toBe("ada@xn--mller-kva.de");
  expect(mail.text).toContain("Email: ada@müller.de\nPhone");
});

test("an address that some servers reject is left out of Reply-To, and the mail says so", () => {
  const mail = composeMail("7", { ...message, email: "jörg@müller.de" }, addresses);
  expect(mail).not.toHaveProperty("replyTo");
  for (const body of [mail.text, mail.html]) {
    expect(body).toContain("jörg@müller.de");
    expect(body).toContain("To answer, copy the address above");
  }
});

test("a visitor's text never becomes markup", () => {
  const attack = `<img src=x onerror="alert('1')"> </p></body> & &lt;script&gt;`;
  const { html } = composeMail(
    "7",
    { ...mapContactFields(() => attack), email: `"<b>"@example.com` },
    addresses,
  );
  const harmless = composeMail(
    "7",
    { ...message, name: "Ada", call_consent: "Yes", page: "/" },
    addresses,
  ).html;
  const tags = (text: string) => text.replace(/<br>/g, "").match(/<[^>]*>/g);
  expect(tags(html)).toEqual(tags(harmless));
  expect(html).not.toMatch(/<(img|b>|script)/);
  expect(html).toContain("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;");
  expect(html).toContain("&amp; &amp;lt;script&amp;gt;");
});
