import { type ReactNode, Suspense } from "react";
import { Link } from "react-router";
import { siteOf, useSite } from "../../config/use-site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { mayHaveSession } from "../../supabase/browser-client.ts";
import { LoadFailure } from "../../ui/load-state.tsx";
import type { Route } from "./+types/visits-page";
import { LoadingVisits } from "./loading-visits.tsx";
import { loadVisits, type Period, periodOf, periods } from "./visits.ts";

// Loaded separately, so that a visitor who opens this address does not load the code of the chart.
const VisitsPanel = lazyPart(
  () => import("./visits-panel.tsx"),
  ({ onRetry }) => <LoadFailure what="The visit counts" onRetry={onRetry} />,
);

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const period = periodOf(new URL(request.url).search);
  // Without a session the protected layout redirects to the login; skip the request.
  return { period, visits: mayHaveSession() ? loadVisits(period) : null };
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [
    { title: `Visits | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

export function HydrateFallback() {
  return (
    <Frame period={null}>
      <LoadingVisits />
    </Frame>
  );
}

export default function VisitsPage({ loaderData: { period, visits } }: Route.ComponentProps) {
  const { countsVisits } = useSite();
  return (
    <Frame period={period}>
      <Suspense fallback={<LoadingVisits />}>
        {visits ? (
          <VisitsPanel visits={visits} period={period} isOn={countsVisits} />
        ) : (
          <LoadingVisits />
        )}
      </Suspense>
    </Frame>
  );
}

const names: Record<Period, string> = { 30: "30 days", 90: "90 days", 365: "1 year" };

/** @param period null until it is known */
function Frame({ period, children }: { period: Period | null; children: ReactNode }) {
  return (
    <div className="wrap section min-h-[60vh]">
      <h1 className="text-3xl">Visits</h1>
      <nav aria-label="Period" className="mt-6 mb-8 flex flex-wrap gap-2">
        {periods.map((days) => (
          <Link
            key={days}
            to={days === 30 ? "/manage/visits" : `/manage/visits?days=${days}`}
            aria-current={days === period ? "page" : undefined}
            preventScrollReset
            className="inline-flex min-h-10 items-center rounded-md border border-edge bg-surface px-4 text-sm font-semibold text-evergreen hover:border-evergreen aria-[current]:border-evergreen aria-[current]:bg-evergreen aria-[current]:text-paper"
          >
            {names[days]}
          </Link>
        ))}
      </nav>
      {children}
    </div>
  );
}
