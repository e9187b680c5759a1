import { expect, test } from "vitest";
import { defaultSettings } from "../../config/site.ts";
import { type SectionName, sectionNames } from "../../config/site-schema.ts";
import { findProblems, readDatabaseProblem } from "./problems.ts";

function problemsOf(section: SectionName, changes: object) {
  return findProblems(section, { ...defaultSettings[section], ...changes });
}

test.each(sectionNames)("the default of the section %s has no problem", (section) => {
  expect(problemsOf(section, {})).toEqual({});
});

test("each message says what to do", () => {
  expect(problemsOf("firm", { name: "  " })).toEqual({ name: "Fill this in." });
  expect(problemsOf("firm", { name: "A".repeat(72) })).toEqual({
    name: "Shorten this to 60 characters. It has 72.",
  });
  expect(problemsOf("look", { mainColor: "red" }).mainColor).toMatch(/such as #1e4a40/);
  expect(problemsOf("contact", { email: "ada@" }).email).toMatch(/such as name@example.com/);
  expect(problemsOf("contact", { schedulingUrl: "javascript:alert(1)" }).schedulingUrl).toMatch(
    /web address, such as https/,
  );
  expect(problemsOf("contact", { timeZone: "Mars/Base" }).timeZone).toBe("Choose a time zone.");
  expect(problemsOf("licenses", { npn: "12a" }).npn).toMatch(/digits only/);
  const pasted = {
    email: "\u202aada@example.com\u202c",
    phone: "\u202a(503)\u00a0555\u20110142\u202c",
  };
  expect(problemsOf("contact", pasted)).toEqual({});
  expect(problemsOf("licenses", { npn: "\u200b12345\u200b" })).toEqual({});
  expect(problemsOf("adviser", { bullets: Array(7).fill("A") }).bullets).toBe(
    "Remove entries: there can be 6 at most.",
  );
});

test("a range that ends before it begins is named at its end", () => {
  const annualIncome = { min: 5, max: 4, initial: 5 };
  expect(problemsOf("calculators", { annualIncome })).toEqual({
    "annualIncome.max": "This may not be less than “From”.",
  });
  expect(problemsOf("calculators", { annualIncome: { ...annualIncome, max: 5 } })).toEqual({});
  const notice = { firstDay: "2026-11-22", lastDay: "2026-11-21" };
  expect(problemsOf("notice", notice)).toEqual({ lastDay: "This may not be before “First day”." });
  for (const lastDay of ["", "2026-11-22"]) {
    expect(problemsOf("notice", { ...notice, lastDay })).toEqual({});
  }
});

test("problems of rows and list entries are found at their path", () => {
  const socials = [
    { name: "LinkedIn", url: "https://a.example" },
    { name: "", url: "b" },
  ];
  expect(problemsOf("contact", { socials })).toEqual({
    "socials[1].name": "Fill this in or remove it.",
    "socials[1].url": expect.stringContaining("https://"),
  });
  expect(problemsOf("adviser", { paragraphs: ["A", " "] })).toEqual({
    "paragraphs[1]": "Fill this in or remove it.",
  });
  expect(problemsOf("mail", { recipients: ["a@b.example", "c"] })).toEqual({
    "recipients[1]": expect.stringContaining("name@example.com"),
  });
});

test("problems within a service are found at their path", () => {
  const [service] = defaultSettings.services.items;
  const sections = [{ title: "", content: "", points: ["A", ""] }];
  expect(problemsOf("services", { items: [{ ...service, sections }] })).toEqual({
    "items[0].sections[0].title": "Fill this in or remove it.",
    "items[0].sections[0].points[1]": "Fill this in or remove it.",
  });
});

test("phone numbers may have an extension and another country, and must be possible", () => {
  for (const phone of ["", "(503) 555-0142", "503-555-0142 ext. 12", "+44 20 7946 0018 x3"]) {
    expect(problemsOf("contact", { phone }), phone).toEqual({});
  }
  for (const phone of ["5", "call me", "(503) 555-01", "+999 1"]) {
    expect(problemsOf("contact", { phone }).phone, phone).toMatch(/can be dialed/);
  }
  expect(problemsOf("contact", { phone: "020 7946 0018", country: "GB" })).toEqual({});
});

test("the database's messages are mapped to their field", () => {
  const problem = (hint: string | null, text: string) =>
    readDatabaseProblem({ hint, message: `${hint ?? ""}${text}` });
  expect(problem("contact.phone", " must have at most 60 characters")).toEqual({
    section: "contact",
    path: "phone",
    text: "This must have at most 60 characters.",
  });
  expect(
    problem("contact.socials[0].url", " has characters or a form that is not allowed"),
  ).toMatchObject({ path: "socials[0].url" });
  expect(problem("firm.name", " is missing")).toMatchObject({ path: "name" });
  expect(problem(null, "canceling statement due to statement timeout")).toBeNull();
  expect(problem("elsewhere.name", " is missing")).toBeNull();
});
