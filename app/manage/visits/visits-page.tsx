import { Link, useSearchParams } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { PageFrame } from "../manage-frame.tsx";
import { periods } from "./visits.ts";
import { VisitsPanel } from "./visits-panel.tsx";

export default function VisitsPage() {
  const requested = useSearchParams()[0].get("days") ?? "";
  const period = Number(requested in periods ? requested : 30);
  const { countsVisits } = useSite();
  return (
    <PageFrame>
      <nav aria-label="Period" className="mt-6 mb-6 flex flex-wrap gap-2">
        {Object.entries(periods).map(([days, name]) => (
          <Link
            key={days}
            to={days === "30" ? "/manage/visits" : `/manage/visits?days=${days}`}
            aria-current={Number(days) === period ? "page" : undefined}
            preventScrollReset
            className="flex min-h-10 items-center rounded-md border border-line bg-surface px-4 text-sm font-medium text-muted hover:border-edge hover:text-ink aria-[current]:border-clay aria-[current]:bg-sage aria-[current]:text-ink"
          >
            {name}
          </Link>
        ))}
      </nav>
      <VisitsPanel period={period} isOn={countsVisits} />
    </PageFrame>
  );
}
