import { ticks } from "d3-array";
import { useState } from "react";
import { ChartSlider } from "../../ui/chart-slider.tsx";
import { formatNumber } from "../../ui/slider-field.tsx";
import { formatDay, type VisitDay } from "./visits.ts";

const shortNumber = new Intl.NumberFormat("en-US", {
  notation: "compact",
  maximumFractionDigits: 1,
});

/**
 * A bar of page loads per day. Pointer, touch and arrow keys select a day. The table below has the same numbers.
 */
export function VisitsChart({ days }: { days: VisitDay[] }) {
  const [index, setIndex] = useState<number | null>(null);
  const most = Math.max(1, ...days.map(({ loads }) => loads));
  const scale = ticks(0, most, 3).filter(Number.isInteger);
  const percent = (loads: number) => `${(loads / Math.max(most, scale.at(-1) ?? 0)) * 100}%`;
  const selected = index === null ? undefined : days[index];

  return (
    <div className="text-sm text-muted">
      <div className="relative ml-11 h-44 rounded-sm outline-offset-4 outline-clay has-focus-visible:outline-3 sm:h-52">
        <div aria-hidden="true">
          {scale.map((loads) => (
            <div
              key={loads}
              className="absolute inset-x-0 border-t border-line"
              style={{ bottom: percent(loads) }}
            >
              <span className="absolute right-full mr-2 -translate-y-1/2 tabular-nums">
                {shortNumber.format(loads)}
              </span>
            </div>
          ))}
          <div className="absolute inset-0 flex items-end">
            {days.map((day) => (
              <div
                key={day.day}
                className={`flex h-full flex-1 items-end ${day === selected ? "bg-clay/35" : ""}`}
              >
                <div className="w-full bg-evergreen" style={{ height: percent(day.loads) }} />
              </div>
            ))}
          </div>
          {selected && (
            <p
              // Placed in the half of the chart without the selected day.
              className={`absolute top-0 max-w-1/2 rounded-md border border-line bg-surface px-3 py-2 text-ink ${(index ?? 0) < days.length / 2 ? "right-0" : "left-0"}`}
            >
              {describeDay(selected)}
            </p>
          )}
        </div>
        <ChartSlider
          label="Read the chart, day by day"
          count={days.length}
          index={index}
          describe={(at) => describeDay(days[at])}
          onSelect={setIndex}
        />
      </div>
      <div aria-hidden="true" className="mt-1.5 ml-11 flex justify-between">
        <span>{formatDay(days[0]?.day ?? "", "short")}</span>
        <span>Today</span>
      </div>
    </div>
  );
}

/** A day of the chart in words. */
function describeDay(day: VisitDay | undefined): string {
  if (!day) return "";
  const count = (number: number, what: string) =>
    `${formatNumber(number)} ${what}${number === 1 ? "" : "s"}`;
  return `${formatDay(day.day)}: ${count(day.loads, "page load")}, ${count(day.messages, "message")}, ${count(day.testimonials, "review")}`;
}
