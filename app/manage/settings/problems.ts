// What is wrong with a document, by the path of the value: "socials[0].url". Each message says what to do.
import { isPossiblePhoneNumber } from "libphonenumber-js/min";
import type { z } from "zod";
import { type SectionName, sectionSchemas } from "../../config/site-schema.ts";
import type { Field } from "./field-types.ts";
import { fieldsOf } from "./fields.ts";
import { tidy } from "./fit-document.ts";
import { isSectionName } from "./sections.ts";

export type Problems = Record<string, string>;

type Path = readonly PropertyKey[];

/** Writes a path as the database does. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text ? `${text}.${String(part)}` : String(part);
  }, "");
}

/** The problems that prevent publishing a document. */
export function findProblems(section: SectionName, document: object): Problems {
  const tidied = tidy(document);
  const problems: Problems = findOtherProblems(section, tidied);
  const { error } = sectionSchemas[section].safeParse(tidied);
  for (const issue of error?.issues ?? []) {
    problems[formatPath(issue.path)] ??= describeIssue(section, issue, valueAt(tidied, issue.path));
  }
  return problems;
}

/**
 * Reads a message of the database, such as "contact.phone must have at most 60 characters".
 * @returns null when it names no setting
 */
export function readDatabaseProblem(
  message: string,
): { section: SectionName; path: string; text: string } | null {
  const [, section, path = "", text = ""] =
    /^([a-z]+)(?:\.([\w.[\]]+))? (must .+|has .+|is .+)$/.exec(message) ?? [];
  if (!isSectionName(section)) return null;
  return { section, path, text: `This ${text}.` };
}

/** The field that shows a path: the one that the first part names. */
export function fieldOfPath(section: SectionName, path: string): Field | undefined {
  const [name] = path.split(/[.[]/);
  return fieldsOf(section).find((field) => field.name === name);
}

const formats: Partial<Record<string, string>> = {
  email: "Enter an email address such as name@example.com.",
  link: "Enter a web address that starts with https://, such as https://www.example.com.",
  color: "Enter a color as six digits from 0 to f, such as #1e4a40.",
  digits: "Use digits only, 12 at most.",
  country: "Choose a country.",
  timeZone: "Choose a time zone.",
  date: "Enter a date.",
};
const invalidPhone =
  "Enter a number that can be dialed, such as (503) 555-0142 or +44 20 7946 0018 ext. 12.";
const blank = "Fill this in.";
const blankEntry = "Fill this in or remove it.";

function describeIssue(section: SectionName, issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === "too_big" && issue.origin === "string") {
    return `Shorten this to ${issue.maximum} characters. It has ${String(value).length}.`;
  }
  if (issue.code === "too_big" && issue.origin === "array") {
    return `Remove entries: there can be ${issue.maximum} at most.`;
  }
  if (value === "" || value === undefined) return issue.path.length > 1 ? blankEntry : blank;
  return formats[kindAt(section, issue.path) ?? ""] ?? "This has a form that is not allowed.";
}

/** What the schemas do not say. The database accepts these values, but no owner wants them published. */
function findOtherProblems(section: SectionName, document: object): Problems {
  const problems: Problems = {};
  for (const { kind, name } of fieldsOf(section)) {
    const value = valueAt(document, [name]);
    if (kind === "phone" && typeof value === "string" && value) {
      if (!isDialable(value, String(valueAt(document, ["country"])))) problems[name] = invalidPhone;
    }
    if (kind === "timeZone" && !isTimeZone(String(value))) problems[name] = "Choose a time zone.";
    if (kind === "list" && Array.isArray(value)) {
      for (const [index, entry] of value.entries()) {
        if (entry === "") problems[formatPath([name, index])] = blankEntry;
      }
    }
  }
  return problems;
}

function isDialable(phone: string, country: string): boolean {
  // The library ignores a country that it does not know.
  return isPossiblePhoneNumber(phone, { defaultCountry: country as "US" });
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function kindAt(section: SectionName, path: Path): string | undefined {
  const field = fieldsOf(section).find(({ name }) => name === path[0]);
  if (field?.kind === "rows") return field.fields.find(({ name }) => name === path[2])?.kind;
  return field?.kind === "list" ? field.entryKind : field?.kind;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    // Reading a property of anything but null and undefined is safe.
    (inner, part) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[part],
    value,
  );
}
