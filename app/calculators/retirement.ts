import type { SliderRange } from "../ui/slider-field.tsx";

/** Years, dollars, dollars a month and percent a year. */
export const retirementRanges = {
  currentAge: { min: 18, max: 80, step: 1, initial: 30 },
  retirementAge: { min: 31, max: 80, step: 1, initial: 65 },
  currentSavings: { min: 0, max: 1_000_000, step: 5_000, initial: 25_000 },
  monthlyContribution: { min: 0, max: 5_000, step: 50, initial: 500 },
  annualReturn: { min: 1, max: 15, step: 0.5, initial: 7 },
} satisfies Record<string, SliderRange>;

/** The minimum is the current age plus 1. At 80 that raises the maximum as well. */
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

export const initialPlan: RetirementPlan = {
  currentAge: retirementRanges.currentAge.initial,
  retirementAge: retirementRanges.retirementAge.initial,
  currentSavings: retirementRanges.currentSavings.initial,
  monthlyContribution: retirementRanges.monthlyContribution.initial,
  annualReturn: retirementRanges.annualReturn.initial,
};

/** The savings at one age, in dollars. */
export interface SavingsYear {
  age: number;
  /** Current savings and all contributions so far. */
  paidIn: number;
  balance: number;
}

/**
 * The savings for each age until retirement. Each month adds the contribution, then growth. The
 * last balance is the estimate.
 */
export function projectSavings(plan: RetirementPlan): SavingsYear[] {
  const monthlyGrowth = 1 + plan.annualReturn / 100 / 12;
  let balance = plan.currentSavings;
  let paidIn = plan.currentSavings;
  const years = [{ age: plan.currentAge, paidIn, balance }];
  for (let age = plan.currentAge + 1; age <= plan.retirementAge; age++) {
    for (let month = 0; month < 12; month++) {
      balance = (balance + plan.monthlyContribution) * monthlyGrowth;
      paidIn += plan.monthlyContribution;
    }
    years.push({ age, paidIn, balance });
  }
  return years;
}
