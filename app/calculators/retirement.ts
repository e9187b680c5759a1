import type { Site } from "../config/use-site.ts";
import type { FieldsOf } from "./calculator-input.ts";

/** Ages are in years, savings in dollars, contributions in dollars a month, the return in percent a year. */
export type RetirementPlan = Record<
  "currentAge" | "retirementAge" | "currentSavings" | "monthlyContribution" | "annualReturn",
  number
>;

/** The retirement age is at least a year away. At its maximum, the current age raises that maximum as well. */
export function retirementFields(settings: Site["calculators"]): FieldsOf<keyof RetirementPlan> {
  const { retirementAge, currentSavings, monthlyContribution, annualReturn } = settings;
  return ({ currentAge = settings.currentAge.initial }) => ({
    currentAge: { label: "Current Age", step: 1, ...settings.currentAge },
    retirementAge: {
      label: "Retirement Age",
      min: Math.max(retirementAge.min, currentAge + 1),
      max: Math.max(retirementAge.max, currentAge + 1),
      step: 1,
      initial: retirementAge.initial,
    },
    currentSavings: {
      label: "Current Savings",
      unit: "dollars",
      step: 5_000,
      ...currentSavings,
    },
    monthlyContribution: {
      label: "Monthly Contribution",
      period: "month",
      unit: "dollars",
      step: 50,
      ...monthlyContribution,
    },
    annualReturn: { label: "Est. Annual Return", unit: "percent", step: 0.5, ...annualReturn },
  });
}

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
