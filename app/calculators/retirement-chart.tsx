import { ticks } from "d3-array";
import { area, line } from "d3-shape";
import type { SavingsYear } from "./retirement.ts";

/**
 * The savings over the years: what was paid in, and on top of it what growth added. The shapes are
 * stretched to the room there is; the words beside them are not, so that they can be read on a phone.
 */
export default function RetirementChart({ years }: { years: SavingsYear[] }) {
  const [first, last] = [years[0], years.at(-1)];
  if (!first || !last) return null;
  const scale = ticks(0, Math.max(last.balance, 1), 4);
  const top = Math.max(last.balance, scale.at(-1) ?? 0, 1);
  const x = ({ age }: SavingsYear) => ((age - first.age) / (last.age - first.age)) * 100;
  const y = (amount: number) => 100 - (amount / top) * 100;
  const paidIn = area<SavingsYear>(x, 100, ({ paidIn }) => y(paidIn));
  const growth = area<SavingsYear>(
    x,
    ({ paidIn }) => y(paidIn),
    ({ balance }) => y(balance),
  );
  const outline = line<SavingsYear>(x, ({ balance }) => y(balance));
  const ages = last.age - first.age < 4 ? [first.age, last.age] : ageTicks(first.age, last.age);

  return (
    <div aria-hidden="true" className="text-sm text-muted">
      <div className="relative ml-14 h-56 sm:h-64">
        {scale.map((amount) => (
          <div
            key={amount}
            className="absolute inset-x-0 border-t border-line"
            style={{ top: `${y(amount)}%` }}
          >
            <span className="absolute right-full mr-2 -translate-y-1/2 tabular-nums">
              {shortUsd.format(amount)}
            </span>
          </div>
        ))}
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible"
          role="presentation"
        >
          <path d={paidIn(years) ?? ""} className="fill-evergreen" />
          <path d={growth(years) ?? ""} className="fill-clay/35" />
          <path
            d={outline(years) ?? ""}
            className="fill-none stroke-clay"
            strokeWidth="2"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      </div>
      <div className="relative mt-1.5 ml-14 h-6">
        {ages.map((age) => (
          <span
            key={age}
            className="absolute -translate-x-1/2 tabular-nums last:-translate-x-full"
            style={{ left: `${((age - first.age) / (last.age - first.age)) * 100}%` }}
          >
            {age}
          </span>
        ))}
      </div>
      <p className="ml-14">Your age</p>
    </div>
  );
}

/** The first and the last age, and round ones between them that keep their distance. */
function ageTicks(first: number, last: number): number[] {
  const distance = (last - first) / 7;
  const between = ticks(first, last, 4).filter(
    (age) => Number.isInteger(age) && age - first > distance && last - age > distance,
  );
  return [first, ...between, last];
}

const shortUsd = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  notation: "compact",
  maximumFractionDigits: 1,
});
