import { parseTypedNumber } from "../ui/typed-number.ts";
import { type CoverageInput, lifeInsuranceRanges } from "./life-insurance.ts";
import { type RetirementPlan, retirementAgeRange, retirementRanges } from "./retirement.ts";
import { fitToRange, type SliderRange } from "./slider-range.ts";

/** Which calculator was pressed, and with what. */
export interface PostedNumbers {
  coverage?: CoverageInput;
  retirement?: RetirementPlan;
}

/**
 * Reads what a calculator posts without JavaScript. As in the page itself, a number that is not allowed
 * becomes the nearest one that is; what is missing starts where its slider does.
 */
export function readPostedNumbers(form: FormData): PostedNumbers {
  function read(name: string, range: SliderRange): number {
    const typed = form.get(name);
    const number = typeof typed === "string" ? parseTypedNumber(typed) : null;
    return fitToRange(number ?? range.initial, range);
  }

  if (form.get("calculator") === "coverage") {
    const { annualIncome, totalDebt } = lifeInsuranceRanges;
    return {
      coverage: {
        annualIncome: read("annualIncome", annualIncome),
        totalDebt: read("totalDebt", totalDebt),
      },
    };
  }
  if (form.get("calculator") !== "retirement") return {};
  const ranges = retirementRanges;
  const currentAge = read("currentAge", ranges.currentAge);
  return {
    retirement: {
      currentAge,
      retirementAge: read("retirementAge", retirementAgeRange(currentAge)),
      currentSavings: read("currentSavings", ranges.currentSavings),
      monthlyContribution: read("monthlyContribution", ranges.monthlyContribution),
      annualReturn: read("annualReturn", ranges.annualReturn),
    },
  };
}
