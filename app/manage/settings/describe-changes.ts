// Describes the differences between two documents of a section.
import { z } from "zod";
import { type SectionName, sectionSchemas } from "../../config/site-schema.ts";
import { type Field, fieldKindOf, fieldsOf, fitDocument } from "./fields.ts";

const longest = 60;

/** @returns a sentence per changed field, in the order of the form */
export function describeChanges(section: SectionName, before: unknown, after: unknown): string[] {
  const all = fieldsOf(sectionSchemas[section]);
  return describeFields(all, fitDocument(section, before), fitDocument(section, after));
}

function describeFields(all: readonly Field[], before: unknown, after: unknown): string[] {
  return all.flatMap((field) => {
    const { name, schema, info } = field;
    const [from, to] = [Object(before)[name], Object(after)[name]];
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    if (fieldKindOf(schema, info) === "group") {
      return describeFields(fieldsOf(schema), from, to).map((text) => `${info.label}: ${text}`);
    }
    return [`${info.label.replace(/\?$/, "")}: ${describe(field, from, to)}`];
  });
}

function describe({ schema, info }: Field, from: unknown, to: unknown): string {
  const kind = fieldKindOf(schema, info);
  if (Array.isArray(from) && Array.isArray(to)) {
    return kind === "parts" ? describeParts(info.choices ?? {}, from, to) : describeList(from, to);
  }
  if (kind === "choice") return quote(info.choices?.[String(to)]);
  if (kind === "switch") return to === true ? "switched on" : "switched off";
  if (kind === "image") return from ? (to ? "changed" : "removed") : "added";
  if (!from) return `set to ${quote(to)}`;
  return to ? `${quote(from)} became ${quote(to)}` : `${quote(from)} removed`;
}

function describeParts(
  parts: Readonly<Record<string, string>>,
  from: readonly unknown[],
  to: readonly unknown[],
): string {
  return Object.entries(parts)
    .filter(([value]) => from.includes(value) !== to.includes(value))
    .map(([value, label]) => `${label} switched ${to.includes(value) ? "off" : "on"}`)
    .join(", ");
}

function describeList(from: readonly unknown[], to: readonly unknown[]): string {
  const [old, current] = [from, to].map((list) => list.map((entry) => JSON.stringify(entry)));
  const added = to.filter((_, index) => !old?.includes(current?.[index] ?? ""));
  const removed = from.filter((_, index) => !current?.includes(old?.[index] ?? ""));
  const changed = Math.min(added.length, removed.length);
  const counts = [
    [changed, "changed"],
    [added.length - changed, "added"],
    [removed.length - changed, "removed"],
  ] as const;
  const text = counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(", ");
  const example = nameOf(added[0] ?? removed[0]);
  return text ? `${text}${example && ` (${example})`}` : "in another order";
}

const named = z.object({ title: z.string() }).or(z.object({ name: z.string() }));

function nameOf(entry: unknown): string {
  if (typeof entry === "string") return quote(entry);
  const { data } = named.safeParse(entry);
  return data ? quote("title" in data ? data.title : data.name) : "";
}

function quote(value: unknown): string {
  const text = String(value).replace(/\s+/g, " ");
  return `“${text.length > longest ? `${text.slice(0, longest - 1)}…` : text}”`;
}
