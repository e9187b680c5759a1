import { expect, test } from "vitest";
import { startingSettings } from "../config/site.ts";
import { parseCalculatorForm } from "./calculator-form.ts";
import { fitInput } from "./calculator-input.ts";
import { retirementFields } from "./retirement.ts";

const { calculators } = startingSettings;

test("the numbers of the submitted calculator are parsed", () => {
  const posted = parse({ calculator: "coverage", annualIncome: "100000", totalDebt: "20000" });
  expect(posted).toEqual({ coverage: { annualIncome: 100_000, totalDebt: 20_000 } });
});

test("an invalid number becomes the nearest valid one, and other text the default", () => {
  const posted = parse({
    calculator: "retirement",
    currentAge: "70",
    retirementAge: "65",
    currentSavings: "-1",
    monthlyContribution: "$1,000,000",
    annualReturn: "much",
  });
  expect(posted.retirement).toEqual({
    currentAge: 70,
    retirementAge: 71,
    currentSavings: 0,
    monthlyContribution: 5000,
    annualReturn: 7,
  });
});

test("missing numbers become the defaults of their sliders", () => {
  expect(parse({ calculator: "coverage", totalDebt: " " })).toEqual({
    coverage: { annualIncome: 75_000, totalDebt: 50_000 },
  });
});

test("an unknown calculator is ignored", () => {
  expect(parse({ calculator: "lottery" })).toEqual({});
});

test("a changed number moves the ranges that depend on it", () => {
  const plan = fitInput(retirementFields(calculators), (name) =>
    name === "currentAge" ? 80 : null,
  );
  expect(plan).toMatchObject({ currentAge: 80, retirementAge: 81 });
});

function parse(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return parseCalculatorForm(form, calculators);
}
