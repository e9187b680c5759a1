import { type FormEvent, type ReactNode, useState } from "react";
import { Link, useNavigate } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient, readPublicSettings } from "../../supabase/browser-client.ts";
import { TextField } from "../../ui/field.tsx";
import { Button } from "../button.tsx";
import { formatMoment, formatSchedule, timeZoneName } from "../format-moment.ts";
import { EmptyList, PagedList, SearchForm, staysInPlace } from "../list-toolbar.tsx";
import { PageData, PageFrame } from "../manage-frame.tsx";
import type { LoadArgs } from "../manage-pages.ts";
import { dateAndTimeOf, findTime } from "../posts/zoned-time.ts";
import { type Copy, readPages, readSummary, type Summary, searchArchive } from "./archive.ts";
import { type ArchiveSearch, archiveUrl, searchOf } from "./archive-search.ts";
import { CopyView, openCopy } from "./copy-view.tsx";
import { ExportPanel } from "./export-panel.tsx";

export function load({ url }: LoadArgs) {
  const search = searchOf(url.search);
  return { search, shown: tryLoading("the archive", () => readShown(search)) };
}

async function readShown(search: ArchiveSearch) {
  const client = await getBrowserClient();
  const { at, copy, path, query, page } = search;
  if (copy || path) return { opened: await openCopy(client, search), lists: null };
  const [summary, pages, found] = await Promise.all([
    readSummary(client),
    at ? readPages(client, at) : null,
    query ? searchArchive(client, query, page) : null,
  ]);
  return { opened: null, lists: { summary, pages, found } };
}

/** What visitors could read: at a time, by word, and as a file. */
export default function ArchivePage({ data }: { data: ReturnType<typeof load> }) {
  const { search, shown } = data;
  return (
    <PageData data={shown} of={archiveUrl(search)}>
      {({ opened, lists }) => (
        <PageFrame>
          {lists ? (
            <Lists search={search} {...lists} />
          ) : (
            <CopyView search={search} opened={opened} />
          )}
        </PageFrame>
      )}
    </PageData>
  );
}

type ListsProps = NonNullable<Awaited<ReturnType<typeof readShown>>["lists"]> & {
  search: ArchiveSearch;
};

function Lists({ search, summary, pages, found }: ListsProps) {
  const { timeZone } = useSite().contact;
  return (
    <>
      <Status summary={summary} />
      <div className="mt-10 grid gap-x-16 gap-y-10 lg:grid-cols-2">
        <section aria-labelledby="moment">
          <h2 id="moment" className="text-2xl">
            What did the site say then?
          </h2>
          <MomentForm key={search.at} at={search.at} />
        </section>
        <section aria-labelledby="words">
          <h2 id="words" className="mb-4 text-2xl">
            When did it say this?
          </h2>
          <SearchForm
            label="Search all copies"
            hint="Everything that was public at any time."
            query={search.query}
            pathOf={(query) => archiveUrl({ query })}
          />
        </section>
      </div>
      {pages && <Pages pages={pages} at={search.at} began={summary.first_at} />}
      {found && (
        <List title={`${count(found.total, "copy", "copies")} found for “${search.query}”`}>
          <PagedList
            items="copies"
            path={archiveUrl({ query: search.query })}
            list={found}
            empty={
              <EmptyList title="Nothing found" text="Try fewer words, or the beginning of one." />
            }
          >
            {(rows) => (
              <Copies copies={rows} toOf={({ number }) => ({ ...search, copy: number })} />
            )}
          </PagedList>
        </List>
      )}
      {summary.first_at && <ExportPanel firstAt={summary.first_at} timeZone={timeZone} />}
    </>
  );
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;
}

const twoDays = 2 * 86_400_000;

/** What is kept, or why nothing is. */
function Status({ summary }: { summary: Summary }) {
  const { timeZone } = useSite().contact;
  const { copies, pages, first_at, captured_at, key_created_at } = summary;
  const isHosted = readPublicSettings().supabaseUrl !== null;
  const isCurrent = captured_at !== null && Date.now() - Date.parse(captured_at) < twoDays;
  return (
    <>
      {first_at && (
        <p className="mt-4 max-w-2xl text-lg text-muted">
          {count(copies, "copy", "copies")} of {count(pages, "page", "pages")} since{" "}
          {formatSchedule(first_at, timeZone)}.{" "}
          {captured_at && `Last checked for changes ${formatMoment(captured_at, timeZone)}.`}
        </p>
      )}
      {!isCurrent && (
        <div role="note" className="mt-6 max-w-2xl rounded-md bg-clay-soft p-4">
          <p className="font-semibold">
            {first_at
              ? "The archive is not being kept: what changed since then is not in it."
              : "Nothing is kept yet."}
          </p>
          <p className="mt-1">
            {!isHosted ? (
              "The site copies its pages some minutes after its start. If this stays, read its log."
            ) : key_created_at === null ? (
              <>
                The site needs a key to add copies of its pages:{" "}
                <Link to="/manage/visits" className="font-medium underline underline-offset-4">
                  create one on Visits
                </Link>
                , set it as SITE_KEY in the environment of the site, and restart the site.
              </>
            ) : (
              "Check that SITE_KEY in the environment of the site is the key that was created on Visits, and restart the site."
            )}
          </p>
        </div>
      )}
    </>
  );
}

function MomentForm({ at }: { at: string }) {
  const { timeZone } = useSite().contact;
  const navigate = useNavigate();
  const [error, setError] = useState<string>();
  const shown = dateAndTimeOf(at || new Date().toISOString(), timeZone);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const found = findTime(String(form.get("date")), String(form.get("time")), timeZone);
    const instant =
      found.kind === "twice" ? found.instants[1] : "instant" in found && found.instant;
    if (!instant) return setError("Choose a date and a time.");
    setError(undefined);
    // The end of the minute, so that a copy that was made in it is found.
    const moment = Math.min(Date.parse(instant.iso) + 59_999, Date.now());
    navigate(archiveUrl({ at: new Date(moment).toISOString() }), { state: staysInPlace });
  }

  return (
    <form noValidate onSubmit={submit} className="mt-4">
      <div className="flex flex-wrap items-end gap-3">
        <TextField label="Date" type="date" name="date" defaultValue={shown.date} />
        <TextField label="Time" type="time" name="time" defaultValue={shown.time} />
        <Button type="submit" look="primary" size="normal">
          Show the site
        </Button>
      </div>
      <p className="mt-2 text-sm text-muted">In {timeZoneName(timeZone)}, as on the site.</p>
      {error && (
        <p role="alert" className="mt-2 text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </form>
  );
}

interface PagesProps {
  pages: readonly Copy[];
  at: string;
  /** When the archive began. */
  began: string | null;
}

function Pages({ pages, at, began }: PagesProps) {
  const { timeZone } = useSite().contact;
  const named = formatSchedule(at, timeZone);
  const isBefore = !began || Date.parse(at) < Date.parse(began);
  return (
    <List title={`${count(pages.length, "page", "pages")} on ${named}`}>
      {pages.length > 0 ? (
        <Copies copies={pages} toOf={({ number }) => ({ at, copy: number })} />
      ) : (
        <EmptyList
          title="No pages"
          text={
            isBefore
              ? "The archive begins later, so it does not know what the site said then."
              : "No page was public then."
          }
        />
      )}
    </List>
  );
}

function List({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-labelledby="found" className="mt-10">
      <h2 id="found" className="text-xl">
        <span role="status">{title}</span>
      </h2>
      {children}
    </section>
  );
}

interface CopiesProps {
  copies: readonly Copy[];
  /** What the link of a copy opens. */
  toOf: (copy: Copy) => Partial<ArchiveSearch>;
}

function Copies({ copies, toOf }: CopiesProps) {
  const { timeZone } = useSite().contact;
  return (
    <ul className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface">
      {copies.map((copy) => (
        <li
          key={copy.number}
          className="gap-x-8 px-5 py-3.5 md:grid md:grid-cols-[minmax(0,1fr)_minmax(0,24rem)] md:items-baseline"
        >
          <p className="min-w-0 [overflow-wrap:anywhere]">
            <Link
              to={archiveUrl(toOf(copy))}
              className="font-semibold text-evergreen underline underline-offset-4"
            >
              {copy.title || copy.path}
            </Link>
            <span className="block text-sm text-muted">{copy.path}</span>
          </p>
          <p className="text-sm text-muted tabular-nums md:text-right">
            {formatMoment(copy.since, timeZone)} to{" "}
            {copy.until ? formatMoment(copy.until, timeZone) : "now"}
            {!copy.is_kept && <span className="block">No longer kept</span>}
          </p>
        </li>
      ))}
    </ul>
  );
}
