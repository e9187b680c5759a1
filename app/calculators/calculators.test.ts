import { expect, test } from "vitest";
import { fitInput } from "./calculator-input.ts";
import { coverageNeeded, coverageRanges } from "./life-insurance.ts";
import { formatDollars } from "./money.ts";
import { projectSavings, type RetirementPlan, retirementFields } from "./retirement.ts";

const { annualIncome, totalDebt } = coverageRanges;

test.each([
  ["defaults", "initial", "$2,320,000"],
  ["minima", "min", "$620,000"],
  ["maxima", "max", "$151,020,000"],
] as const)("coverage at the %s", (_, bound, expected) => {
  const { total, income, debt, fixed } = coverageNeeded({
    annualIncome: annualIncome[bound],
    totalDebt: totalDebt[bound],
  });
  expect(formatDollars(total)).toBe(expected);
  expect(income + debt + fixed).toBe(total);
  expect(fixed).toBe(20_000);
});

const defaults = fitInput(retirementFields, () => null);

function projectedSavings(plan: RetirementPlan): number {
  return projectSavings(plan).at(-1)?.balance ?? Number.NaN;
}

test("the projection adds the contribution before it adds growth", () => {
  expect(formatDollars(projectedSavings(defaults))).toBe("$1,193,434");
});

test("the projection at all maxima", () => {
  const maxima = {
    currentAge: 18,
    retirementAge: 80,
    currentSavings: 1_000_000,
    monthlyContribution: 5_000,
    annualReturn: 15,
  };
  expect(formatDollars(projectedSavings(maxima))).toBe("$14,506,676,402");
});

test("one year without growth is the savings plus twelve contributions", () => {
  const plan = { ...defaults, retirementAge: 31, annualReturn: 0 };
  expect(projectedSavings(plan)).toBe(25_000 + 12 * 500);
});

test("the projection has a row per year of age, with the total paid in", () => {
  const years = projectSavings(defaults);
  expect(years.map(({ age }) => age)).toEqual(Array.from({ length: 36 }, (_, year) => 30 + year));
  expect(years[0]).toEqual({ age: 30, paidIn: 25_000, balance: 25_000 });
  expect(years.at(-1)?.paidIn).toBe(25_000 + 35 * 12 * 500);
  for (const { paidIn, balance } of years) expect(balance).toBeGreaterThanOrEqual(paidIn);
});

test("the retirement age is at least a year away, even at 80", () => {
  expect(retirementFields({ currentAge: 30 }).retirementAge).toMatchObject({ min: 31, max: 80 });
  expect(retirementFields({ currentAge: 79 }).retirementAge).toMatchObject({ min: 80, max: 80 });
  expect(retirementFields({ currentAge: 80 }).retirementAge).toMatchObject({ min: 81, max: 81 });
});
