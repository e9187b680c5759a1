import { type FormEvent, type SyntheticEvent, useState } from "react";
import { Link, useNavigate } from "react-router";
import appStyles from "../../app.css?url";
import { useSite } from "../../config/use-site.ts";
import { loadModule } from "../../loading/load-module.ts";
import { type Result, tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { TextField } from "../../ui/field.tsx";
import { Button } from "../button.tsx";
import { formatSchedule, timeZoneName } from "../format-moment.ts";
import { EmptyList, PagedList, SearchForm, staysInPlace } from "../list-toolbar.tsx";
import { PageData, PageFrame } from "../manage-frame.tsx";
import type { LoadArgs } from "../manage-pages.ts";
import { dateAndTimeOf, findTime } from "../posts/zoned-time.ts";
import {
  type Entry,
  type FoundEntry,
  type FoundPage,
  type PastDay,
  readDay,
  readPost,
  readSummary,
  type Summary,
  searchArchive,
} from "./archive.ts";
import { type ArchiveSearch, archiveUrl, searchOf } from "./archive-search.ts";
import { ExportPanel } from "./export-panel.tsx";
import { nameOf, type PastPost, pagesOf, pathsOf } from "./past-site.ts";

interface Shown {
  summary: Summary;
  found: FoundPage | null;
  day: (PastDay & { path: string; html: string | null }) | null;
}

export function load({ url }: LoadArgs) {
  const search = searchOf(url.search);
  return { search, shown: loadArchive(search) };
}

async function loadArchive(search: ArchiveSearch): Promise<Result<Shown>> {
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
  const [first = "/"] = path ? [path] : pathsOf(day, kind, item);
  const html = await renderPage(
    {
      ...day,
      stylesheet: appStyles,
      readPost: ({ id }: PastPost) => readPost(client, day.moment, id),
    },
    first,
  );
  return { ...day, path: first, html };
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
            <DayForm key={search.at} at={search.at} />
            {day && <Day day={day} search={search} began={summary.first_at} />}
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
  const [{ date, time }, setChosen] = useState(() =>
    dateAndTimeOf(at || new Date().toISOString(), timeZone),
  );
  const [error, setError] = useState<string>();

  function submit(event: FormEvent) {
    event.preventDefault();
    const found = findTime(date, time, timeZone);
    if (found.kind === "invalid") return setError("Choose a date and a time.");
    if (found.kind === "skipped") {
      return setError(`The clocks are set forward that day. You could choose ${found.next}.`);
    }
    setError(undefined);
    // Of a time that comes twice, the second one has seen the first.
    const { iso } = found.kind === "once" ? found.instant : found.instants[1];
    // With what was published in this minute, and nothing later than now.
    const at = new Date(Math.min(Date.parse(iso) + 59_999, Date.now())).toISOString();
    navigate(archiveUrl({ at }), { state: staysInPlace });
  }

  return (
    <form noValidate onSubmit={submit} className="mt-4">
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label="Date"
          type="date"
          value={date}
          aria-invalid={error ? true : undefined}
          error={error}
          onChange={(event) => setChosen({ date: event.target.value, time })}
        />
        <TextField
          label="Time"
          type="time"
          value={time}
          onChange={(event) => setChosen({ date, time: event.target.value })}
        />
        <Button type="submit" look="primary">
          Show the site
        </Button>
      </div>
      <p className="mt-2 text-sm text-muted">
        {timeZoneName(timeZone)}, the time zone of the site.
      </p>
    </form>
  );
}

interface DayProps {
  day: NonNullable<Shown["day"]>;
  search: ArchiveSearch;
  began: string | null;
}

function Day({ day, search, began }: DayProps) {
  const { timeZone } = useSite().contact;
  const { moment } = day;
  const named = formatSchedule(moment, timeZone);
  if (!began || Date.parse(moment) < Date.parse(began)) {
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
        <PageLinks day={day} page={search.page} />
        <div className="min-w-0">
          <Frame day={day} />
          <Versions entries={entriesOf(day)} />
        </div>
      </div>
    </>
  );
}

/** The addresses within a past site, opened at its moment. */
function dayUrl({ moment }: PastDay, path: string, page = 1): string {
  return archiveUrl({ at: moment, path, page });
}

const postsPerPage = 50;

function PageLinks({ day, page }: { day: DayProps["day"]; page: number }) {
  const { posts, path: shown } = day;
  const first = (page - 1) * postsPerPage;
  const link = (to: string, label: string, isCurrent = false) => (
    <li key={to}>
      <Link
        to={to}
        state={staysInPlace}
        aria-current={isCurrent ? "page" : undefined}
        className="block rounded-sm px-2 py-1.5 text-sm hover:bg-sand aria-[current]:bg-sage aria-[current]:font-semibold"
      >
        {label}
      </Link>
    </li>
  );
  const item = (path: string, label: string) =>
    link(dayUrl(day, path, page), label, path === shown);
  return (
    <nav aria-label="Pages of that day" className="max-h-[75dvh] overflow-y-auto max-lg:max-h-60">
      <ul>{pagesOf(day).map(({ path, label }) => item(path, label))}</ul>
      <h3 className="mt-4 px-2 font-sans text-sm font-semibold text-muted">
        {count(posts.length, "post")}
      </h3>
      <ul>
        {page > 1 && link(dayUrl(day, shown, page - 1), "Newer posts")}
        {posts
          .slice(first, first + postsPerPage)
          .map(({ slug, title }) => item(`/blog/${slug}`, title))}
        {posts.length > first + postsPerPage && link(dayUrl(day, shown, page + 1), "Older posts")}
      </ul>
    </nav>
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
      if (path.startsWith("/")) navigate(dayUrl(day, path), { state: staysInPlace });
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
      srcDoc={day.html}
      onLoad={follow}
      className="h-[75dvh] w-full rounded-lg border border-edge bg-paper"
    />
  );
}

/** What the shown page is made of. */
function entriesOf({ entries, path, posts }: DayProps["day"]): Entry[] {
  const post = posts.find(({ slug }) => path === `/blog/${slug}`);
  return entries.filter(({ kind, item }) => {
    if (post) return item === post.id;
    return kind === "settings" || (kind === "testimonial" && path.startsWith("/testimonials"));
  });
}

function Versions({ entries }: { entries: readonly Entry[] }) {
  return (
    <details className="mt-4">
      <summary className="min-h-11 py-2 font-semibold text-evergreen underline-offset-4 hover:underline">
        Since when, until when, and by whom
      </summary>
      <ul className="mt-2 space-y-2">
        {entries.map((entry) => (
          <li key={entry.number} className="text-sm">
            <span className="font-semibold">{nameOf(entry)}</span>
            <Validity entry={entry} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Validity({ entry: { number, since, until, by } }: { entry: Entry }) {
  const { timeZone } = useSite().contact;
  return (
    <span className="block text-sm text-muted">
      Since {formatSchedule(since, timeZone)}
      {until ? `, until ${formatSchedule(until, timeZone)}` : ", still public"}
      {by && `, by ${by}`}. Entry {number}.
    </span>
  );
}

function Found({ found, query }: { found: FoundPage; query: string }) {
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
            {rows.map((entry) => (
              <FoundItem key={entry.number} entry={entry} />
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  );
}

function FoundItem({ entry }: { entry: FoundEntry }) {
  const { since, kind, item, title } = entry;
  return (
    <li className="px-5 py-4">
      <Link
        to={archiveUrl({ at: since, kind, item })}
        className="font-semibold text-evergreen underline underline-offset-4"
      >
        {kind === "settings" ? nameOf(entry) : title}
      </Link>
      <Validity entry={entry} />
    </li>
  );
}
