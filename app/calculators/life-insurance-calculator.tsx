import { useState } from "react";
import { CalculatorCard } from "./calculator-card.tsx";
import { coverageNeeded, incomeYears, lifeInsuranceRanges } from "./life-insurance.ts";
import { formatDollars } from "./money.ts";
import { RangeField } from "./range-field.tsx";
import { useCalculation } from "./use-calculation.ts";

const { annualIncome, totalDebt } = lifeInsuranceRanges;

export function LifeInsuranceCalculator() {
  const [income, setIncome] = useState(annualIncome.initial);
  const [debt, setDebt] = useState(totalDebt.initial);
  const calculation = useCalculation({ annualIncome: income, totalDebt: debt }, coverageNeeded);

  return (
    <CalculatorCard
      title="Life Insurance Calculator"
      description="How much would your family need to stay where they are?"
      button="Calculate Coverage"
      resultLabel="Estimated Coverage Needed"
      {...calculation}
    >
      <RangeField
        label="Annual Income"
        range={annualIncome}
        value={income}
        prefix="$"
        format={formatDollars}
        onChange={setIncome}
      />
      <RangeField
        label="Total Debt"
        range={totalDebt}
        value={debt}
        prefix="$"
        format={formatDollars}
        onChange={setDebt}
      />
      <p className="rounded-md bg-sand px-4 py-3 font-medium">
        Years to Replace Income: {incomeYears}
      </p>
    </CalculatorCard>
  );
}
