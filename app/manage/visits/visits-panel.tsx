import { useState } from "react";
import { Link } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { formatNumber } from "../../ui/slider-field.tsx";
import { Button } from "../button.tsx";
import { useLiveQuery } from "../live-query.ts";
import { Failure, Loading } from "../manage-frame.tsx";
import { Alert } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import {
  describeChange,
  describeVisits,
  formatDay,
  isPartial,
  periods,
  readVisits,
  type TopKey,
  type VisitDay,
  type Visits,
} from "./visits.ts";
import { VisitsChart } from "./visits-chart.tsx";

interface VisitsPanelProps {
  /** In days. */
  period: number;
  isOn: boolean;
}

export function VisitsPanel({ period, isOn }: VisitsPanelProps) {
  const { value, failures, retry } = useLiveQuery({
    key: ["visit counts", period],
    read: (client) => readVisits(client, period),
    tables: [],
  });
  if (value) return <ShownVisits visits={value} isOn={isOn} />;
  if (failures > 0) return <Failure failures={failures} retry={retry} noun="visits" />;
  return <Loading noun="visits" skeleton={["h-16", "h-52"]} />;
}

export function ShownVisits({ visits, isOn }: PartProps) {
  const hasVisits = visits.sums.pages > 0 || (visits.before?.pages ?? 0) > 0;
  return (
    <>
      {(!isOn || !hasVisits) && <Notice visits={visits} isOn={isOn} />}
      {hasVisits && <Counts visits={visits} period={periods[visits.period] ?? ""} />}
    </>
  );
}

interface PartProps {
  visits: Visits;
  isOn: boolean;
}

const linkClass =
  "font-medium underline decoration-clay/60 underline-offset-4 hover:decoration-clay";

function Notice({ visits, isOn }: PartProps) {
  const { isHosted, key_created_at, began } = visits;
  const needsKey = isOn && isHosted && key_created_at === null;
  return (
    <div className="mb-8 max-w-2xl rounded-lg border border-line bg-surface p-5 sm:p-6">
      <h2 className="text-xl">
        {!isOn
          ? "Counting is switched off"
          : needsKey
            ? "Visits are not counted yet"
            : "No visits yet"}
      </h2>
      {!isOn ? (
        <p className="mt-2">
          You can switch it on in the{" "}
          <Link to="/manage/settings/site" className={linkClass}>
            settings of the site
          </Link>
          . Earlier counts stay for half a year.
        </p>
      ) : needsKey ? (
        <p className="mt-2">
          Your site stores its counts and its archive in a Supabase project, and needs a key for
          that, so that nobody else can add any. Create it here and send it to the person who runs
          your server, who adds it to the environment of the site and restarts it.
        </p>
      ) : (
        <>
          <p className="mt-2">
            {`${began ? `Counting began on ${formatDay(began, "long")}. ` : ""}The next visit appears here within a minute.`}
          </p>
          <p className="mt-2 text-muted">
            Yours are left out while you are signed in. To see one counted, open your site in a
            private window.
          </p>
          {isHosted && (
            <p className="mt-2 text-muted">
              If visits are missing, the server may have another key (SITE_KEY). Then create a new
              one and send it to the person who runs it.
            </p>
          )}
        </>
      )}
      {isOn && isHosted && <SiteKey button={needsKey ? "Create a key" : "Create another key"} />}
    </div>
  );
}

/** Creates the key with which a site proves itself to a hosted project. It is shown once. */
function SiteKey({ button }: { button: string }) {
  const { isRunning, failure, run } = useAction();
  const [key, setKey] = useState<string>();
  const create = () =>
    run(async (client) => setKey((await client.rpc("create_site_key").throwOnError()).data), null, {
      title: "The key could not be created",
      description: "Please try again.",
    });

  return (
    <>
      <div role="status">
        {key && (
          <p className="mt-3">
            Add this line to the environment of the site. It is shown only now.
            <code className="mt-2 block rounded-md bg-sage px-3 py-2 text-sm wrap-anywhere select-all">
              {`SITE_KEY=${key}`}
            </code>
          </p>
        )}
      </div>
      <Alert text={failure} />
      {!key && (
        <Button className="mt-4" disabled={isRunning} onClick={create}>
          {isRunning ? "Creating..." : button}
        </Button>
      )}
    </>
  );
}

const sums = [
  ["visits", "Visits"],
  ["pages", "Page views"],
  ["messages", "Messages"],
  ["testimonials", "Testimonials"],
] as const;

const lists = [
  { kind: "post", title: "Most read posts", empty: "No post was read in this time." },
  { kind: "referrer", title: "Where visitors came from", empty: "Nobody came in this time." },
  { kind: "page", title: "Other pages", empty: "" },
  { kind: "calculator", title: "Calculators", empty: "" },
  { kind: "action", title: "What may lead to a talk", empty: "" },
] as const;

interface CountsProps {
  visits: Visits;
  /** How a sentence names the period. */
  period: string;
}

const cardClass = "rounded-lg border border-line bg-surface p-4 sm:p-6";

function Counts({ visits, period }: CountsProps) {
  const { days, top, before } = visits;
  return (
    <>
      <Answer visits={visits} period={period} />
      {days.length > 1 && (
        <section className={`mt-6 ${cardClass}`}>
          <h2 className="mb-5 text-xl">Visits per day</h2>
          <VisitsChart days={days} />
          <DayTable days={days} />
        </section>
      )}
      <dl
        className={`mt-6 grid grid-cols-[auto_auto_auto] justify-between gap-x-3 sm:grid-cols-3 ${cardClass}`}
      >
        {sums.slice(1).map(([field, name]) => (
          <div key={field}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="text-2xl font-semibold tabular-nums">
              {formatNumber(visits.sums[field])}
            </dd>
            {before && (
              <dd className="text-sm text-muted">
                {describeChange(visits.sums[field], before[field])}
              </dd>
            )}
          </div>
        ))}
      </dl>
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-2">
        {lists.map(({ kind, title, empty }) => {
          const rows = top.filter((row) => row.kind === kind);
          return rows.length === 0 && !empty ? null : (
            <section key={kind} className={cardClass}>
              <h2 className="text-xl">{title}</h2>
              {rows.length === 0 && <p className="mt-3 text-muted">{empty}</p>}
              <TopList rows={rows} isCompared={before !== null} />
            </section>
          );
        })}
      </div>
      <p className="mt-8 max-w-prose text-sm text-muted">
        A visit begins when somebody comes to your site: from another site, a search, an email or by
        its address. Every page that they then see is a page view. People who are signed in, such as
        you, and known robots are left out. Only these sums are stored: no cookie, no address and
        nothing else about a visitor.
      </p>
    </>
  );
}

function Answer({ visits, period }: CountsProps) {
  const { began, before, comparableFrom } = visits;
  const [number, rest] = describeVisits(visits);
  return (
    <>
      <p className="max-w-3xl text-2xl leading-snug text-balance">
        <strong className="font-semibold">{number}</strong>
        <span>{rest}</span>
      </p>
      {!before && (
        <p className="mt-2 text-muted">
          {`${!isPartial(visits) && began ? `Counting began on ${formatDay(began, "long")}. ` : ""}From ${formatDay(comparableFrom, "long")}, this page also compares with the ${period} before.`}
        </p>
      )}
    </>
  );
}

function DayTable({ days }: { days: VisitDay[] }) {
  return (
    <details className="mt-4">
      <summary className={`inline-flex min-h-6 items-center text-sm text-evergreen ${linkClass}`}>
        Numbers per day as a table
      </summary>
      <table className="mt-4 w-full text-sm tabular-nums">
        <caption className="sr-only">
          Visits, page views, messages and testimonials per day, newest first
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
                {formatDay(day.day, "medium")}
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

const names: Record<string, string> = {
  "/": "Home page",
  coverage: "Life Insurance Calculator",
  retirement: "Retirement Savings Calculator",
  direct: "Direct or unknown",
  book: "Clicks on a consultation button",
  phone: "Clicks on the telephone number",
  mail: "Clicks on the email address",
};

/** The name of what was counted; the words of its address when there is none, as of a deleted post. */
function useNames(): (row: TopKey) => string {
  const { services, menu, ownPages } = useSite();
  return ({ key, title }) => {
    const [, folder, slug] = key.split("/");
    const service = folder === "services" && services.find((service) => service.slug === slug);
    if (service) return service.title;
    const category = /^\/blog\/category\/(.+)$/.exec(key)?.[1];
    const known =
      title ?? names[key] ?? [...menu, ...ownPages].find(({ path }) => path === key)?.label;
    if (known || !key.startsWith("/")) return known ?? key;
    const words = (category ?? slug ?? folder ?? "").replaceAll("-", " ");
    return category ? `Posts about ${words}` : words.charAt(0).toUpperCase() + words.slice(1);
  };
}

/** Other sites are not linked: bots invent referring hosts to get such links. */
function TopList({ rows, isCompared }: { rows: TopKey[]; isCompared: boolean }) {
  const nameOf = useNames();
  const most = rows[0]?.count ?? 1;
  return (
    <ol className="mt-3 empty:hidden">
      {rows.map((row) => (
        <li
          key={row.key}
          className="relative flex min-h-11 items-center justify-between gap-4 px-3 py-2"
        >
          <span
            aria-hidden="true"
            className="absolute inset-y-1 left-0 rounded-sm bg-sage"
            style={{ width: `${(row.count / most) * 100}%` }}
          />
          <span className="relative min-w-0 wrap-anywhere">
            {row.key.startsWith("/") ? (
              <Link to={row.key} className={linkClass}>
                {nameOf(row)}
              </Link>
            ) : (
              nameOf(row)
            )}
          </span>
          <span className="relative shrink-0 text-right leading-tight font-medium tabular-nums">
            <span>{formatNumber(row.count)}</span>
            {isCompared && (
              <span className="block text-sm font-normal text-muted">
                {describeChange(row.count, row.before)}
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
