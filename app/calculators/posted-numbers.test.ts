import { expect, test } from "vitest";
import { readPostedNumbers } from "./posted-numbers.ts";

test("the numbers of the calculator that was pressed are read", () => {
  const posted = read({ calculator: "coverage", annualIncome: "100000", totalDebt: "20000" });
  expect(posted).toEqual({ coverage: { annualIncome: 100_000, totalDebt: 20_000 } });
});

test("what is not allowed becomes the nearest that is, and what is no number the default", () => {
  const posted = read({
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

test("missing numbers start where their sliders do", () => {
  expect(read({ calculator: "coverage", totalDebt: " " })).toEqual({
    coverage: { annualIncome: 75_000, totalDebt: 50_000 },
  });
});

test("without a known calculator nothing was pressed", () => {
  expect(read({ calculator: "lottery" })).toEqual({});
});

function read(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return readPostedNumbers(form);
}
