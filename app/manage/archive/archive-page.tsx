import { type FormEvent, useState } from "react";
import { Link, useNavigate } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { fieldText } from "../../forms/use-form-submit.ts";
import { tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient, readPublicSettings } from "../../supabase/browser-client.ts";
import { TextField } from "../../ui/field.tsx";
import { Button } from "../button.tsx";
import { formatMoment, formatSchedule, timeZoneName } from "../format-moment.ts";
import { EmptyList, PagedList, SearchForm, staysInPlace } from "../list-toolbar.tsx";
import { type LoadArgs, PageData, PageFrame } from "../manage-frame.tsx";
import { dateAndTimeOf, findTime } from "../posts/zoned-time.ts";
import * as archive from "./archive.ts";
import { CopyView, openCopy } from "./copy-view.tsx";
import { ExportPanel } from "./export-panel.tsx";

export function load({ url }: LoadArgs) {
  const search = archive.searchOf(url.search);
  return { search, shown: tryLoading("the archive", () => readShown(search)), of: url.search };
}

async function readShown(search: archive.ArchiveSearch) {
  const client = await getBrowserClient();
  const { at, copy, path, q, page } = search;
  if (copy || path) return { opened: await openCopy(client, search), summary: null };
  const read = at
    ? archive.readPages(client, at)
    : q
      ? archive.searchArchive(client, q, page)
      : null;
  const [summary, list] = await Promise.all([archive.readSummary(client), read]);
  return { opened: null, summary, list };
}

/** What visitors could read: at a time, by word, and as a file. */
export default function ArchivePage({ data }: { data: ReturnType<typeof load> }) {
  const { timeZone } = useSite().contact;
  const { search, shown, of } = data;
  return (
    <PageData data={shown} of={of}>
      {({ opened, summary, list }) =>
        summary ? (
          <PageFrame>
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
                  query={search.q}
                  pathOf={(q) => archive.archiveUrl({ q })}
                />
              </section>
            </div>
            {list && <Copies list={list} search={search} began={summary.first_at} />}
            {summary.first_at && <ExportPanel firstAt={summary.first_at} timeZone={timeZone} />}
          </PageFrame>
        ) : (
          <PageFrame>
            <CopyView search={search} opened={opened} />
          </PageFrame>
        )
      }
    </PageData>
  );
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;
}

/** What is kept, or why nothing is. */
function Status({ summary }: { summary: archive.Summary }) {
  const { timeZone } = useSite().contact;
  const { copies, pages, first_at, captured_at, key_created_at } = summary;
  const isHosted = readPublicSettings().supabaseUrl !== null;
  const age = Date.now() - Date.parse(captured_at ?? "");
  return (
    <>
      {first_at && (
        <p className="mt-4 max-w-2xl text-lg text-muted">
          {count(copies, "copy", "copies")} of {count(pages, "page", "pages")} since{" "}
          {formatSchedule(first_at, timeZone)}.{" "}
          {captured_at && `Last checked for changes ${formatMoment(captured_at, timeZone)}.`}
        </p>
      )}
      {!(age < 2 * 86_400_000) && (
        <div role="note" className="mt-6 max-w-2xl rounded-md bg-clay-soft p-4">
          <p className="font-semibold">
            {first_at
              ? "The archive is not being kept: what has changed since then is not in it."
              : "Nothing is kept yet."}
          </p>
          <p className="mt-1">
            {!isHosted ? (
              "The site copies its pages some minutes after its start. If this stays, read its log."
            ) : key_created_at ? (
              "Compare SITE_KEY in the environment of the site with the key that was created on Visits, and restart the site."
            ) : (
              <>
                The site needs a key to add copies of its pages:{" "}
                <Link to="/manage/visits" className="font-medium underline underline-offset-4">
                  create one on Visits
                </Link>
                , set it as SITE_KEY in the environment of the site, and restart the site.
              </>
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
    const found = findTime(fieldText(form, "date"), fieldText(form, "time"), timeZone);
    const instant =
      found.kind === "twice" ? found.instants[1] : "instant" in found && found.instant;
    setError(instant ? undefined : "Choose a time that exists.");
    if (!instant) return;
    // The end of the minute, so that a copy that was made in it is found.
    const moment = Math.min(Date.parse(instant.iso) + 59_999, Date.now());
    navigate(archive.archiveUrl({ at: new Date(moment).toISOString() }), { state: staysInPlace });
  }

  return (
    <form noValidate onSubmit={submit} className="mt-4">
      <div className="flex flex-wrap items-end gap-3">
        <TextField label="Date" type="date" name="date" defaultValue={shown.date} error={error} />
        <TextField label="Time" type="time" name="time" defaultValue={shown.time} />
        <Button type="submit" look="primary" size="normal">
          Show the site
        </Button>
      </div>
      <p className="mt-2 text-sm text-muted">In {timeZoneName(timeZone)}, as on the site.</p>
    </form>
  );
}

interface CopiesProps {
  list: Awaited<ReturnType<typeof archive.readPages>>;
  search: archive.ArchiveSearch;
  /** When the archive began. */
  began: string | null;
}

/** The pages at a moment, or the results of a search. */
function Copies({ list, search: { at, q }, began }: CopiesProps) {
  const { timeZone } = useSite().contact;
  const isBefore = !began || Date.parse(at) < Date.parse(began);
  const missing = isBefore
    ? "The archive begins later, so it does not know what the site said then."
    : "No page was public then.";
  return (
    <section aria-labelledby="found" className="mt-10">
      <h2 id="found" className="text-xl">
        <span role="status">
          {at
            ? `${count(list.total, "page", "pages")} on ${formatSchedule(at, timeZone)}`
            : `${count(list.total, "copy", "copies")} found for “${q}”`}
        </span>
      </h2>
      <PagedList
        items="copies"
        path={archive.archiveUrl({ q })}
        list={list}
        empty={
          <EmptyList
            title={at ? "No pages" : "Nothing found"}
            text={at ? missing : "Try fewer words, or the beginning of one."}
          />
        }
      >
        {(rows) => (
          <ul className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface">
            {rows.map((copy) => (
              <CopyItem key={copy.number} copy={copy} at={at} />
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  );
}

function CopyItem({ copy, at }: { copy: archive.Copy; at: string }) {
  const { timeZone } = useSite().contact;
  const { number, title, path, since, until, is_kept } = copy;
  return (
    <li className="gap-x-8 px-5 py-3.5 md:grid md:grid-cols-[minmax(0,1fr)_minmax(0,24rem)] md:items-baseline">
      <p className="min-w-0 [overflow-wrap:anywhere]">
        <Link
          to={archive.archiveUrl({ at, copy: number })}
          className="font-semibold text-evergreen underline underline-offset-4"
        >
          {title || path}
        </Link>
        <span className="block text-sm text-muted">{path}</span>
      </p>
      <p className="text-sm text-muted tabular-nums md:text-right">
        {formatMoment(since, timeZone)} to {until ? formatMoment(until, timeZone) : "now"}
        {!is_kept && <span className="block">No longer kept</span>}
      </p>
    </li>
  );
}
