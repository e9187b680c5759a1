import { useSite } from "../config/use-site.ts";
import { CalculatorCard, ResultNotes, ServiceHint, useCalculator } from "./calculator-card.tsx";
import { type Coverage, type CoverageInput, coverageFields, coverageNeeded } from "./coverage.ts";
import { formatDollars } from "./money.ts";

/** @param posted the input of a form that was posted without JavaScript */
export function LifeInsuranceCalculator({ posted }: { posted: CoverageInput | undefined }) {
  const { disclosures, calculators } = useSite();
  const { incomeYears, fixedAmount, coverageAssumptions } = calculators;
  const { done, sliders, ...state } = useCalculator(
    coverageFields(calculators),
    (input) => coverageNeeded(input, calculators),
    posted,
  );
  return (
    <CalculatorCard
      {...state}
      name="coverage"
      title="Life Insurance Calculator"
      description="How much would your family need to stay where they are?"
      button="Calculate Coverage"
      resultLabel="Estimated Coverage Needed"
      result={done?.result.total ?? null}
      basis={
        done &&
        `${incomeYears} years of today's income of ${formatDollars(done.input.annualIncome)} without raises, interest or inflation, all debts of ${formatDollars(done.input.totalDebt)}, and a fixed ${formatDollars(fixedAmount)}.`
      }
      disclosure={disclosures.lifeInsuranceCalculator}
      details={
        done && (
          <>
            <CoverageBreakdown coverage={done.result} />
            <ResultNotes
              assumptions={coverageAssumptions}
              next={
                <>
                  <span>
                    Write down for how many years your family would really need the income, and what
                    they already have.
                  </span>
                  <ServiceHint slug="life-insurance" />
                </>
              }
            />
          </>
        )
      }
    >
      {sliders}
      <p className="border-y border-line py-3.5 font-medium">
        {`Years to Replace Income: ${incomeYears}`}
      </p>
    </CalculatorCard>
  );
}

/** The parts of a coverage, as a bar and as a table. */
function CoverageBreakdown({ coverage }: { coverage: Coverage }) {
  const { incomeYears } = useSite().calculators;
  const parts = [
    {
      name: `Income, replaced for ${incomeYears} years`,
      amount: coverage.income,
      ...colors.income,
    },
    { name: "Debts, paid off", amount: coverage.debt, ...colors.debt },
    { name: "A fixed amount for final costs", amount: coverage.fixed, ...colors.fixed },
  ];
  let end = 0;
  return (
    <>
      <svg
        viewBox="0 0 100 1"
        preserveAspectRatio="none"
        aria-hidden="true"
        className="block h-5 w-full overflow-hidden rounded-sm"
      >
        {parts.map(({ name, amount, fill }) => {
          const start = end;
          end += (amount / coverage.total) * 100;
          return <rect key={name} x={start} width={end - start} height="1" className={fill} />;
        })}
      </svg>
      <table className="mt-4 w-full text-left">
        <caption className="sr-only">What the estimated coverage is made of</caption>
        <tbody>
          {parts.map(({ name, amount, swatch }) => (
            <tr key={name} className="border-b border-line">
              <th scope="row" className="flex gap-2.5 py-2.5 pr-4 font-normal">
                <span
                  aria-hidden="true"
                  data-swatch
                  className={`mt-2 size-3 shrink-0 rounded-sm ${swatch}`}
                />
                <span>{name}</span>
              </th>
              <td className="py-2.5 text-right align-top font-medium tabular-nums">
                {formatDollars(amount)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const colors = {
  income: { fill: "fill-evergreen", swatch: "bg-evergreen" },
  debt: { fill: "fill-clay", swatch: "bg-clay" },
  fixed: { fill: "fill-edge", swatch: "bg-edge" },
};
