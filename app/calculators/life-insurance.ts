import type { FieldsOf } from "./calculator-input.ts";

/** How many years of income the coverage replaces. */
export const incomeYears = 30;
/** A fixed amount that is added, in dollars. */
export const fixedAmount = 20_000;

export const coverageRanges = {
  annualIncome: { min: 20_000, max: 5_000_000, step: 5_000, initial: 75_000 },
  totalDebt: { min: 0, max: 1_000_000, step: 10_000, initial: 50_000 },
};

/** The input in dollars. */
export type CoverageInput = Record<keyof typeof coverageRanges, number>;

export const coverageFields: FieldsOf<keyof CoverageInput> = () => ({
  annualIncome: { label: "Annual Income", unit: "dollars", ...coverageRanges.annualIncome },
  totalDebt: { label: "Total Debt", unit: "dollars", ...coverageRanges.totalDebt },
});

/** A coverage and its parts, in dollars. */
export interface Coverage {
  income: number;
  debt: number;
  fixed: number;
  total: number;
}

export function coverageNeeded({ annualIncome, totalDebt }: CoverageInput): Coverage {
  const income = annualIncome * incomeYears;
  return { income, debt: totalDebt, fixed: fixedAmount, total: income + totalDebt + fixedAmount };
}
