// Finds the problems of a document, by the path of the value, such as "socials[0].url". Each message says what to do.
import type { z } from "zod";
import { messageOf } from "../../../supabase/functions/_shared/message-of.ts";
import { findPhoneNumber } from "../../config/dial-url.ts";
import { isSectionName, type SectionName, sectionSchemas } from "../../config/site-schema.ts";
import { hintOf } from "../describe-failure.ts";
import {
  elementOf,
  type FieldKind,
  fieldAt,
  fieldKindOf,
  fieldsOf,
  orderedFields,
  type Schema,
  tidy,
} from "./fields.ts";

export type Problems = Readonly<Record<string, string>>;

export function findProblems(section: SectionName, document: object): Problems {
  const tidied = tidy(document);
  const problems = findOtherProblems(section, tidied);
  const { error } = sectionSchemas[section].safeParse(tidied);
  for (const issue of error?.issues ?? []) {
    const path = formatPath(issue.path);
    problems[path] ??= describeIssue(section, path, issue, valueAt(tidied, issue.path));
  }
  return problems;
}

/** Formats a path like the database. */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .slice(1);
}

/** Whether a path is at or below another one. */
export function isWithin(path: string, part: string): boolean {
  return path === part || path.startsWith(`${part}.`) || path.startsWith(`${part}[`);
}

export interface Rejection {
  section: SectionName;
  path: string;
  text: string;
}

/**
 * Reads an error of the database, such as "contact.phone must have at most 60 characters", whose hint is the path.
 * @returns null when it names no setting
 */
export function readDatabaseProblem(error: unknown): Rejection | null {
  const hint = hintOf(error) ?? "";
  const [section, ...path] = hint.split(".");
  if (!isSectionName(section)) return null;
  return { section, path: path.join("."), text: `This${messageOf(error).slice(hint.length)}.` };
}

const formats: Partial<Record<FieldKind, string>> = {
  email: "Enter an email address such as name@example.com.",
  link: "Enter a web address, such as https://www.example.com.",
  color: "Enter a color as six digits from 0 to f, such as #1e4a40.",
  digits: "Use digits only, 12 at most.",
  country: "Choose a country.",
  timeZone: "Choose a time zone.",
  date: "Enter a date.",
  number: "Enter a number.",
};
const invalidPhone =
  "Enter a number that can be dialed, such as (503) 555-0142 or +44 20 7946 0018 ext. 12.";
const blank = "Fill this in.";
const blankEntry = "Fill this in or remove it.";

function describeIssue(
  section: SectionName,
  path: string,
  issue: z.core.$ZodIssue,
  value: unknown,
): string {
  if (issue.code === "too_big" && issue.origin === "string") {
    return `Shorten this to ${issue.maximum} characters. It has ${String(value).length}.`;
  }
  if (issue.code === "too_big" && issue.origin === "array") {
    return `Remove entries: there can be ${issue.maximum} at most.`;
  }
  if (value === "" || value === undefined) return issue.path.length > 1 ? blankEntry : blank;
  if ((issue.code === "too_big" || issue.code === "too_small") && issue.origin === "number") {
    return `Enter a number of at ${issue.code === "too_big" ? `most ${issue.maximum}` : `least ${issue.minimum}`}.`;
  }
  const kind = fieldAt(section, path)?.kind;
  return (kind && formats[kind]) ?? "This has a form that is not allowed.";
}

/** Checks rules that the schemas lack: the database accepts these values, but no owner wants to publish them. */
function findOtherProblems(section: SectionName, document: object): Record<string, string> {
  const problems: Record<string, string> = {};
  visit(sectionSchemas[section], document, "");
  return problems;

  function visit(schema: Schema, object: unknown, path: string): void {
    const [first, last] = orderedFields(schema);
    if (first && last && isLess(valueAt(object, [last.name]), valueAt(object, [first.name]))) {
      const rule = last.info.kind === "date" ? "before" : "less than";
      problems[path ? `${path}.${last.name}` : last.name] =
        `This may not be ${rule} “${first.info.label}”.`;
    }
    for (const { name, schema: part, info } of fieldsOf(schema)) {
      const value = valueAt(object, [name]);
      const at = path ? `${path}.${name}` : name;
      const kind = fieldKindOf(part, info);
      if (
        kind === "phone" &&
        value &&
        !findPhoneNumber(String(value), String(valueAt(object, ["country"])))
      ) {
        problems[at] = invalidPhone;
      }
      if (kind === "timeZone" && !isTimeZone(String(value))) problems[at] = "Choose a time zone.";
      if (kind === "group") visit(part, value, at);
      if (!Array.isArray(value)) continue;
      for (const [index, entry] of value.entries()) {
        if (entry === "") problems[`${at}[${index}]`] = blankEntry;
        visit(elementOf(part), entry, `${at}[${index}]`);
      }
    }
  }
}

/** @param end a number, or a day as `2026-11-22` or nothing */
function isLess(end: unknown, start: unknown): boolean {
  if (typeof end === "number") return end < Number(start);
  return end !== "" && String(end) < String(start);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    // Reading a property of anything but null and undefined is safe.
    (inner, part) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[part],
    value,
  );
}
