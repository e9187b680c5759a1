// Reads site-schema.ts for the forms: the fields of a schema, their kinds and limits, and documents of its shape. Fills in
// what the owner need not type.

import { z } from "zod";
import { trimUnseen } from "../../../supabase/functions/_shared/one-line.ts";
import {
  type FieldInfo,
  fields,
  type SectionName,
  type SiteSettings,
  sectionSchemas,
} from "../../config/site-schema.ts";

/** A document of any section. Its shape is the section's. */
export type AnyDocument = Record<string, unknown>;

export type Schema = z.core.$ZodType;

export interface Field {
  name: string;
  schema: Schema;
  info: FieldInfo;
}

export function fieldsOf(schema: Schema): Field[] {
  const object = unwrap(schema);
  if (!(object instanceof z.ZodObject)) return [];
  return Object.entries<Schema>(object.shape).flatMap(([name, schema]) => {
    const info = fields.get(schema);
    return info ? [{ name, schema, info }] : [];
  });
}

/** The two fields of an object of which the second may not be less than the first, if it has them. */
export function orderedFields(schema: Schema): Field[] {
  const names = [z.globalRegistry.get(unwrap(schema))?.ordered].flat();
  return fieldsOf(schema).filter(({ name }) => names.includes(name));
}

export function infoOf(section: SectionName): FieldInfo {
  const info = fields.get(sectionSchemas[section]);
  if (!info) throw new Error(`The section ${section} has no label`);
  return info;
}

export function fieldKindOf(schema: Schema, { kind, choices }: FieldInfo) {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray && kind !== "services" && kind !== "redirects") {
    const entry = elementOf(inner);
    if (entry instanceof z.ZodEnum) return kind === "order" ? kind : "parts";
    return entry instanceof z.ZodObject ? "rows" : "list";
  }
  if (kind) return kind;
  if (inner instanceof z.ZodEnum) return "choice";
  if (inner instanceof z.ZodBoolean) return choices ? "choice" : "switch";
  if (inner instanceof z.ZodObject) return "src" in inner.shape ? "image" : "group";
  if (inner instanceof z.ZodNumber) return "number";
  return (limitOf(inner) ?? 0) > 200 ? "text" : "line";
}

export type FieldKind = ReturnType<typeof fieldKindOf>;

export function elementOf(schema: Schema): Schema {
  const list = unwrap(schema);
  if (!(list instanceof z.ZodArray)) throw new Error("Only lists have entries");
  return list.element;
}

/** The most characters of a text, or entries of a list. */
export function limitOf(schema: Schema): number | null {
  for (const { _zod } of unwrap(schema)._zod.def.checks ?? []) {
    // Only this check of the schema has a maximum length.
    const { check, maximum } = _zod.def as { check: string; maximum?: number };
    if (check === "max_length") return maximum ?? null;
  }
  return null;
}

/** Whether a value may be this text. */
export function accepts(schema: Schema, text: string): boolean {
  return z.safeParse(unwrap(schema), text).success;
}

/**
 * Follows a path such as "licenses[1].type" to its kind and choices, and to its name: "License 2: Type". The row of a
 * service can also be named by its slug. Null for a path that no form shows.
 */
export function fieldAt(
  section: SectionName,
  path: string,
): { kind: FieldKind; name: string; choices: FieldInfo["choices"] } | null {
  let schema: Schema = sectionSchemas[section];
  let info: FieldInfo | undefined;
  const names: string[] = [];
  for (const part of path.split(/[.[\]]+/).filter(Boolean)) {
    const inner = unwrap(schema);
    if (inner instanceof z.ZodArray) {
      schema = elementOf(inner);
      names.splice(-1, 1, `${info?.entry} ${/^\d+$/.test(part) ? Number(part) + 1 : part}`);
    } else if (inner instanceof z.ZodObject && inner.shape[part]) {
      schema = inner.shape[part];
      info = fields.get(schema) ?? info;
      if (fields.has(schema)) names.push(info?.label ?? "");
    } else return null;
  }
  return info
    ? { kind: fieldKindOf(schema, info), name: names.join(": "), choices: info.choices }
    : null;
}

/**
 * Gives a value the shape of its section: missing properties and those of another type get their default or an empty
 * value. Texts and numbers stay as they are, also when they break a rule.
 */
export function fitDocument<Section extends SectionName>(
  section: Section,
  value: unknown,
): SiteSettings[Section] {
  // `shapeLike` returns a value of the shape that the schema describes.
  return shapeLike(sectionSchemas[section], value) as SiteSettings[Section];
}

/** @param value undefined for an empty value, such as a new row */
export function shapeLike(schema: Schema, value: unknown): unknown {
  if (schema instanceof z.ZodDefault) {
    return value === undefined ? schema.def.defaultValue : shapeLike(schema.def.innerType, value);
  }
  if (schema instanceof z.ZodNullable) {
    return isObject(value) || typeof value === "string"
      ? shapeLike(schema.def.innerType, value)
      : null;
  }
  if (schema instanceof z.ZodObject) {
    const given = isObject(value) ? value : {};
    return Object.fromEntries(
      Object.entries<Schema>(schema.shape).map(([name, part]) => [
        name,
        shapeLike(part, given[name]),
      ]),
    );
  }
  if (schema instanceof z.ZodArray) {
    const { element } = schema;
    const entries = Array.isArray(value) ? value : [];
    if (element instanceof z.ZodEnum) {
      return entries.filter((entry) => element.safeParse(entry).success);
    }
    return entries.map((entry) => shapeLike(element, entry));
  }
  if (schema instanceof z.ZodEnum) {
    return schema.options.find((option: unknown) => option === value) ?? schema.options[0];
  }
  if (schema instanceof z.ZodBoolean) return value === true;
  if (schema instanceof z.ZodNumber) return typeof value === "number" ? value : 0;
  return typeof value === "string" ? value : "";
}

/** Whether two documents have the same content. The database does not keep the order of properties. */
export function isSameDocument(section: SectionName, a: unknown, b: unknown): boolean {
  return JSON.stringify(fitDocument(section, a)) === JSON.stringify(fitDocument(section, b));
}

/** Trims texts, normalizes line breaks and strips NUL, which PostgreSQL rejects. */
export function tidy<Value>(value: Value): Value {
  // The result has the type of the value: only characters inside texts are removed.
  if (typeof value === "string") {
    return trimUnseen(value.replaceAll("\0", "").replace(/\r\n?/g, "\n")) as Value;
  }
  if (Array.isArray(value)) return value.map(tidy) as Value;
  if (isObject(value)) {
    const entries = Object.entries(value).map(([name, part]) => [name, tidy(part)]);
    return Object.fromEntries(entries) as Value;
  }
  return value;
}

/** Adds https:// to an address without it, such as "calendly.com/ada". Other texts stay as they are. */
export function completeAddress(text: string): string {
  const address = text.trim();
  return /^[^\s/:@]+\.[^\s/:@]+(:\d+)?([/?#]\S*)?$/.test(address) ? `https://${address}` : text;
}

const profileNames: Readonly<Record<string, string>> = {
  bsky: "Bluesky",
  linkedin: "LinkedIn",
  nextdoor: "Nextdoor",
  tiktok: "TikTok",
  twitter: "X",
  youtu: "YouTube",
  youtube: "YouTube",
};

/** The name of a social profile, from its address; empty while there is no host. */
export function profileName(address: string): string {
  const url = URL.parse(completeAddress(address));
  if (!url?.hostname.includes(".")) return "";
  const labels = url.hostname.replace(/^www\./, "").split(".");
  const [site = ""] = labels.slice(0, -1).toSorted((a, b) => b.length - a.length);
  return profileNames[site] ?? site.charAt(0).toUpperCase() + site.slice(1);
}

/**
 * Starts the contact data with the time zone of this browser. A browser that hides its zone says UTC, which is nobody's.
 * @param document that was never published
 */
export function withOwnTimeZone(section: SectionName, document: AnyDocument): AnyDocument {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const isOwn = timeZone.includes("/") && !timeZone.startsWith("Etc/");
  return section === "contact" && isOwn ? { ...document, timeZone } : document;
}

function unwrap(schema: Schema): Schema {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? unwrap(schema.def.innerType)
    : schema;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
