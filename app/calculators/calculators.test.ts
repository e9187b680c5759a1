import { expect, test } from "vitest";
import { startingSettings } from "../config/site.ts";
import { sectionSchemas } from "../config/site-schema.ts";
import { fitInput } from "./calculator-input.ts";
import { coverageNeeded } from "./coverage.ts";
import { formatDollars } from "./money.ts";
import { projectSavings, type RetirementPlan, retirementFields } from "./retirement.ts";

// The numbers of the specification are what every firm starts with.
const { calculators } = startingSettings;
const { annualIncome, totalDebt } = calculators;

test.each([
  ["defaults", "initial", "$2,320,000"],
  ["minima", "min", "$620,000"],
  ["maxima", "max", "$151,020,000"],
] as const)("coverage at the %s", (_, bound, expected) => {
  const input = { annualIncome: annualIncome[bound], totalDebt: totalDebt[bound] };
  const { total, income, debt, fixed } = coverageNeeded(input, calculators);
  expect(formatDollars(total)).toBe(expected);
  expect(income + debt + fixed).toBe(total);
  expect(fixed).toBe(20_000);
});

const defaults = fitInput(retirementFields(calculators), () => null);

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
  expect(retirementFields(calculators)({ currentAge: 30 }).retirementAge).toMatchObject({
    min: 31,
    max: 80,
  });
  expect(retirementFields(calculators)({ currentAge: 79 }).retirementAge).toMatchObject({
    min: 80,
    max: 80,
  });
  expect(retirementFields(calculators)({ currentAge: 80 }).retirementAge).toMatchObject({
    min: 81,
    max: 81,
  });
});

test("the owner's numbers replace those of the specification, and the formulas stay", () => {
  const own = {
    ...calculators,
    ...{ incomeYears: 10, fixedAmount: 5_000 },
    annualReturn: { min: 1, max: 6, initial: 4.5 },
    currentAge: { min: 25, max: 60, initial: 40 },
  };
  const input = { annualIncome: 100_000, totalDebt: 0 };
  expect(coverageNeeded(input, own).total).toBe(1_005_000);
  expect(fitInput(retirementFields(own), () => null)).toMatchObject({
    ...{ currentAge: 40, retirementAge: 65, annualReturn: 4.5 },
  });
  const greatest = fitInput(retirementFields(own), () => 1_000_000_000);
  expect(greatest).toMatchObject({ annualReturn: 6, currentAge: 60 });
});

test("a least value above the greatest one is the only value", () => {
  const own = { ...calculators, annualReturn: { min: 5, max: 3, initial: 9 } };
  expect(fitInput(retirementFields(own), () => null).annualReturn).toBe(5);
});

test("nobody can offer a return above 15 percent", () => {
  const { calculators } = sectionSchemas;
  const annualReturn = { min: 1, max: 16, initial: 7 };
  expect(calculators.safeParse({ annualReturn }).success).toBe(false);
});
