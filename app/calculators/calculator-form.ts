import type { Site } from "../config/use-site.ts";
import { parseTypedNumber } from "../ui/slider-field.tsx";
import { fitInput } from "./calculator-input.ts";
import { type CoverageInput, coverageFields } from "./coverage.ts";
import { type RetirementPlan, retirementFields } from "./retirement.ts";

/** Parses the form that a calculator posts without JavaScript, by the rules of its fields in the browser. */
export function parseCalculatorForm(
  form: FormData,
  settings: Site["calculators"],
): {
  coverage?: CoverageInput;
  retirement?: RetirementPlan;
} {
  const numberOf = (name: string, period?: "year" | "month") =>
    parseTypedNumber(String(form.get(name) ?? ""), period);
  switch (form.get("calculator")) {
    case "coverage":
      return { coverage: fitInput(coverageFields(settings), numberOf) };
    case "retirement":
      return { retirement: fitInput(retirementFields(settings), numberOf) };
    default:
      return {};
  }
}
