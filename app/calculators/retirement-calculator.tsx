import { useState } from "react";
import { Link } from "react-router";
import { CalculatorCard, ResultNotes } from "./calculator-card.tsx";
import { formatDollars } from "./money.ts";
import { RangeField } from "./range-field.tsx";
import {
  initialPlan,
  projectSavings,
  type RetirementPlan,
  retirementAgeRange,
  retirementRanges,
} from "./retirement.ts";
import { SavingsResult } from "./savings-result.tsx";
import { fitToRange } from "./slider-range.ts";
import { useCalculation } from "./use-calculation.ts";

/** @param posted what was sent without JavaScript: the result stands in the page already. */
export function RetirementCalculator({ posted }: { posted: RetirementPlan | undefined }) {
  const initial = posted ?? initialPlan;
  const [currentAge, setCurrentAge] = useState(initial.currentAge);
  const [retirementAge, setRetirementAge] = useState(initial.retirementAge);
  const [currentSavings, setCurrentSavings] = useState(initial.currentSavings);
  const [monthlyContribution, setContribution] = useState(initial.monthlyContribution);
  const [annualReturn, setAnnualReturn] = useState(initial.annualReturn);
  const retirementRange = retirementAgeRange(currentAge);
  const { done, outdated, calculate } = useCalculation(
    { currentAge, retirementAge, currentSavings, monthlyContribution, annualReturn },
    projectSavings,
    Boolean(posted),
  );

  return (
    <CalculatorCard
      name="retirement"
      title="Retirement Savings Calculator"
      description="What could your savings become if you keep going?"
      button="Project Savings"
      resultLabel="Estimated Savings at Retirement"
      result={done?.result.at(-1)?.balance ?? null}
      outdated={outdated}
      onCalculate={calculate}
      details={
        done && (
          <>
            <SavingsResult years={done.result} />
            <ResultNotes
              assumptions={`Each month your ${formatDollars(done.input.monthlyContribution)} is added, then everything grows by a twelfth of ${done.input.annualReturn}%. The return is the same in every year, which no real year keeps to. Taxes, fees and inflation are left out, so the money will buy less than it says. It is an estimate and not a promise.`}
              next={
                <>
                  Press again with a return that is two points lower: a plan should bear that. Then
                  read{" "}
                  <Link
                    to="/services/retirement-planning"
                    className="font-medium text-evergreen underline decoration-clay decoration-2 underline-offset-4"
                  >
                    how savings become a monthly income
                  </Link>
                  .
                </>
              }
            />
          </>
        )
      }
    >
      <RangeField
        name="currentAge"
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
        name="retirementAge"
        label="Retirement Age"
        range={retirementRange}
        value={retirementAge}
        onChange={setRetirementAge}
      />
      <RangeField
        name="currentSavings"
        label="Current Savings"
        range={retirementRanges.currentSavings}
        value={currentSavings}
        prefix="$"
        format={formatDollars}
        onChange={setCurrentSavings}
      />
      <RangeField
        name="monthlyContribution"
        label="Monthly Contribution"
        range={retirementRanges.monthlyContribution}
        value={monthlyContribution}
        prefix="$"
        format={formatDollars}
        onChange={setContribution}
      />
      <RangeField
        name="annualReturn"
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
