import { Suspense, useState } from "react";
import { useSite } from "../config/use-site.ts";
import { lazyPart } from "../loading/lazy-part.tsx";
import { LoadFailure } from "../ui/load-state.tsx";
import { CalculatorCard, ResultNotes, ServiceHint, useCalculator } from "./calculator-card.tsx";
import { formatDollars } from "./money.ts";
import {
  projectSavings,
  type RetirementPlan,
  retirementFields,
  type SavingsYear,
} from "./retirement.ts";

/** @param posted the input of a form that was posted without JavaScript */
export function RetirementCalculator({ posted }: { posted: RetirementPlan | undefined }) {
  const { disclosures, calculators } = useSite();
  const { done, sliders, ...state } = useCalculator(
    retirementFields(calculators),
    projectSavings,
    posted,
  );
  return (
    <CalculatorCard
      {...state}
      name="retirement"
      title="Retirement Savings Calculator"
      description="What could your savings become if you keep going?"
      button="Project Savings"
      resultLabel="Estimated Savings at Retirement"
      result={done?.result.at(-1)?.balance ?? null}
      basis={
        done &&
        `${formatDollars(done.input.currentSavings)} at age ${done.input.currentAge}. Each month until age ${done.input.retirementAge}, ${formatDollars(done.input.monthlyContribution)} is added, then everything grows by a twelfth of ${done.input.annualReturn}%. Without taxes, fees and inflation.`
      }
      disclosure={disclosures.retirementCalculator}
      details={
        done && (
          <>
            <SavingsResult years={done.result} />
            <ResultNotes
              assumptions={calculators.retirementAssumptions}
              next={
                <>
                  <span>Press again with a return that is two points lower, and compare.</span>
                  <ServiceHint slug="retirement-planning" />
                </>
              }
            />
          </>
        )
      }
      outline={<ChartOutline />}
    >
      {sliders}
    </CalculatorCard>
  );
}

/** Reserves the height of the chart while it loads or if loading fails. */
const chartHeight = "h-[17.75rem] sm:h-[19.75rem]";

/** Loaded, with the chart library, for the first result. */
const RetirementChart = lazyPart(
  () => import("./retirement-chart.tsx"),
  ({ onRetry }) => <LoadFailure what="The chart" onRetry={onRetry} className={chartHeight} />,
);

/** The chart before there is one: growth on top of what is paid in. */
function ChartOutline() {
  return (
    <svg
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      role="presentation"
      className="h-44 w-full border-b-2 border-l-2 border-line"
    >
      <path d="M0 96Q62 84 100 12V100H0Z" className="fill-line/60" />
      <path d="M0 96L100 76V100H0Z" className="fill-line" />
    </svg>
  );
}

/** A projection as a chart, as two totals and as a table by year. */
function SavingsResult({ years }: { years: SavingsYear[] }) {
  const last = years.at(-1);
  if (!last) return null;
  return (
    <>
      <Suspense fallback={<div className={chartHeight} />}>
        <RetirementChart years={years} />
      </Suspense>
      <dl className="mt-5 border-t border-line">
        <Part name="What you paid in" amount={last.paidIn} swatch="bg-evergreen" />
        <Part
          name="What growth added"
          amount={last.balance - last.paidIn}
          swatch="border-2 border-clay bg-clay/18"
        />
      </dl>
      <YearTable years={years} />
    </>
  );
}

function Part({ name, amount, swatch }: { name: string; amount: number; swatch: string }) {
  return (
    <div className="flex justify-between gap-4 border-b border-line py-2.5">
      <dt className="flex gap-2.5">
        <span
          aria-hidden="true"
          data-swatch
          className={`mt-1.5 size-4 shrink-0 rounded-sm ${swatch}`}
        />
        <span>{name}</span>
      </dt>
      <dd className="font-medium whitespace-nowrap tabular-nums">{formatDollars(amount)}</dd>
    </div>
  );
}

function YearTable({ years }: { years: SavingsYear[] }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="mt-4" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="inline-block rounded-sm py-1 font-medium text-evergreen underline decoration-clay decoration-2 underline-offset-4">
        The figures year by year
      </summary>
      {open && (
        <section
          aria-label="The figures year by year"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be focusable for keyboard users.
          tabIndex={0}
          data-scrolls
          className="relative mt-3 max-h-80 overflow-auto rounded-sm"
        >
          <table className="w-full text-right text-sm tabular-nums">
            <caption className="sr-only">The savings at each age</caption>
            <thead className="sticky top-0 bg-sage">
              <tr className="border-b border-line">
                {["Age", "Paid in", "Growth", "Savings"].map((head) => (
                  <th
                    key={head}
                    scope="col"
                    className="py-2 pl-3 font-semibold first:pl-0 first:text-left"
                  >
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {years.map(({ age, paidIn, balance }) => (
                <tr key={age} className="border-b border-line">
                  <th scope="row" className="py-1.5 text-left font-normal">
                    {age}
                  </th>
                  <td className="py-1.5 pl-3">{formatDollars(paidIn)}</td>
                  <td className="py-1.5 pl-3">{formatDollars(balance - paidIn)}</td>
                  <td className="py-1.5 pl-3">{formatDollars(balance)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
