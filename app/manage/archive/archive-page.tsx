import { type FormEvent, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { fieldText } from "../../forms/field-text.ts";
import type { Client } from "../../supabase/client-context.ts";
import { TextField } from "../../ui/field.tsx";
import { Button, TextLink } from "../button.tsx";
import { formatMoment, formatSchedule, timeZoneName } from "../format-moment.ts";
import { EmptyList, listClass, PagedList, SearchForm, staysInPlace } from "../list-toolbar.tsx";
import { PageData, PageFrame } from "../manage-frame.tsx";
import { Section } from "../page-parts.tsx";
import { dateAndTimeOf, findTime } from "../posts/zoned-time.ts";
import { RetentionNote } from "../retention-note.tsx";
import {
  type ArchiveSearch,
  archiveUrl,
  type Copy,
  type CopyList,
  groupCopies,
  listCopies,
  longGroup,
  readRows,
  searchOf,
} from "./archive.ts";
import { CopyView, openCopy } from "./copy-view.tsx";
import { ExportPanel } from "./export-panel.tsx";

const panelClass = "rounded-lg border border-line bg-surface p-5 shadow-card";

async function readShown(client: Client, search: ArchiveSearch) {
  if (search.path) return { search, opened: await openCopy(client, search), archive: null };
  const [archive, list] = await Promise.all([
    readRows(client, {}, 0, 1),
    search.at || search.q ? listCopies(client, search) : null,
  ]);
  return { search, archive, began: archive.rows[0]?.since, list };
}

export default function ArchivePage() {
  const search = searchOf(useLocation().search);
  return (
    <PageData query={{ key: ["the archive", search], read: (client) => readShown(client, search) }}>
      {({ search, archive, began, list, opened }) =>
        archive ? (
          <PageFrame>
            <Status {...archive} began={began} />
            <RetentionNote years={null}>
              <TextLink to="/manage/settings/site">Change this in the settings</TextLink>
            </RetentionNote>
            <div className="mt-6 grid gap-6 lg:grid-cols-2">
              <Section
                title="What did the site say then?"
                className={panelClass}
                headingClass="text-lg"
              >
                <MomentForm key={search.at} at={search.at} />
              </Section>
              <Section title="When did it say this?" className={panelClass} headingClass="text-lg">
                <p className="mt-1 mb-4 text-sm text-muted">
                  A sentence, or a part of one, that was public at any time.
                </p>
                <SearchForm
                  label="Search all copies"
                  hint="In everything that was public."
                  query={search.q}
                  pathOf={(q) => archiveUrl({ q })}
                />
              </Section>
            </div>
            {list && <Copies list={list} search={search} />}
            {began && <ExportPanel began={began} />}
          </PageFrame>
        ) : (
          <PageFrame>
            <CopyView search={search} opened={opened ?? null} />
          </PageFrame>
        )
      }
    </PageData>
  );
}

type StatusProps = Pick<Awaited<ReturnType<typeof readRows>>, "total" | "captured_at">;

function Status({ total, captured_at, began }: StatusProps & { began?: string }) {
  const { timeZone } = useSite().contact;
  const isKept = captured_at && Date.now() - Date.parse(captured_at) < 2 * 86_400_000;
  return (
    <>
      {began && (
        <p className="mt-1 max-w-2xl text-sm text-muted">
          {`${total.toLocaleString("en-US")} versions of pages since ${formatSchedule(began, timeZone)}. ${captured_at ? `Last checked for changes ${formatMoment(captured_at, timeZone)}.` : ""}`}
        </p>
      )}
      {!isKept && (
        <div role="note" className="mt-6 max-w-2xl rounded-md bg-clay-soft p-4">
          <strong>The archive gets no new copies: what has changed meanwhile is not in it.</strong>{" "}
          The site copies its pages some minutes after it is started. If this stays, tell the person
          who runs the server: the log says why. With a Supabase project, the site needs a key:{" "}
          <TextLink to="/manage/visits">create one on Visits</TextLink>.
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
    navigate(archiveUrl({ at: new Date(moment).toISOString() }), { state: staysInPlace });
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
      <p className="mt-2 text-sm text-muted">{`In ${timeZoneName(timeZone)}, as on the site.`}</p>
    </form>
  );
}

function Copies({ list, search: { at, q } }: { list: CopyList; search: ArchiveSearch }) {
  const { timeZone } = useSite().contact;
  return (
    <Section
      className="mt-8"
      headingClass="text-lg"
      title={
        <span role="status">
          {`${at ? `Pages on ${formatSchedule(at, timeZone)}` : `Copies with “${q}”`}: ${list.total.toLocaleString("en-US")}`}
        </span>
      }
    >
      <PagedList
        items="copies"
        path={archiveUrl({ at, q })}
        list={list}
        empty={<EmptyList title={at ? "The archive has no page of that time" : "Nothing found"} />}
      >
        {(rows) => (
          <ul className={`mt-3 ${listClass}`}>
            {(at ? [rows] : groupCopies(rows)).map((group) => {
              const items = group.map((copy) => <CopyItem key={copy.number} copy={copy} at={at} />);
              const [newest, oldest] = [group[0], group.at(-1)];
              if (at || !newest || !oldest || group.length <= longGroup) return items;
              const [from, to] = [oldest.since, newest.since].map((time) =>
                formatMoment(time, timeZone),
              );
              return (
                <li key={newest.number}>
                  <details>
                    <summary className="cursor-pointer px-4 py-2.5 font-semibold text-evergreen underline decoration-clay decoration-2 underline-offset-4">
                      {`${group.length} copies that were made one after the other, ${from} to ${to}`}
                    </summary>
                    <ul className="divide-y divide-line border-t border-line">{items}</ul>
                  </details>
                </li>
              );
            })}
          </ul>
        )}
      </PagedList>
    </Section>
  );
}

function CopyItem({ copy, at }: { copy: Copy; at: string }) {
  const { timeZone } = useSite().contact;
  const { title, path, since, until, is_kept } = copy;
  return (
    <li className="gap-x-8 px-4 py-2.5 md:grid md:grid-cols-[minmax(0,1fr)_minmax(0,24rem)] md:items-baseline">
      <p className="min-w-0 wrap-anywhere">
        <Link
          to={archiveUrl({ at: at || since, path })}
          className="font-medium underline-offset-4 hover:underline"
        >
          {title || path}
        </Link>
        <span className="block text-sm text-muted">{path}</span>
      </p>
      <p className="text-sm text-muted tabular-nums md:text-right">
        <span>{`${formatMoment(since, timeZone)} to ${until ? formatMoment(until, timeZone) : "now"}`}</span>
        {!is_kept && <span className="block">No longer kept</span>}
      </p>
    </li>
  );
}
