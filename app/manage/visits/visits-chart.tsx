import { ticks } from "d3-array";
import { area, curveStepAfter } from "d3-shape";
import { useState } from "react";
import { ChartSlider } from "../../ui/chart-slider.tsx";
import { formatNumber } from "../../ui/slider-field.tsx";
import { describeDay, formatDay, formatLongDay } from "./format-visits.ts";
import type { VisitDay } from "./visits.ts";

/**
 * Page loads per day, as steps. The SVG is stretched to the available space; the labels are HTML, so that they stay
 * readable on a phone. Pointer, touch and arrow keys select a day. The table below has the same numbers.
 */
export function VisitsChart({ days }: { days: VisitDay[] }) {
  const [index, setIndex] = useState<number | null>(null);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const most = Math.max(1, ...days.map(({ loads }) => loads));
  const scale = ticks(0, most, 3).filter(Number.isInteger);
  const top = Math.max(most, scale.at(-1) ?? 0);
  const x = (at: number) => (at / days.length) * 100;
  const y = (loads: number) => 100 - (loads / top) * 100;
  // The last day again, because a step ends where the next one begins.
  const steps = area<VisitDay>(
    (_day, at) => x(at),
    100,
    ({ loads }) => y(loads),
  ).curve(curveStepAfter)([...days, last]);
  const selected = index === null ? undefined : days[index];

  return (
    <div className="text-sm text-muted">
      <div className="relative ml-11 h-44 rounded-sm outline-offset-4 outline-clay has-focus-visible:outline-3 sm:h-52">
        <div aria-hidden="true">
          {scale.map((loads) => (
            <div
              key={loads}
              className="absolute inset-x-0 border-t border-line"
              style={{ top: `${y(loads)}%` }}
            >
              <span className="absolute right-full mr-2 -translate-y-1/2 tabular-nums">
                {shortNumber.format(loads)}
              </span>
            </div>
          ))}
          <svg
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            className="absolute inset-0 size-full"
            role="presentation"
          >
            <path d={steps ?? ""} className="fill-evergreen" />
            {index !== null && (
              <rect x={x(index)} width={100 / days.length} height="100" className="fill-clay/35" />
            )}
          </svg>
          {selected && <SelectedDay day={selected} isLeft={(index ?? 0) < days.length / 2} />}
        </div>
        <ChartSlider
          label="Read the chart, day by day"
          count={days.length}
          index={index}
          describe={(at) => describeDay(days[at] ?? last)}
          onSelect={setIndex}
        />
      </div>
      <div aria-hidden="true" className="mt-1.5 ml-11 flex justify-between">
        <span>{formatDay(first.day)}</span>
        <span>Today</span>
      </div>
    </div>
  );
}

/** The numbers of the selected day, in the half of the chart where the day is not. */
function SelectedDay({ day, isLeft }: { day: VisitDay; isLeft: boolean }) {
  return (
    <dl
      className={`absolute top-0 grid grid-cols-[auto_auto] gap-x-4 rounded-md border border-line bg-surface px-3 py-2 text-ink tabular-nums [&>dd]:text-right ${isLeft ? "right-0" : "left-0"}`}
    >
      <dt className="col-span-2 font-semibold">{formatLongDay(day.day)}</dt>
      <dt>Page loads</dt>
      <dd>{formatNumber(day.loads)}</dd>
      <dt>Messages</dt>
      <dd>{formatNumber(day.messages)}</dd>
      <dt>Reviews</dt>
      <dd>{formatNumber(day.testimonials)}</dd>
    </dl>
  );
}

const shortNumber = new Intl.NumberFormat("en-US", {
  notation: "compact",
  maximumFractionDigits: 1,
});
