import { expect, test } from "vitest";
import { requestMail } from "./requests-page.tsx";

const url = "https://example.com/testimonials#review=6f9b3f4e-2f0a-4a64-9a43-6f5f6f1f7b11";

test("the email has the client's address, the whole link and what the site will say", () => {
  const mail = requestMail({ name: "Ada & Bob", email: "ada@example.com" }, url, "Hill & Dale");
  const [, to, subject, body = ""] =
    mail.match(/^mailto:([^?]*)\?subject=([^&]*)&body=([^&]*)$/) ?? [];
  expect([to, decodeURIComponent(subject ?? "")]).toEqual([
    "ada@example.com",
    "A review of Hill & Dale",
  ]);
  const lines = decodeURIComponent(body).split("\r\n\r\n");
  expect(lines[0]).toBe("Hello Ada & Bob,");
  expect(lines[2]).toBe(url);
  expect(body).toContain(encodeURIComponent("the site says that we asked"));
});

test("a name or an address cannot add recipients or headers", () => {
  const name = "Eve&bcc=eve@example.com\r\nBcc: eve";
  const mail = requestMail({ name, email: "a@b.example?bcc=eve,c" }, url, "A");
  expect(mail.split(/[?&]/)).toHaveLength(3);
  expect(mail).toMatch(/^mailto:a@b\.example%3Fbcc%3Deve%2Cc\?/);
  expect(requestMail({ name: "Ada", email: null }, url, "A")).toMatch(/^mailto:\?subject=/);
});
