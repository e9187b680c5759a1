import { useState } from "react";
import { CalculatorCard } from "./calculator-card.tsx";
import { formatDollars } from "./money.ts";
import { RangeField } from "./range-field.tsx";
import { projectedSavings, retirementAgeRange, retirementRanges } from "./retirement.ts";
import { fitToRange } from "./slider-range.ts";
import { useCalculation } from "./use-calculation.ts";

export function RetirementCalculator() {
  const [currentAge, setCurrentAge] = useState(retirementRanges.currentAge.initial);
  const [retirementAge, setRetirementAge] = useState(retirementRanges.retirementAge.initial);
  const [currentSavings, setCurrentSavings] = useState(retirementRanges.currentSavings.initial);
  const [monthlyContribution, setContribution] = useState(
    retirementRanges.monthlyContribution.initial,
  );
  const [annualReturn, setAnnualReturn] = useState(retirementRanges.annualReturn.initial);
  const retirementRange = retirementAgeRange(currentAge);
  const calculation = useCalculation(
    { currentAge, retirementAge, currentSavings, monthlyContribution, annualReturn },
    projectedSavings,
  );

  return (
    <CalculatorCard
      title="Retirement Savings Calculator"
      description="What could your savings become if you keep going?"
      button="Project Savings"
      resultLabel="Estimated Savings at Retirement"
      {...calculation}
    >
      <RangeField
        label="Current Age"
        range={retirementRanges.currentAge}
        value={currentAge}
        onChange={(age) => {
          setCurrentAge(age);
          // A current age that reaches the retirement age pushes it along.
          setRetirementAge(fitToRange(retirementAge, retirementAgeRange(age)));
        }}
      />
      <RangeField
        label="Retirement Age"
        range={retirementRange}
        value={retirementAge}
        onChange={setRetirementAge}
      />
      <RangeField
        label="Current Savings"
        range={retirementRanges.currentSavings}
        value={currentSavings}
        prefix="$"
        format={formatDollars}
        onChange={setCurrentSavings}
      />
      <RangeField
        label="Monthly Contribution"
        range={retirementRanges.monthlyContribution}
        value={monthlyContribution}
        prefix="$"
        format={formatDollars}
        onChange={setContribution}
      />
      <RangeField
        label="Est. Annual Return"
        range={retirementRanges.annualReturn}
        value={annualReturn}
        suffix="%"
        format={(percent) => `${percent}%`}
        onChange={setAnnualReturn}
      />
    </CalculatorCard>
  );
}
