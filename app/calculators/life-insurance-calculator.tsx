import { useState } from "react";
import { Link } from "react-router";
import { CalculatorCard, ResultNotes } from "./calculator-card.tsx";
import { CoverageBreakdown } from "./coverage-breakdown.tsx";
import {
  type CoverageInput,
  coverageNeeded,
  fixedAmount,
  incomeYears,
  lifeInsuranceRanges,
} from "./life-insurance.ts";
import { formatDollars } from "./money.ts";
import { RangeField } from "./range-field.tsx";
import { useCalculation } from "./use-calculation.ts";

const { annualIncome, totalDebt } = lifeInsuranceRanges;

/** @param posted what was sent without JavaScript: the result stands in the page already. */
export function LifeInsuranceCalculator({ posted }: { posted: CoverageInput | undefined }) {
  const [income, setIncome] = useState(posted?.annualIncome ?? annualIncome.initial);
  const [debt, setDebt] = useState(posted?.totalDebt ?? totalDebt.initial);
  const { done, outdated, calculate } = useCalculation(
    { annualIncome: income, totalDebt: debt },
    coverageNeeded,
    Boolean(posted),
  );

  return (
    <CalculatorCard
      name="coverage"
      title="Life Insurance Calculator"
      description="How much would your family need to stay where they are?"
      button="Calculate Coverage"
      resultLabel="Estimated Coverage Needed"
      result={done?.result.total ?? null}
      outdated={outdated}
      onCalculate={calculate}
      details={
        done && (
          <>
            <CoverageBreakdown coverage={done.result} />
            <ResultNotes
              assumptions={`${incomeYears} years of today's income without raises, interest or inflation, all your debts, and a fixed ${formatDollars(fixedAmount)}. It leaves out what is already there: savings, coverage through work, survivor benefits. Your real need is often smaller, and now and then larger.`}
              next={
                <>
                  Write down for how many years your family would really need the income, and what
                  they already have. Then read{" "}
                  <Link to="/services/life-insurance" className={linkClass}>
                    what life insurance costs
                  </Link>
                  , or bring the figure to a conversation.
                </>
              }
            />
          </>
        )
      }
    >
      <RangeField
        name="annualIncome"
        label="Annual Income"
        range={annualIncome}
        value={income}
        prefix="$"
        format={formatDollars}
        onChange={setIncome}
      />
      <RangeField
        name="totalDebt"
        label="Total Debt"
        range={totalDebt}
        value={debt}
        prefix="$"
        format={formatDollars}
        onChange={setDebt}
      />
      <p className="border-y border-line py-3.5 font-medium">
        Years to Replace Income: {incomeYears}
      </p>
    </CalculatorCard>
  );
}

const linkClass =
  "font-medium text-evergreen underline decoration-clay decoration-2 underline-offset-4";
