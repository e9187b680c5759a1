// How the documents of a section are named and compared, from its schema.
import { z } from "zod";
import { type SectionName, sectionSchemas } from "../../config/site-schema.ts";
import {
  type Difference,
  type DocumentFormat,
  quote,
  summarize,
} from "../versions/document-format.ts";
import {
  type AnyDocument,
  elementOf,
  type Field,
  fieldAt,
  fieldKindOf,
  fieldsOf,
  fitDocument,
} from "./fields.ts";

export function formatOf(section: SectionName): DocumentFormat<AnyDocument> {
  return {
    read: (stored) => fitDocument(section, stored),
    compare: (before, after) => compareFields(fieldsOf(sectionSchemas[section]), before, after),
    nameOf: (path) => fieldAt(section, path)?.name ?? path,
    textOf: (value, path) => readable(value, fieldAt(section, path)?.choices) || "Empty",
  };
}

type Choices = Readonly<Record<string, string>> | undefined;

/** A value as people read it, each part of it on a line of its own. */
function readable(value: unknown, choices?: Choices): string {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value === "boolean") return choices?.[String(value)] ?? (value ? "On" : "Off");
  if (typeof value === "object") {
    const parts = Object.values(value).map((part) => readable(part, choices));
    return parts.filter(Boolean).join("\n");
  }
  return choices?.[String(value)] ?? String(value);
}

function compareFields(all: readonly Field[], before: unknown, after: unknown): Difference[] {
  return all.flatMap(({ name, schema, info }) => {
    const [from, to] = [Object(before)[name], Object(after)[name]];
    if (isSame(from, to)) return [];
    const kind = fieldKindOf(schema, info);
    const label = info.label.replace(/\?$/, "");
    const below = (parts: Difference[]) =>
      parts.map((part) => ({ ...part, name: `${label}: ${part.name}` }));
    if (kind === "group") return below(compareFields(fieldsOf(schema), from, to));
    const [old, current] = [readable(from, info.choices), readable(to, info.choices)];
    const difference = (summary: string) => [{ name: label, before: old, after: current, summary }];
    if (Array.isArray(from) && Array.isArray(to)) {
      if (kind === "parts") return difference(summarizeParts(info.choices ?? {}, from, to));
      const element = fieldsOf(elementOf(schema));
      const rows = compareRows(element, from, to);
      return rows.length > 0 ? below(rows) : difference("in another order");
    }
    if (kind === "choice") return difference(quote(current));
    if (kind === "switch") return difference(to === true ? "switched on" : "switched off");
    if (kind === "image") return difference(from ? (to ? "changed" : "removed") : "added");
    return difference(summarize(old, current));
  });
}

/** The rows that were added, removed and changed. A row that keeps its slug or name, or its place among as many, is the same. */
function compareRows(
  element: readonly Field[],
  from: readonly unknown[],
  to: readonly unknown[],
): Difference[] {
  const hasAsMany = from.length === to.length;
  const isOf = (row: unknown, index: number) => (other: unknown, place: number) =>
    isSame(row, other) || keyOf(row) === keyOf(other) || (hasAsMany && index === place);
  const removed = from.filter((row, index) => !to.some(isOf(row, index)));
  const changes = to.flatMap((row, index) => {
    if (from.some((other) => isSame(row, other))) return [];
    const former = from.find((other) => keyOf(other) === keyOf(row)) ?? (hasAsMany && from[index]);
    const name = nameOf(row) || `${index + 1}`;
    const text = readable(row);
    if (!former) return [{ name, before: "", after: text, summary: "added" }];
    const parts = compareFields(element, former, row);
    if (parts.length > 0) {
      return parts.map((part) => ({ ...part, name: `${nameOf(former) || name}: ${part.name}` }));
    }
    const old = readable(former);
    return [{ name: String(index + 1), before: old, after: text, summary: summarize(old, text) }];
  });
  return [
    ...changes,
    ...removed.map((row) => {
      return { name: nameOf(row), before: readable(row), after: "", summary: "removed" };
    }),
  ];
}

function summarizeParts(
  parts: Readonly<Record<string, string>>,
  from: readonly unknown[],
  to: readonly unknown[],
): string {
  return Object.entries(parts)
    .filter(([value]) => from.includes(value) !== to.includes(value))
    .map(([value, label]) => `${label} switched ${to.includes(value) ? "off" : "on"}`)
    .join(", ");
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const keySchema = z.object({ slug: z.string().min(1) });

function keyOf(row: unknown): unknown {
  const { data } = keySchema.safeParse(row);
  return data ? data.slug : nameOf(row) || row;
}

const named = z.object({ title: z.string() }).or(z.object({ name: z.string() }));

/** The title or name of a row, or a row that is a text. */
function nameOf(row: unknown): string {
  if (typeof row === "string") return quote(row);
  const { data } = named.safeParse(row);
  return data ? quote("title" in data ? data.title : data.name) : "";
}
