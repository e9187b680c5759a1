// Documents of the settings as the forms hold them: complete in shape, whatever was stored, with values that may still be
// invalid.
import { z } from "zod";
import { type SectionName, type SiteSettings, sectionSchemas } from "../../config/site-schema.ts";

/** A document of any section. Its shape is the section's. */
export type AnyDocument = Record<string, unknown>;

type Schema = z.core.$ZodType;

/**
 * Gives a value the shape of its section: missing properties and those of another type get their default or an empty
 * value. Texts and numbers stay as they are, also when they break a rule.
 */
export function fitDocument<Section extends SectionName>(
  section: Section,
  value: unknown,
): SiteSettings[Section] {
  // `shapeLike` returns the shape that the schema describes.
  return shapeLike(sectionSchemas[section], value) as SiteSettings[Section];
}

/** A new row of a list of rows. */
export function emptyEntry(section: SectionName, list: string): unknown {
  const schema = schemaAt(section, [list]);
  return schema instanceof z.ZodArray ? shapeLike(schema.element, undefined) : "";
}

/** The most characters of a text, or entries of a list. `names` leads to it: ["socials", "url"]. */
export function limitAt(section: SectionName, names: readonly string[]): number | null {
  const checks = schemaAt(section, names)?._zod.def.checks ?? [];
  for (const { _zod } of checks) {
    // Only this check has a maximum length.
    const { check, maximum } = _zod.def as { check: string; maximum?: number };
    if (check === "max_length") return maximum ?? null;
  }
  return null;
}

/** Whether a text has to be filled in. */
export function isRequired(section: SectionName, names: readonly string[]): boolean {
  const schema = schemaAt(section, names);
  return schema instanceof z.ZodString && !schema.safeParse("").success;
}

/** Whether two documents say the same. The database does not keep the order of properties. */
export function isSameDocument(section: SectionName, a: unknown, b: unknown): boolean {
  return JSON.stringify(fitDocument(section, a)) === JSON.stringify(fitDocument(section, b));
}

/** Trims texts, normalizes line breaks and strips NUL, which PostgreSQL rejects. */
export function tidy<Value>(value: Value): Value {
  // The result has the type of the value: only characters inside texts are removed.
  if (typeof value === "string") {
    return value.replaceAll("\0", "").replace(/\r\n?/g, "\n").trim() as Value;
  }
  if (Array.isArray(value)) return value.map(tidy) as Value;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([name, part]) => [name, tidy(part)]);
    return Object.fromEntries(entries) as Value;
  }
  return value;
}

function shapeLike(schema: Schema, value: unknown): unknown {
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
      Object.entries(schema.shape).map(([name, part]) => [name, shapeLike(part, given[name])]),
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

/** @param names leads to the schema of a property; "*" stands for an entry of a list */
function schemaAt(section: SectionName, names: readonly string[]): Schema | undefined {
  let schema: Schema | undefined = sectionSchemas[section];
  for (const name of names) {
    if (schema instanceof z.ZodArray) schema = unwrap(schema.element as Schema);
    if (name === "*") continue;
    schema = schema instanceof z.ZodObject ? unwrap(schema.shape[name]) : undefined;
  }
  return schema;
}

function unwrap(schema: Schema | undefined): Schema | undefined {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? unwrap(schema.def.innerType)
    : schema;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
