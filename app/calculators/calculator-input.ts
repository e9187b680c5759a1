import { keysOf } from "../../supabase/functions/_shared/object-keys.ts";
import { fitToRange, type SliderRange } from "../ui/slider-field.tsx";

/** A number that a calculator asks for. */
export interface CalculatorField extends SliderRange {
  label: string;
  unit?: "dollars" | "percent";
}

/** The fields of a calculator in their order. The range of a field may depend on the numbers of earlier ones. */
export type FieldsOf<Name extends string> = (
  before: Partial<Record<Name, number>>,
) => Record<Name, CalculatorField>;

/**
 * The nearest valid input to the given numbers.
 * @param numberOf returns null for a field without a number, which gets its default
 */
export function fitInput<Name extends string>(
  fieldsOf: FieldsOf<Name>,
  numberOf: (name: Name, period: SliderRange["period"]) => number | null,
): Record<Name, number> {
  const input: Partial<Record<Name, number>> = {};
  for (const name of namesOf(fieldsOf)) {
    const field = fieldsOf(input)[name];
    input[name] = fitToRange(numberOf(name, field.period) ?? field.initial, field);
  }
  // The loop has set every field.
  return input as Record<Name, number>;
}

export function namesOf<Name extends string>(fieldsOf: FieldsOf<Name>): Name[] {
  return keysOf(fieldsOf({}));
}
