import { fitToRange, parseTypedNumber, type SliderRange } from "../ui/slider-field.tsx";
import { type CoverageInput, lifeInsuranceRanges } from "./life-insurance.ts";
import { type RetirementPlan, retirementAgeRange, retirementRanges } from "./retirement.ts";

/** The input of the calculator whose button was pressed. */
export interface CalculatorInput {
  coverage?: CoverageInput;
  retirement?: RetirementPlan;
}

/**
 * Parses the form that a calculator posts without JavaScript. As in the browser, an invalid number is
 * replaced by the nearest valid one; a missing number becomes the slider's default.
 */
export function parseCalculatorForm(form: FormData): CalculatorInput {
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
