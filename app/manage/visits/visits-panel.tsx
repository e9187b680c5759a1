import { useState } from "react";
import { Link } from "react-router";
import { type Loadable, Loaded } from "../../loading/loaded.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { formatNumber } from "../../ui/slider-field.tsx";
import { Button } from "../button.tsx";
import { Failure, Loading } from "../manage-frame.tsx";
import { formatDay, type TopKey, type VisitDay, type Visits } from "./visits.ts";
import { VisitsChart } from "./visits-chart.tsx";

interface VisitsPanelProps {
  visits: Loadable<Visits>;
  /** The number of days. */
  period: number;
  /** Whether the owner has switched counting on. */
  isOn: boolean;
  /** The level of the headings in the panel. */
  Heading?: "h2" | "h3";
}

/** Visit counts: sums, a chart, and the most frequent keys. The page provides the heading. */
export default function VisitsPanel({ visits, period, isOn, Heading = "h2" }: VisitsPanelProps) {
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

interface PartProps {
  visits: Visits;
  Heading: "h2" | "h3";
}

/** The reason why no visits are counted. */
function Notice({ visits, isOn, Heading }: PartProps & { isOn: boolean }) {
  const { isHosted, key_created_at } = visits;
  if (isOn && visits.days.some(({ loads }) => loads > 0)) return null;
  return (
    <div className="mb-8 rounded-lg border border-line bg-surface px-5 py-4">
      {!isOn ? (
        "Counting visits is switched off in the settings of the site. Earlier counts stay until they are 400 days old."
      ) : isHosted && key_created_at === null ? (
        <>
          <Heading className="text-xl">Visits are not counted yet</Heading>
          <p className="mt-2 max-w-prose">
            The site needs a key to store its counts in the Supabase project, so that nobody else
            can add any. Create it here, add it to the environment of the site, and restart the
            site.
          </p>
          <VisitsKey button="Create a key" />
        </>
      ) : (
        <>
          <strong className="block text-lg font-semibold">No visits counted yet</strong>
          The first visit appears here within a minute.
          {isHosted &&
            " If visits are missing, compare VISITS_KEY in the environment of the site with the key that was created here."}
          {isHosted && <VisitsKey button="Create another key" />}
        </>
      )}
    </div>
  );
}

/** Creates the key that lets a site on a hosted project add its counts. It is shown once. */
function VisitsKey({ button }: { button: string }) {
  const [state, setState] = useState<"idle" | "creating" | "failed" | { key: string }>("idle");

  async function create() {
    setState("creating");
    try {
      const client = await getBrowserClient();
      const { data } = await client.rpc("create_visits_key").throwOnError();
      setState({ key: data });
    } catch (error) {
      console.error("Creating a visits key failed", error);
      setState("failed");
    }
  }

  return (
    <>
      <div role="status">
        {typeof state === "object" && (
          <p className="mt-3">
            Add this line to the environment of the site. It is shown only now.
            <code className="mt-2 block rounded-md bg-sage px-3 py-2 text-sm [overflow-wrap:anywhere] select-all">
              VISITS_KEY={state.key}
            </code>
          </p>
        )}
      </div>
      {state === "failed" && (
        <p role="alert" className="mt-3 text-danger">
          The key could not be created. Please try again.
        </p>
      )}
      {typeof state !== "object" && (
        <Button className="mt-4" disabled={state === "creating"} onClick={create}>
          {state === "creating" ? "Creating..." : button}
        </Button>
      )}
    </>
  );
}

/** A count per day, with its name. */
const sums = [
  ["loads", "Page loads"],
  ["messages", "Messages"],
  ["testimonials", "Reviews"],
] as const;

const lists = [
  {
    ...{ kind: "page", unit: "page loads" },
    title: "Most visited pages",
    empty: "No page was visited yet.",
  },
  {
    ...{ kind: "referrer", unit: "page loads" },
    title: "Sites that link here",
    empty: "No visitor followed a link of another site yet.",
  },
  {
    ...{ kind: "calculator", unit: "uses" },
    title: "Calculators",
    empty: "No calculator was used yet.",
  },
] as const;

const names: Record<string, string> = {
  "/": "Home page",
  coverage: "Life Insurance Calculator",
  retirement: "Retirement Savings Calculator",
};

function Counts({ visits: { days, top }, Heading }: PartProps) {
  return (
    <>
      <dl className="flex flex-wrap gap-x-8 gap-y-3 border-y border-line py-4 sm:gap-x-16">
        {sums.map(([field, name]) => (
          <div key={field}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-serif text-2xl tabular-nums">
              {formatNumber(days.reduce((sum, day) => sum + day[field], 0))}
            </dd>
          </div>
        ))}
      </dl>
      <Heading className="mt-8 mb-5 text-xl">Page loads per day</Heading>
      <VisitsChart days={days} />
      <DayTable days={days} />
      <div className="mt-10 grid gap-x-10 gap-y-8 lg:grid-cols-3">
        {lists.map(({ kind, title, empty, unit }) => {
          const rows = top.filter((row) => row.kind === kind);
          return (
            <section key={kind}>
              <Heading className="text-xl">{title}</Heading>
              {rows.length === 0 ? (
                <p className="mt-3 text-muted">{empty}</p>
              ) : (
                <TopList rows={rows} unit={unit} />
              )}
            </section>
          );
        })}
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
            {sums.map(([field, name]) => (
              <th key={field} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day} className="border-b border-line text-right [&>td]:py-1.5 [&>td]:pl-3">
              <th scope="row" className="py-1.5 text-left font-normal">
                {formatDay(day.day)}
              </th>
              {sums.map(([field]) => (
                <td key={field}>{formatNumber(day[field])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** Other sites are not linked: bots invent referring hosts to get such links. */
function TopList({ rows, unit }: { rows: TopKey[]; unit: string }) {
  const most = rows[0]?.count ?? 1;
  return (
    <ol className="mt-3">
      {rows.map(({ kind, key, count }) => (
        <li
          key={key}
          className="relative flex min-h-9 items-center justify-between gap-4 border-b border-line px-2 py-1.5 text-sm"
        >
          <span
            aria-hidden="true"
            className="absolute inset-y-0.5 left-0 rounded-sm bg-sage"
            style={{ width: `${(count / most) * 100}%` }}
          />
          <span className="relative min-w-0 [overflow-wrap:anywhere]">
            {kind === "page" ? (
              <Link
                to={key}
                className="font-medium underline decoration-clay/60 underline-offset-4 hover:decoration-clay"
              >
                {names[key] ?? key}
              </Link>
            ) : (
              (names[key] ?? key)
            )}
          </span>
          <span className="relative font-medium tabular-nums">
            {formatNumber(count)}
            <span className="sr-only"> {unit}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
