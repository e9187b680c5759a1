import type { SliderRange } from "./slider-range.ts";

/** Years, dollars, dollars a month and percent a year (section 9). */
export const retirementRanges = {
  currentAge: { min: 18, max: 80, step: 1, initial: 30 },
  retirementAge: { min: 31, max: 80, step: 1, initial: 65 },
  currentSavings: { min: 0, max: 1_000_000, step: 5_000, initial: 25_000 },
  monthlyContribution: { min: 0, max: 5_000, step: 50, initial: 500 },
  annualReturn: { min: 1, max: 15, step: 0.5, initial: 7 },
} satisfies Record<string, SliderRange>;

/** The retirement age starts a year after the current one; at 80 the end gives way (section 9). */
export function retirementAgeRange(currentAge: number): SliderRange {
  const min = currentAge + 1;
  return { ...retirementRanges.retirementAge, min, max: Math.max(80, min) };
}

export interface RetirementPlan {
  currentAge: number;
  retirementAge: number;
  currentSavings: number;
  monthlyContribution: number;
  /** Percent a year. */
  annualReturn: number;
}

/** The balance at retirement in dollars: each month the contribution is added, then all of it grows (section 9). */
export function projectedSavings(plan: RetirementPlan): number {
  const months = (plan.retirementAge - plan.currentAge) * 12;
  const monthlyGrowth = 1 + plan.annualReturn / 100 / 12;
  let balance = plan.currentSavings;
  for (let month = 0; month < months; month++) {
    balance = (balance + plan.monthlyContribution) * monthlyGrowth;
  }
  return balance;
}
