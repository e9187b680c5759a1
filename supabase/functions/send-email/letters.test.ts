import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { adviser, composeSample, firm, mailNames, sourceOf } from "../../../tests/mail-samples.ts";
import { contactFieldNames, mapContactFields } from "../_shared/contact-fields.ts";
import { type Brand, renderLetter } from "./layout.ts";
import { composeLetter, letterKinds } from "./letters.ts";

const folder = join(import.meta.dirname, "../../../tests/mails");
const brand: Brand = {
  ...{ name: "Ash & Oak", site: "https://www.example.com", logo: null, color: "#1e4a40" },
  ...{ ending: "Ada Byron\nAsh & Oak", timeZone: "America/Los_Angeles" },
};
const visitor = { name: "Ada", email: "ada@example.com", message: "First line.\nSecond line." };

function compose(kind: string, data: Record<string, unknown> = {}, look = brand) {
  const letter = composeLetter({ kind, data, created_at: "2026-11-25T17:30:00Z" }, look);
  return { ...letter, ...renderLetter(letter, look) };
}

test.each(mailNames)("the mail %s has the expected source", async (name) => {
  await expect(await sourceOf(name)).toMatchFileSnapshot(join(folder, `${name}.eml`));
});

test("every letter has an expected source, and nothing else has", () => {
  const sources = globSync("*.eml", { cwd: folder }).map((file) => file.replace(/\.eml$/, ""));
  expect(sources.toSorted()).toEqual(mailNames.toSorted());
  expect(new Set(mailNames.map((name) => composeSample(name).kind))).toEqual(new Set(letterKinds));
});

test.each(mailNames)("the mail %s says whose it is, and its lines are short", (name) => {
  const { from, text, html, subject } = composeSample(name);
  expect(from.name).toBe(firm.name);
  for (const body of [text, html]) {
    expect(body).toContain(adviser.name);
    expect(body).toContain("https://www.example.com");
  }
  const long = text.split("\n").filter((line) => line.length > 76 && !line.startsWith("https://"));
  expect(long).toEqual([]);
  expect(subject).toMatch(/^[^\u200b-\u200f\u202a-\u202e]+$/);
});

test("the visitor's address is in Reply-To and in the text, and the words come first", () => {
  const { replyTo, subject, text, html } = compose("message", visitor);
  expect(replyTo).toEqual({ name: "Ada", address: "ada@example.com" });
  expect(subject).toBe("Message to Ash & Oak from Ada");
  expect(text).toMatch(
    /^First line\.\nSecond line\.\n\nName: Ada\nEmail: ada@example.com\nPhone: not given\n/,
  );
  expect(text).toContain("Sent: Nov 25, 2026, 9:30:00 AM PST");
  expect(html).toContain("First line.<br>\nSecond line.");
});

test("a mail has every field of the form, as text and as HTML", () => {
  const { text, html } = compose(
    "message",
    mapContactFields((name) => `the ${name}`),
  );
  for (const name of contactFieldNames) {
    expect(text).toContain(`the ${name}`);
    expect(html).toContain(`the ${name}`);
  }
});

test("a mail names the consent to calls only if it was given", () => {
  const textOf = (call_consent: string) => compose("message", { ...visitor, call_consent }).text;
  expect(textOf("I agree to calls.")).toContain("Agreed to calls and texts: I agree to calls.");
  expect(textOf("")).not.toContain("Agreed");
});

test.each([
  [
    "a domain in another script is in Reply-To in Punycode",
    "ada@müller.de",
    "ada@xn--mller-kva.de",
  ],
  ["an address that some servers reject is left out of Reply-To", "jörg@müller.de", undefined],
  ["an address without a top-level domain is left out of Reply-To", "ada@localhost", undefined],
  ["an address whose domain is a number is left out of Reply-To", "ada@1", undefined],
  ["without an address there is no Reply-To", "", undefined],
])("%s", (_rule, email, expected) => {
  const { replyTo, text } = compose("message", { ...visitor, email });
  expect(replyTo?.address).toBe(expected);
  expect(text.includes("To answer, copy the address above")).toBe(!expected);
  expect(text).toContain(`Email: ${email || "not given"}`);
});

test("a visitor's text never becomes markup", () => {
  const attack = `<img src=x onerror="alert('1')"> </p></body> & &lt;script&gt;`;
  const hostile = mapContactFields(() => attack);
  const harmless = { ...visitor, call_consent: "Yes", page: "/", email: "" };
  const tags = (text: string) => text.replace(/<br>/g, "").match(/<[^>]*>/g);
  const { html } = compose("message", { ...hostile, email: "" });
  expect(tags(html)).toEqual(tags(compose("message", harmless).html));
  expect(html).toContain("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;");
  expect(html).toContain("&amp; &amp;lt;script&amp;gt;");
});

test.each([
  ["waits for approval", {}, "Visitors do not see it until you approve it."],
  ["was approved", { approved_at: "2026-11-24" }, "It is on your website."],
  ["was refused", { refused_at: "2026-11-24" }, "It was refused: visitors do not see it."],
])("the mail about a review that %s says so", (_state, decision, sentence) => {
  const { text } = compose("testimonial", { content: "Good", name: "Ada", ...decision });
  expect(text).toContain(sentence);
});

test("without a published firm and the site's address, a mail has neither a logo nor a broken link", () => {
  const { text, html } = compose(
    "testimonial",
    { content: "Good", name: "Ada" },
    { ...brand, site: null },
  );
  expect(text).toContain("Open the testimonials: /manage/testimonials on the website.");
  expect(html).not.toMatch(/<(img|a) /);
});

test.each([
  ["#1e4a40", "#ffffff"],
  ["#f2d16b", "#000000"],
])("the button has the firm's color %s and letters that can be read on it", (color, letters) => {
  const { html } = compose("test", {}, { ...brand, color });
  expect(html).toContain(`background:${color};color:${letters} !important`);
});

test("a link of Auth leads to the address in the settings, not to the one that a request named", () => {
  const data = { site: "https://evil.example", token: "t", seconds: 3600 };
  expect(compose("recovery", data).text).not.toContain("evil");
  expect(compose("recovery", data, { ...brand, site: null }).text).toContain(
    "https://evil.example/confirm#",
  );
});

test.each(["unknown", "constructor"])("the kind %s is an error", (kind) => {
  expect(() => compose(kind)).toThrow("There is no letter");
});
