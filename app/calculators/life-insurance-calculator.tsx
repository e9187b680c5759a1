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
      outline={<BreakdownOutline />}
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
    { name: `Income, replaced for ${incomeYears} years`, amount: coverage.income, look: looks[0] },
    { name: "Debts, paid off", amount: coverage.debt, look: looks[1] },
    { name: "A fixed amount for final costs", amount: coverage.fixed, look: looks[2] },
  ];
  return (
    <>
      <div aria-hidden="true" className="flex h-6 gap-0.5">
        {parts.map(
          ({ name, amount, look }) =>
            amount > 0 && (
              <div
                key={name}
                data-swatch
                // A small part stays visible.
                className={`min-w-2 rounded-sm ${look}`}
                style={{ flexGrow: amount / coverage.total }}
              />
            ),
        )}
      </div>
      <table className="mt-4 w-full text-left">
        <caption className="sr-only">What the estimated coverage is made of</caption>
        <tbody>
          {parts.map(({ name, amount, look }) => (
            <tr key={name} className="border-b border-line">
              <th scope="row" className="flex gap-2.5 py-2.5 pr-4 font-normal">
                <span
                  aria-hidden="true"
                  data-swatch
                  className={`mt-1.5 size-4 shrink-0 rounded-sm ${look}`}
                />
                <span>{name}</span>
              </th>
              <td className="py-2.5 text-right align-top font-medium whitespace-nowrap tabular-nums">
                {formatDollars(amount)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Full, striped and hollow, so that no part is told from another by its color alone. */
const looks = [
  "bg-evergreen",
  "border border-clay bg-[repeating-linear-gradient(135deg,var(--color-clay)_0_2px,var(--color-surface)_2px_5px)]",
  "border-2 border-edge bg-surface",
];

/** The breakdown before there is one. */
function BreakdownOutline() {
  return (
    <>
      <div className="h-6 rounded-sm bg-line/60" />
      {["w-1/2", "w-1/3", "w-2/5"].map((width) => (
        <div key={width} className="flex items-center justify-between border-b border-line py-4">
          <div className={`h-3 rounded-sm bg-line/60 ${width}`} />
          <div className="h-3 w-16 rounded-sm bg-line/60" />
        </div>
      ))}
    </>
  );
}
