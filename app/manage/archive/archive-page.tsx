import { type FormEvent, type SyntheticEvent, useState } from "react";
import { Link, useNavigate } from "react-router";
import appStyles from "../../app.css?url";
import { useSite } from "../../config/use-site.ts";
import { loadModule } from "../../loading/load-module.ts";
import { tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { TextField } from "../../ui/field.tsx";
import { Button } from "../button.tsx";
import { formatSchedule } from "../format-moment.ts";
import { EmptyList, PagedList, SearchForm, staysInPlace } from "../list-toolbar.tsx";
import { PageData, PageFrame } from "../manage-frame.tsx";
import type { LoadArgs } from "../manage-pages.ts";
import { dateAndTimeOf, startOfDay } from "../posts/zoned-time.ts";
import {
  type ArchivedVersion,
  type PastDay,
  readDay,
  readPost,
  readSummary,
  searchArchive,
} from "./archive.ts";
import { type ArchiveSearch, archiveUrl, searchOf } from "./archive-search.ts";
import { ExportPanel } from "./export-panel.tsx";
import { nameOf, pagesOf, pathOf } from "./past-site.ts";

export function load({ url }: LoadArgs) {
  const search = searchOf(url.search);
  return { search, shown: loadArchive(search) };
}

function loadArchive(search: ArchiveSearch) {
  return tryLoading("the archive", async () => {
    const client = await getBrowserClient();
    const { at, query, page } = search;
    const [summary, found, day] = await Promise.all([
      readSummary(client),
      query ? searchArchive(client, query, page) : null,
      at ? openDay(client, at) : null,
    ]);
    return { summary, found, day: day && (await openPage(client, day, search)) };
  });
}

/** The day that was read last: what was public does not change. */
let lastDay: PastDay | undefined;

async function openDay(client: Client, moment: string): Promise<PastDay> {
  if (lastDay?.moment !== moment) lastDay = await readDay(client, moment);
  return lastDay;
}

async function openPage(client: Client, day: PastDay, { path, kind, item }: ArchiveSearch) {
  const { renderPage } = await loadModule(() => import("./render-page.tsx"));
  const shown = path || pathOf(day, kind, item);
  const named = day.posts.find(({ slug }) => shown === `/blog/${slug}`);
  const found = named && (await readPost(client, day.moment, named.id));
  const html = await renderPage({ ...day, stylesheet: appStyles, post: found?.post }, shown);
  return { ...day, path: shown, html, version: found?.version };
}

/** What visitors could read: on a day, by word, and as a file. */
export default function ArchivePage({ data }: { data: ReturnType<typeof load> }) {
  const { search, shown } = data;
  const { timeZone } = useSite().contact;
  return (
    <PageData data={shown} of={archiveUrl(search)}>
      {({ summary, found, day }) => (
        <PageFrame>
          <p role="status" className="mt-4 text-lg text-muted">
            {summary.first_at
              ? `${count(summary.entries, "version")} since ${formatSchedule(summary.first_at, timeZone)}`
              : "Nothing is archived yet. What you publish from now on is kept here."}
          </p>
          <section aria-labelledby="day" className="mt-10">
            <h2 id="day" className="text-2xl">
              What did the site say on this day?
            </h2>
            <p className="mt-2 text-muted">At its end, in the time zone of the site.</p>
            <DayForm key={search.at} at={search.at} />
            {day && <Day day={day} began={summary.first_at} />}
          </section>
          <section aria-labelledby="words" className="mt-12 border-t border-line pt-10">
            <h2 id="words" className="mb-4 text-2xl">
              When did it say this?
            </h2>
            <SearchForm
              label="Search the archive"
              hint="Everything that was public at any time."
              query={search.query}
              pathOf={(query) => archiveUrl({ query })}
            />
            {found && <Found found={found} query={search.query} />}
          </section>
          {summary.first_at && <ExportPanel summary={summary} />}
        </PageFrame>
      )}
    </PageData>
  );
}

function count(number: number, what: string): string {
  return `${number.toLocaleString("en-US")} ${what}${number === 1 ? "" : "s"}`;
}

function DayForm({ at }: { at: string }) {
  const { timeZone } = useSite().contact;
  const navigate = useNavigate();
  const [error, setError] = useState<string>();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const date = String(new FormData(event.currentTarget).get("date"));
    const end = startOfDay(date, timeZone, 1);
    if (!end) return setError("Choose a day.");
    setError(undefined);
    const moment = Math.min(Date.parse(end) - 1, Date.now());
    navigate(archiveUrl({ at: new Date(moment).toISOString() }), { state: staysInPlace });
  }

  return (
    <form noValidate onSubmit={submit} className="mt-4 flex flex-wrap items-end gap-3">
      <TextField
        label="Date"
        type="date"
        name="date"
        defaultValue={dateAndTimeOf(at || new Date().toISOString(), timeZone).date}
        error={error}
      />
      <Button type="submit" look="primary">
        Show the site
      </Button>
    </form>
  );
}

interface DayProps {
  day: Awaited<ReturnType<typeof openPage>>;
  began: string | null;
}

function Day({ day, began }: DayProps) {
  const { timeZone } = useSite().contact;
  const named = formatSchedule(day.moment, timeZone);
  if (!began || Date.parse(day.moment) < Date.parse(began)) {
    return (
      <p className="mt-6 max-w-2xl rounded-md bg-clay-soft p-4">
        The archive begins later than {named}, so it does not know what the site said then.
      </p>
    );
  }
  return (
    <>
      <p role="status" className="mt-6 rounded-md bg-sage px-4 py-3 font-semibold">
        The site on {named}
      </p>
      <p className="mt-2 max-w-2xl text-sm text-muted">
        Texts that were never published by you, and the design, are those of the current release.
      </p>
      <div className="mt-4 grid gap-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <nav
          aria-label="Pages of that day"
          className="max-h-[75dvh] overflow-y-auto max-lg:max-h-60"
        >
          <ul>
            {pagesOf(day).map(({ path, label }) => (
              <li key={path}>
                <Link
                  to={archiveUrl({ at: day.moment, path })}
                  state={staysInPlace}
                  aria-current={path === day.path ? "page" : undefined}
                  className="block rounded-sm px-2 py-1.5 text-sm hover:bg-sand aria-[current]:bg-sage aria-[current]:font-semibold"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div>
          {day.version && (
            <p className="mb-2">
              <Duration version={day.version} />
            </p>
          )}
          <Frame day={day} />
        </div>
      </div>
    </>
  );
}

/** From when until when visitors could read a version, and by whom. */
function Duration({ version: { number, since, until, by } }: { version: ArchivedVersion }) {
  const { timeZone } = useSite().contact;
  return (
    <span className="block text-sm text-muted">
      Since {formatSchedule(since, timeZone)}
      {until ? `, until ${formatSchedule(until, timeZone)}` : ", still public"}
      {by && `, by ${by}`}. Entry {number}.
    </span>
  );
}

/** The page, whose links lead to the other pages of the day. Nothing in it runs or is sent. */
function Frame({ day }: Pick<DayProps, "day">) {
  const navigate = useNavigate();

  function follow({ currentTarget }: SyntheticEvent<HTMLIFrameElement>) {
    currentTarget.contentDocument?.addEventListener("click", (event) => {
      const href = (event.target as Element).closest("a")?.getAttribute("href");
      if (!href || href.startsWith("#")) return;
      event.preventDefault();
      const [path = ""] = href.split("#");
      if (path.startsWith("/")) {
        navigate(archiveUrl({ at: day.moment, path }), { state: staysInPlace });
      }
    });
  }

  if (day.html === null) {
    return <EmptyList title="The archive has no such page of that day" text={day.path} />;
  }
  return (
    <iframe
      key={`${day.moment} ${day.path}`}
      title={`${day.path} as it was`}
      sandbox="allow-same-origin"
      // A link that is not followed below opens nothing, so the frame never shows the site of today.
      srcDoc={day.html.replace("<head>", '<head><base target="_blank"/>')}
      onLoad={follow}
      className="h-[75dvh] w-full rounded-lg border border-edge bg-paper"
    />
  );
}

interface FoundProps {
  found: Awaited<ReturnType<typeof searchArchive>>;
  query: string;
}

function Found({ found, query }: FoundProps) {
  return (
    <div className="mt-6">
      <p role="status" className="text-muted">
        {count(found.total, "version")} found for “{query}”
      </p>
      <PagedList
        items="versions"
        path={archiveUrl({ query })}
        list={found}
        empty={<EmptyList title="Nothing found" text="Try fewer words, or the beginning of one." />}
      >
        {(rows) => (
          <ul className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface">
            {rows.map((entry) => {
              const { number, since, kind, item, title } = entry;
              return (
                <li key={number} className="px-5 py-4">
                  <Link
                    to={archiveUrl({ at: since, kind, item })}
                    className="font-semibold text-evergreen underline underline-offset-4"
                  >
                    {kind === "settings" ? nameOf(entry) : title}
                  </Link>
                  <Duration version={entry} />
                </li>
              );
            })}
          </ul>
        )}
      </PagedList>
    </div>
  );
}
