import { ticks } from "d3-array";
import { area, line } from "d3-shape";
import { useState } from "react";
import { ChartSlider } from "../ui/chart-slider.tsx";
import { formatDollars } from "./money.ts";
import type { SavingsYear } from "./retirement.ts";

/**
 * The savings by year: contributions, and growth on top of them. The SVG is stretched to the available space;
 * the labels are HTML, so that they stay readable on a phone. Pointer, touch and arrow keys select a year.
 */
export default function RetirementChart({ years }: { years: SavingsYear[] }) {
  const [index, setIndex] = useState<number | null>(null);
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
  const selected = index === null ? null : (years[index] ?? null);

  return (
    <div className="text-sm whitespace-nowrap text-muted">
      <div className="relative ml-14 h-56 rounded-sm outline-offset-4 outline-clay has-focus-visible:outline-3 sm:h-64">
        <div aria-hidden="true">
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
            <path d={growth(years) ?? ""} className="fill-clay/18" />
            <path
              d={paidIn(years) ?? ""}
              className="fill-evergreen stroke-sage"
              strokeWidth="2"
              vectorEffect="non-scaling-stroke"
            />
            <path
              d={outline(years) ?? ""}
              className="fill-none stroke-clay"
              strokeWidth="2"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
          {selected && (
            <SelectedYear year={selected} left={x(selected)} top={y(selected.balance)} />
          )}
        </div>
        <ChartSlider
          label="Read the chart, year by year"
          count={years.length}
          index={index}
          describe={(at) => inWords(years[at] ?? last)}
          onSelect={setIndex}
        />
      </div>
      <div aria-hidden="true" className="relative mt-1.5 ml-14 h-6">
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
      <p aria-hidden="true" className="ml-14">
        Your age
      </p>
    </div>
  );
}

/** Marks the selected year on the curve and lists its amounts in the left corner, where the curve is low. */
function SelectedYear({ year, left, top }: { year: SavingsYear; left: number; top: number }) {
  const { age, paidIn, balance } = year;
  return (
    <>
      <div className="absolute inset-y-0 border-l border-ink" style={{ left: `${left}%` }} />
      <div
        className="absolute size-2.5 -translate-1/2 rounded-full border-2 border-surface bg-ink"
        style={{ left: `${left}%`, top: `${top}%` }}
      />
      <dl className="absolute top-0 left-2 grid grid-cols-[auto_auto] gap-x-4 rounded-md border border-line bg-surface px-3 py-2 text-ink tabular-nums [&>dd]:text-right">
        <dt className="font-semibold">{`At ${age}`}</dt>
        <dd className="font-semibold">{formatDollars(balance)}</dd>
        <dt>Paid in</dt>
        <dd>{formatDollars(paidIn)}</dd>
        <dt>Growth</dt>
        <dd>{formatDollars(balance - paidIn)}</dd>
      </dl>
    </>
  );
}

function inWords({ age, paidIn, balance }: SavingsYear): string {
  return `At ${age}: ${formatDollars(balance)}, of it ${formatDollars(paidIn)} paid in and ${formatDollars(balance - paidIn)} growth`;
}

/** The first and the last age, and round ages between them that are far enough from both. */
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
