import type { SliderRange } from "../ui/slider-field.tsx";

/** Years of income that the coverage replaces. */
export const incomeYears = 30;
/** A fixed amount on top, in dollars. */
export const fixedAmount = 20_000;

/** Dollars. */
export const lifeInsuranceRanges = {
  annualIncome: { min: 20_000, max: 5_000_000, step: 5_000, initial: 75_000 },
  totalDebt: { min: 0, max: 1_000_000, step: 10_000, initial: 50_000 },
} satisfies Record<string, SliderRange>;

export interface CoverageInput {
  annualIncome: number;
  totalDebt: number;
}

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
