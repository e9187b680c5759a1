import { Link } from "react-router";
import { coverageNeeded } from "../calculators/coverage.ts";
import { formatDollars } from "../calculators/money.ts";
import { useSite } from "../config/use-site.ts";

/** How the adviser works: the steps, and an example of the resulting calculation that can be switched off. */
export function Approach() {
  const { home, pages, calculators } = useSite();
  const annualIncome = calculators.annualIncome.initial;
  const coverage = coverageNeeded(
    { annualIncome, totalDebt: calculators.totalDebt.initial },
    calculators,
  );
  const lines = [
    [
      `Income of ${formatDollars(annualIncome)}, replaced for ${calculators.incomeYears} years`,
      coverage.income,
    ],
    ["Debts, paid off", coverage.debt],
    ["A fixed amount for final costs", coverage.fixed],
  ] as const;
  const { approachHeading, approachSteps, hidden } = home;
  const hasExample = !hidden.includes("example");
  // Without the example the steps use its width.
  const [ground, list] = hasExample
    ? ["grid items-center gap-14 lg:grid-cols-[1fr_27rem] lg:gap-20", "space-y-8"]
    : [
        "",
        `grid gap-x-14 gap-y-8 ${approachSteps.length % 2 ? "lg:grid-cols-3" : "md:grid-cols-2"}`,
      ];
  return (
    <section className="on-deep section bg-deep text-mist" aria-labelledby="approach">
      <div className={`wrap ${ground}`}>
        <div>
          <h2 id="approach" className="text-3xl text-cream">
            {approachHeading || "What happens next"}
          </h2>
          <ol className={`mt-10 ${list}`}>
            {approachSteps.map(({ title, text }, index) => (
              <li key={title} className="grid grid-cols-[2.75rem_1fr]">
                <span aria-hidden="true" className="font-serif text-2xl leading-none text-lamp">
                  {index + 1}
                </span>
                <div>
                  <h3 className="text-xl text-cream">{title}</h3>
                  <p className="mt-1.5 max-w-xl whitespace-pre-line">{text}</p>
                </div>
              </li>
            ))}
          </ol>
        </div>
        {hasExample && (
          <figure className="rotate-1 rounded-sm bg-cream p-7 text-deep shadow-lift sm:p-9 motion-reduce:rotate-0">
            <figcaption className="font-serif text-xl">An example</figcaption>
            <dl className="mt-5 border-t border-deep/30 wrap-break-word">
              {lines.map(([what, amount]) => (
                <div
                  key={what}
                  className="flex items-baseline justify-between gap-6 border-b border-deep/15 py-3"
                >
                  <dt>{what}</dt>
                  <dd className="font-medium tabular-nums">{formatDollars(amount)}</dd>
                </div>
              ))}
              <div className="flex items-baseline justify-between gap-6 border-t-2 border-deep pt-3">
                <dt className="font-semibold">To be covered</dt>
                <dd className="font-serif text-2xl tabular-nums">
                  {formatDollars(coverage.total)}
                </dd>
              </div>
            </dl>
            <p className="mt-5 text-sm">
              Savings, coverage through work and benefits are not taken off yet.
            </p>
            {!pages.hidden.includes("lifeInsuranceCalculator") && (
              <p className="mt-4">
                <Link
                  to="/savings-calculator"
                  className="inline-block py-1 font-semibold underline decoration-2 underline-offset-4"
                >
                  Try it with your numbers
                </Link>
              </p>
            )}
          </figure>
        )}
      </div>
    </section>
  );
}
