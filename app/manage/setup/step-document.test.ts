import { expect, test } from "vitest";
import { sectionSchemas } from "../../config/site-schema.ts";
import { emptyDocument } from "./setup-settings.ts";
import {
  documentOfFields,
  documentOfLicenses,
  errorsOfFields,
  errorsOfLicenses,
} from "./step-document.ts";
import { type FieldsStepId, fieldsByStep } from "./step-fields.ts";

function form(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

const check = (step: FieldsStepId, values: Record<string, string>) =>
  errorsOfFields(step, documentOfFields(step, emptyDocument(step), form(values)));

test("every field of a step is a setting of its section", () => {
  for (const [step, fields] of Object.entries(fieldsByStep)) {
    const settings = Object.keys(sectionSchemas[step as FieldsStepId].shape);
    expect(settings).toEqual(expect.arrayContaining(fields.map(({ name }) => name)));
  }
});

test("entered text is trimmed, and settings that the step does not ask for stay", () => {
  const base = { ...emptyDocument("firm"), mainColor: "#123456", tagline: "Before" };
  const document = documentOfFields(
    "firm",
    base,
    form({ name: " Byron & Daughters ", shortName: "", tagline: "After" }),
  );
  expect(document).toMatchObject({
    name: "Byron & Daughters",
    mainColor: "#123456",
    tagline: "After",
  });
  expect(sectionSchemas.firm.safeParse(document).success).toBe(true);
});

test("only the names of the firm and the adviser are required", () => {
  expect(check("firm", {})).toEqual({ name: "Please enter the name of your firm." });
  expect(check("adviser", {})).toEqual({ name: "Please enter your name." });
  expect(check("contact", { timeZone: "America/Chicago" })).toEqual({});
  expect(check("mail", {})).toEqual({});
});

test("each invalid entry has a message that says what to enter", () => {
  expect(
    check("contact", {
      phone: "12",
      email: "ada@",
      schedulingUrl: "calendly.com/ada",
      timeZone: "",
      city: "x".repeat(81),
    }),
  ).toEqual({
    phone: "Please enter a phone number such as (212) 555-0100.",
    email: "Please enter a valid email address.",
    schedulingUrl: "Please enter a full address that starts with https://.",
    timeZone: "Please choose a time zone.",
    city: "Please use at most 80 characters.",
  });
});

test("phone numbers may have an extension or another country's code", () => {
  for (const phone of ["(212) 555-0100 ext. 12", "+44 20 7946 0958"]) {
    expect(check("contact", { phone, timeZone: "Europe/London" })).toEqual({});
  }
});

test("recipients are separated by line breaks, spaces or commas", () => {
  const values = form({ recipients: "ada@example.com\r\n grace@example.com, ben@example.com\r\n" });
  const document = documentOfFields("mail", emptyDocument("mail"), values);
  expect(document.recipients).toEqual(["ada@example.com", "grace@example.com", "ben@example.com"]);
  expect(check("mail", { recipients: "ada@example.com, grace" })).toEqual({
    recipients: "Please enter one valid email address per line.",
  });
});

test("licenses are rows; empty and removed ones are left out", () => {
  const values = form({
    "licenses.0.state": "",
    "licenses.0.type": "",
    "licenses.2.state": "Maine",
    "licenses.2.type": "Life",
    "licenses.2.number": "12",
    "licenses.2.expires": "2027-03-31",
    npn: "123",
  });
  const document = documentOfLicenses(emptyDocument("licenses"), values);
  expect(document).toMatchObject({
    licenses: [{ state: "Maine", type: "Life", number: "12", expires: "2027-03-31" }],
    npn: "123",
  });
  expect(errorsOfLicenses(emptyDocument("licenses"), values)).toEqual({});
});

test("an error of a license belongs to the row of the form", () => {
  const values = form({
    "licenses.0.state": "",
    "licenses.2.state": "Maine",
    "licenses.2.type": "",
    npn: "A1",
  });
  expect(errorsOfLicenses(emptyDocument("licenses"), values)).toEqual({
    "licenses.2.type": "Please enter the kind of license.",
    npn: "Please enter only digits, at most 12.",
  });
});
