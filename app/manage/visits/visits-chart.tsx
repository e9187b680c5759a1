import { ticks } from "d3-array";
import { formatDay, type VisitDay } from "./visits.ts";

const shortNumber = new Intl.NumberFormat("en-US", {
  notation: "compact",
  maximumFractionDigits: 1,
});

interface VisitsChartProps {
  days: VisitDay[];
  /** Whether it shows only how the days compare, without their numbers. */
  isSmall?: boolean;
}

/** A bar of visits per day, for the eye: the page of the visits has the same numbers in a table. */
export function VisitsChart({ days, isSmall = false }: VisitsChartProps) {
  const most = Math.max(1, ...days.map(({ visits }) => visits));
  const scale = isSmall ? [0] : ticks(0, most, 3).filter(Number.isInteger);
  const percent = (visits: number) => `${(visits / most) * 100}%`;
  const margin = isSmall ? "" : "ml-9 sm:ml-11";

  return (
    <div aria-hidden="true" className="text-sm text-muted">
      <div className={`relative ${margin} ${isSmall ? "h-16" : "h-44 sm:h-52"}`}>
        {scale.map((visits) => (
          <div
            key={visits}
            className="absolute inset-x-0 border-t border-line"
            style={{ bottom: percent(visits) }}
          >
            {!isSmall && (
              <span className="absolute right-full mr-2 -translate-y-1/2 whitespace-nowrap tabular-nums">
                {shortNumber.format(visits)}
              </span>
            )}
          </div>
        ))}
        <div className="absolute inset-0 flex items-end">
          {days.map(({ day, visits }) => (
            <div key={day} className="flex h-full flex-1 items-end justify-center">
              <div
                className="w-[calc(100%-1px)] max-w-12 rounded-t-[2px] bg-clay"
                style={{ height: percent(visits) }}
              />
            </div>
          ))}
        </div>
      </div>
      <div className={`mt-1.5 flex justify-between ${margin}`}>
        <span>{formatDay(days[0]?.day ?? "", "short")}</span>
        <span>Today</span>
      </div>
    </div>
  );
}
