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
      <nav aria-label="Period" className="mt-6 mb-8 grid grid-cols-4 gap-2 sm:flex">
        {Object.entries(periods).map(([days, name]) => (
          <Link
            key={days}
            to={days === "30" ? "/manage/visits" : `/manage/visits?days=${days}`}
            aria-current={Number(days) === period ? "page" : undefined}
            preventScrollReset
            className="flex min-h-10 items-center justify-center rounded-md border border-edge bg-surface text-sm font-semibold text-evergreen sm:px-4 hover:border-evergreen aria-[current]:border-evergreen aria-[current]:bg-evergreen aria-[current]:text-paper"
          >
            {name}
          </Link>
        ))}
      </nav>
      <VisitsPanel period={period} isOn={countsVisits} />
    </PageFrame>
  );
}
