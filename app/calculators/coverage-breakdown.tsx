import { type Coverage, incomeYears } from "./life-insurance.ts";
import { formatDollars } from "./money.ts";

/** What a coverage is made of, as a bar and as the table that says the same. */
export function CoverageBreakdown({ coverage }: { coverage: Coverage }) {
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
                {name}
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
