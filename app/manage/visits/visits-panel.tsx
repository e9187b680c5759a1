import type { ReactNode } from "react";
import { Link } from "react-router";
import { type Loadable, Loaded } from "../../loading/loaded.tsx";
import { formatNumber } from "../../ui/slider-field.tsx";
import { Failure, Loading } from "../manage-frame.tsx";
import { formatLongDay, nameOf, sumDays } from "./format-visits.ts";
import type { Period, TopKey, VisitDay, Visits } from "./visits.ts";
import { VisitsChart } from "./visits-chart.tsx";
import { VisitsKey } from "./visits-key.tsx";

interface VisitsPanelProps {
  /** From `loadVisits`. */
  visits: Loadable<Visits>;
  period: Period;
  /** Whether the owner has switched counting on. */
  isOn?: boolean;
  /** The level of the headings in the panel. */
  Heading?: "h2" | "h3";
}

/** How often pages were visited: sums, a chart, and what was visited most. Without a heading of its own. */
export default function VisitsPanel(props: VisitsPanelProps) {
  const { visits, period, isOn = true, Heading = "h2" } = props;
  return (
    <Loaded
      data={visits}
      of={period}
      fallback={<Loading path="/manage/visits" />}
      failure={(failed) => <Failure failed={failed} path="/manage/visits" />}
    >
      {(loaded) => (
        <>
          <Notice visits={loaded} isOn={isOn} Heading={Heading} />
          <Counts visits={loaded} Heading={Heading} />
        </>
      )}
    </Loaded>
  );
}

type Parts = Required<Pick<VisitsPanelProps, "isOn" | "Heading">> & { visits: Visits };

/** Why there may be no new counts. */
function Notice({ visits, isOn, Heading }: Parts) {
  if (!isOn) {
    return (
      <Box>
        Counting visits is switched off in the settings of the site. Earlier counts stay until they
        are 400 days old.
      </Box>
    );
  }
  if (visits.needsKey) return <VisitsKey Heading={Heading} />;
  if (sumDays(visits.days).loads > 0) return null;
  return (
    <Box>
      <strong className="block text-lg font-semibold">No visits counted yet</strong>
      The first visit appears here within a minute.
      {visits.isHosted &&
        " If visits are missing, compare VISITS_KEY in the environment of the site with the key that was created here."}
      {visits.isHosted && <VisitsKey Heading={Heading} isReplacing />}
    </Box>
  );
}

function Box({ children }: { children: ReactNode }) {
  return <div className="mb-8 rounded-lg border border-line bg-surface px-5 py-4">{children}</div>;
}

function Counts({ visits: { days, top }, Heading }: Pick<Parts, "visits" | "Heading">) {
  const { loads, messages, testimonials } = sumDays(days);
  const lists = [
    { kind: "page", title: "Most visited pages", empty: "No page was visited yet." },
    {
      kind: "referrer",
      title: "Sites that link here",
      empty: "No visitor followed a link of another site yet.",
    },
    { kind: "calculator", title: "Calculators", empty: "No calculator was used yet." },
  ] as const;
  return (
    <>
      <dl className="flex flex-wrap gap-x-8 gap-y-3 border-y border-line py-4 sm:gap-x-16">
        {(
          [
            ["Page loads", loads],
            ["Messages", messages],
            ["Reviews", testimonials],
          ] as const
        ).map(([name, count]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-serif text-2xl tabular-nums">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      <Heading className="mt-8 mb-5 text-xl">Page loads per day</Heading>
      <VisitsChart days={days} />
      <DayTable days={days} />
      <div className="mt-10 grid gap-x-10 gap-y-8 lg:grid-cols-3">
        {lists.map(({ kind, title, empty }) => (
          <TopList
            key={kind}
            title={title}
            empty={empty}
            rows={top.filter((row) => row.kind === kind)}
            Heading={Heading}
          />
        ))}
      </div>
      <p className="mt-10 max-w-prose text-sm text-muted">
        A page load is a page that the site sent to a browser: the first page of a visit, a new tab
        or a reload. A page that is opened by a link within the site needs no load and is not
        counted. Bots are left out as far as they can be recognized. Your own visits are counted.
        Only these sums are stored: no cookie, no address and nothing else about a visitor.
      </p>
    </>
  );
}

/** The numbers of the chart as text, newest first. */
function DayTable({ days }: { days: VisitDay[] }) {
  return (
    <details className="mt-4">
      <summary className="inline-flex min-h-6 items-center text-sm font-medium text-evergreen underline decoration-clay/60 underline-offset-4 hover:decoration-clay">
        Numbers per day as a table
      </summary>
      <table className="mt-4 w-full text-sm tabular-nums">
        <caption className="sr-only">
          Page loads, messages and reviews per day, newest first
        </caption>
        <thead>
          <tr className="border-b border-edge text-right [&>th]:py-2 [&>th]:pl-3 [&>th]:font-semibold">
            <th scope="col" className="text-left">
              Day
            </th>
            <th scope="col">Page loads</th>
            <th scope="col">Messages</th>
            <th scope="col">Reviews</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, loads, messages, testimonials }) => (
            <tr key={day} className="border-b border-line text-right [&>td]:py-1.5 [&>td]:pl-3">
              <th scope="row" className="py-1.5 text-left font-normal">
                {formatLongDay(day)}
              </th>
              <td>{formatNumber(loads)}</td>
              <td>{formatNumber(messages)}</td>
              <td>{formatNumber(testimonials)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

interface TopListProps {
  title: string;
  empty: string;
  rows: TopKey[];
  Heading: "h2" | "h3";
}

function TopList({ title, empty, rows, Heading }: TopListProps) {
  const most = rows[0]?.count ?? 1;
  return (
    <section>
      <Heading className="text-xl">{title}</Heading>
      {rows.length === 0 ? (
        <p className="mt-3 text-muted">{empty}</p>
      ) : (
        <ol className="mt-3">
          {rows.map((row) => (
            <li
              key={row.key}
              className="relative flex min-h-9 items-center justify-between gap-4 border-b border-line px-2 py-1.5 text-sm"
            >
              <span
                aria-hidden="true"
                className="absolute inset-y-0.5 left-0 rounded-sm bg-sage"
                style={{ width: `${(row.count / most) * 100}%` }}
              />
              <Name row={row} />
              <span className="relative font-medium tabular-nums">
                {formatNumber(row.count)}
                <span className="sr-only">
                  {" "}
                  {row.kind === "calculator" ? "uses" : "page loads"}
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** Other sites are not linked: bots invent referring hosts to get such links. */
function Name({ row }: { row: TopKey }) {
  const className = "relative min-w-0 [overflow-wrap:anywhere]";
  if (row.kind !== "page" || row.key === "other") {
    return <span className={className}>{nameOf(row)}</span>;
  }
  return (
    <Link
      to={row.key}
      className={`${className} font-medium underline decoration-clay/60 underline-offset-4 hover:decoration-clay`}
    >
      {nameOf(row)}
    </Link>
  );
}
