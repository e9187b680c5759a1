// The `filter` of a postgres_changes subscription: `column=operator.value`.
// Covers: eq, neq, lt, lte, gt, gte and in, on numbers, booleans, texts and uuids, one condition a filter.
// Does not cover: several conditions, negation, patterns, quoted values, dates; each is refused with its reason.
import type { Column } from "./subscriptions.ts";

/** Whether a row, as JSON, passes. */
export type Filter = (record: Record<string, unknown>) => boolean;

type Scalar = string | number | boolean;

const READERS = new Map<string, (text: string) => Scalar | null>([
  ...["int2", "int4", "int8", "float4", "float8", "numeric", "oid"].map(
    (type) => [type, readNumber] as const,
  ),
  ...["text", "varchar", "bpchar", "name"].map((type) => [type, readText] as const),
  ["uuid", (text) => text.toLowerCase()],
  ["bool", (text) => (text === "true" ? true : text === "false" ? false : null)],
]);

const COMPARISONS = new Map<string, (value: Scalar, wanted: Scalar) => boolean>([
  ["eq", (value, wanted) => value === wanted],
  ["in", (value, wanted) => value === wanted],
  ["neq", (value, wanted) => value !== wanted],
  ["lt", (value, wanted) => value < wanted],
  ["lte", (value, wanted) => value <= wanted],
  ["gt", (value, wanted) => value > wanted],
  ["gte", (value, wanted) => value >= wanted],
]);

/** Answers the reason, as text, when the filter cannot be served. */
export function parseFilter(text: string, columns: readonly Column[]): Filter | string {
  const [, name, operator = "", operand = ""] = /^([^=]+)=([a-z]+)\.(.*)$/s.exec(text) ?? [];
  if (name === undefined) return `the filter "${text}" is not of the form column=operator.value`;
  const column = columns.find((candidate) => candidate.name === name);
  if (!column) return `the filter's column "${name}" does not exist`;
  const read = READERS.get(column.type);
  if (!read) return `filters on columns of type ${column.type} are not supported`;

  const values = readOperand(operator, operand)?.map(read);
  const compare = COMPARISONS.get(operator);
  if (!compare) return `the filter's operator "${operator}" is not supported`;
  if (!values) return `the filter's value "${operand}" is not supported`;
  if (values.includes(null)) return `"${operand}" is not a value of type ${column.type}`;

  return function passes(record) {
    const value = record[name];
    // As in SQL, null compares to nothing, not even with neq.
    if (!isScalar(value)) return false;
    return values.some((wanted) => wanted !== null && compare(value, wanted));
  };
}

/** A comma or a quote means more to a hosted project than it does here: refused, not misread. */
function readOperand(operator: string, operand: string): string[] | null {
  const list = operator === "in" ? /^\((.+)\)$/s.exec(operand)?.[1]?.split(",") : [operand];
  return list?.every((value) => !/[",()]/.test(value)) ? list : null;
}

function readNumber(text: string): number | null {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}

function readText(text: string): string {
  return text;
}

function isScalar(value: unknown): value is Scalar {
  return ["string", "number", "boolean"].includes(typeof value);
}
