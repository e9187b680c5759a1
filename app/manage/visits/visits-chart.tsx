import { ticks } from "d3-array";
import { useState } from "react";
import { ChartSlider } from "../../ui/chart-slider.tsx";
import { formatNumber } from "../../ui/slider-field.tsx";
import { formatDay, sumOf, type VisitDay } from "./visits.ts";

/** A chart of more days has a bar per week. */
export const maxBars = 100;

const shortNumber = new Intl.NumberFormat("en-US", {
  notation: "compact",
  maximumFractionDigits: 1,
});

/** A bar of visits per day or week. Pointer, touch and arrow keys select one. The table below has the same numbers. */
export function VisitsChart({ days }: { days: VisitDay[] }) {
  const isWeekly = days.length > maxBars;
  const bars = isWeekly ? weeksOf(days) : days;
  const [index, setIndex] = useState<number | null>(null);
  const most = Math.max(1, ...bars.map(({ visits }) => visits));
  const scale = ticks(0, most, 3).filter(Number.isInteger);
  const percent = (visits: number) => `${(visits / Math.max(most, scale.at(-1) ?? 0)) * 100}%`;
  const selected = index === null ? undefined : bars[index];

  return (
    <div className="text-sm text-muted">
      <div className="relative ml-11 h-44 rounded-sm outline-offset-4 outline-clay has-focus-visible:outline-3 sm:h-52">
        <div aria-hidden="true">
          {scale.map((visits) => (
            <div
              key={visits}
              className="absolute inset-x-0 border-t border-line"
              style={{ bottom: percent(visits) }}
            >
              <span className="absolute right-full mr-2 -translate-y-1/2 tabular-nums">
                {shortNumber.format(visits)}
              </span>
            </div>
          ))}
          <div className="absolute inset-0 flex items-end">
            {bars.map((bar) => (
              <div
                key={bar.day}
                className={`flex h-full flex-1 items-end justify-center ${bar === selected ? "bg-clay/35" : ""}`}
              >
                <div
                  className="w-[calc(100%-1px)] max-w-12 bg-evergreen"
                  style={{ height: percent(bar.visits) }}
                />
              </div>
            ))}
          </div>
          {selected && (
            <p
              // In the half of the chart where the bar is not.
              className={`absolute top-0 max-w-1/2 rounded-md border border-line bg-surface px-3 py-2 text-ink ${(index ?? 0) < bars.length / 2 ? "right-0" : "left-0"}`}
            >
              {describeBar(selected, isWeekly)}
            </p>
          )}
        </div>
        <ChartSlider
          label={`Read the chart, ${isWeekly ? "week by week" : "day by day"}`}
          count={bars.length}
          index={index}
          describe={(at) => describeBar(bars[at], isWeekly)}
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

/** Up to today, so that the first may be shorter. */
function weeksOf(days: VisitDay[]): VisitDay[] {
  const starts = days.filter((_, at) => at === 0 || (days.length - at) % 7 === 0);
  return starts.map(({ day }, week) => {
    const next = starts[week + 1]?.day ?? "9";
    return { day, ...sumOf(days.filter((other) => other.day >= day && other.day < next)) };
  });
}

function describeBar(day: VisitDay | undefined, isWeekly: boolean): string {
  if (!day) return "";
  const count = (number: number, what: string) =>
    `${formatNumber(number)} ${what}${number === 1 ? "" : "s"}`;
  const counts = [count(day.visits, "visit"), count(day.pages, "page view")];
  counts.push(count(day.messages, "message"), count(day.testimonials, "testimonial"));
  return `${isWeekly ? "Week from " : ""}${formatDay(day.day, "medium")}: ${counts.join(", ")}`;
}
