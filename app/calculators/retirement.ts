import type { FieldsOf } from "./calculator-input.ts";

/** Ages are in years, savings in dollars, contributions in dollars a month, the return in percent a year. */
export type RetirementPlan = Record<
  "currentAge" | "retirementAge" | "currentSavings" | "monthlyContribution" | "annualReturn",
  number
>;

/** The retirement age is at least a year away. At 80 that raises its maximum as well. */
export const retirementFields: FieldsOf<keyof RetirementPlan> = ({ currentAge = 30 }) => ({
  currentAge: { label: "Current Age", min: 18, max: 80, step: 1, initial: 30 },
  retirementAge: {
    label: "Retirement Age",
    min: currentAge + 1,
    max: Math.max(80, currentAge + 1),
    step: 1,
    initial: 65,
  },
  currentSavings: {
    label: "Current Savings",
    unit: "dollars",
    min: 0,
    max: 1_000_000,
    step: 5_000,
    initial: 25_000,
  },
  monthlyContribution: {
    label: "Monthly Contribution",
    unit: "dollars",
    min: 0,
    max: 5_000,
    step: 50,
    initial: 500,
  },
  annualReturn: {
    label: "Est. Annual Return",
    unit: "percent",
    min: 1,
    max: 15,
    step: 0.5,
    initial: 7,
  },
});

/** The savings at one age, in dollars. */
export interface SavingsYear {
  age: number;
  /** The sum of current savings and all contributions so far. */
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
