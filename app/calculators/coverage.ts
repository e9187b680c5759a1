import type { Site } from "../config/use-site.ts";
import type { FieldsOf } from "./calculator-input.ts";

type CoverageSettings = Site["calculators"];

/** The input in dollars. */
export type CoverageInput = Record<"annualIncome" | "totalDebt", number>;

export function coverageFields({
  annualIncome,
  totalDebt,
}: CoverageSettings): FieldsOf<keyof CoverageInput> {
  return () => ({
    annualIncome: {
      label: "Annual Income",
      unit: "dollars",
      period: "year",
      step: 5_000,
      ...annualIncome,
    },
    totalDebt: { label: "Total Debt", unit: "dollars", step: 10_000, ...totalDebt },
  });
}

/** A coverage and its parts, in dollars. */
export interface Coverage {
  income: number;
  debt: number;
  fixed: number;
  total: number;
}

export function coverageNeeded(
  { annualIncome, totalDebt }: CoverageInput,
  { incomeYears, fixedAmount }: Pick<CoverageSettings, "incomeYears" | "fixedAmount">,
): Coverage {
  const income = annualIncome * incomeYears;
  return { income, debt: totalDebt, fixed: fixedAmount, total: income + totalDebt + fixedAmount };
}
